/** Faults that the simulation must detect: each is inserted into a copy of the checkout, which is then simulated. */
export type Planted = {
  name: string
  file: string
  /** Occurs exactly once in the file. */
  snippet: string
  replacement: string
  /** The expected violation. */
  violation: RegExp
}

export const plantedFaults: readonly Planted[] = [
  {
    name: 'an event is acknowledged that was not committed',
    file: 'server/src/features/facts/events/ingest.ts',
    snippet: 'for (const entry of batch) entry.group.fail(error)',
    replacement: "for (const entry of batch) settle(entry, 'accepted')",
    violation: /acknowledged and not counted/,
  },
  {
    name: 'the replay’s cursor skips what was read ahead',
    file: 'server/src/features/outgoing/webhooks/replay/replay.ts',
    snippet: 'last = pageRows.at(-1)?.number ?? last',
    replacement: 'last = rows.at(-1)?.number ?? last',
    violation: /the replay gave|not at rest/,
  },
  {
    name: 'a retry does not wait',
    file: 'server/src/features/outgoing/webhooks/rules.ts',
    snippet: 'return new Date(endedAt.getTime() + Math.round(Math.max(jittered, requested)))',
    replacement: 'return endedAt.getTime() + jittered + requested > 0 ? endedAt : undefined',
    violation: /sooner than the schedule/,
  },
  {
    name: 'a try that two senders made is written down twice',
    file: 'server/src/features/outgoing/webhooks/delivery/save-attempts.ts',
    snippet:
      " and d.settled_at is null\n      and d.attempt_count = (${result} -> 'entry' ->> 'attempt')::integer - 1",
    replacement: '',
    violation: /attempts of a delivery are numbered|a delivery is \w+ after/,
  },
  {
    name: 'a profile that sent something again is looked up for good',
    file: 'server/src/features/outgoing/webhooks/delivery/fanout.ts',
    snippet: 'more ? 0 : (fanout.last_number ?? 0)',
    replacement: '0',
    violation: /not at rest .*"pipeline":true/,
  },
  {
    name: 'a connection whose response was late goes back into the pool',
    file: 'server/src/platform/db/database.ts',
    snippet: 'release(connectionError ?? error)',
    replacement: 'release(error ?? connectionError)',
    violation: /used again after a late response/,
  },
]
