/** Statements that read all tenants on purpose, by a part of their text, with the reason. */
export const acrossTenants: readonly { part: string; why: string }[] = [
  { part: 'select distinct profile_id from event_queue', why: 'the processor looks whose events wait' },
  {
    part: 'from webhook_fanouts f join outbox_counters c',
    why: 'the dispatcher looks up which profiles have new events',
  },
]
