/** Statements that read all tenants on purpose, by a part of their text, with the reason. */
export const acrossTenants: readonly { part: string; why: string }[] = [
  { part: 'select distinct profile_id from event_queue', why: 'the processor looks whose events wait' },
  {
    part: "from tracking_domains where domain = $1 and status = 'verified'",
    why: 'the redirect of a short link looks up whose domain it answers on',
  },
  {
    part: 'from webhook_fanouts f join outbox_counters c',
    why: 'the dispatcher looks up which profiles have new events',
  },
]
