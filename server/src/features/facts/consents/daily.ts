/** What visitors stated, by day and source, without a person. Writers hold the profile's lock. */
import { sql } from 'kysely'
import { consentMarks, consentSignals } from '../../../platform/contract/consent.ts'
import { bigints, texts } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { anchoredProfileId, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import type { StoredEvent } from '../events/stored.ts'
import { purposes, readConsent } from './rules.ts'

export type ConsentCount = {
  day: string
  source: string
  purpose: string
  state: string
  events: number
  sessions: number
}

const countedMarks = consentMarks.filter((mark) => mark !== 'gpc_lifted')

/** An event of the tracker proves consent to statistics; other senders are counted if they state something. */
export function consentCountsOf(event: StoredEvent, day: string): ConsentCount[] {
  const { properties, consent_signals: signals = null, session_start: isStart } = event.body
  const source = consentSignals.find((name) => signals?.includes(name)) ?? event.source
  const count = (purpose: string, state: string, by: string = source): ConsentCount => ({
    ...{ day, source: by, purpose, state },
    ...{ events: 1, sessions: isStart ? 1 : 0 },
  })
  const consent = readConsent({ ...event, consent: properties?.consent, signals })
  return [
    ...(event.source === 'tracker' ? [count('statistics', 'granted')] : []),
    ...purposes.flatMap((purpose) => {
      const stated = consent[purpose]
      return stated === null ? [] : [count(purpose, stated.state, stated.source)]
    }),
    ...countedMarks.flatMap((mark) => (signals?.includes(mark) ? [count(mark, 'seen')] : [])),
  ]
}

export async function addConsentCounts(
  tx: Tx,
  profileId: string,
  counts: readonly ConsentCount[],
): Promise<void> {
  const sums = new Map<string, ConsentCount>()
  for (const row of counts) {
    const key = JSON.stringify([row.day, row.source, row.purpose, row.state])
    const sum = sums.get(key) ?? { ...row, events: 0, sessions: 0 }
    sums.set(key, { ...sum, events: sum.events + row.events, sessions: sum.sessions + row.sessions })
  }
  const rows = [...sums.values()]
  if (rows.length === 0) return
  await sql`
    insert into consent_daily (profile_id, day, source, purpose, state, events, sessions)
    select ${anchoredProfileId(tx, profileId)}, k.day::date, k.source, k.purpose, k.state, k.events, k.sessions
    from unnest(${texts(rows, (row) => row.day)}::text[], ${texts(rows, (row) => row.source)}::text[],
      ${texts(rows, (row) => row.purpose)}::text[], ${texts(rows, (row) => row.state)}::text[],
      ${bigints(rows, (row) => row.events)}::bigint[], ${bigints(rows, (row) => row.sessions)}::bigint[])
      as k(day, source, purpose, state, events, sessions) ${joinAnchor(tx, profileId)}
    on conflict (profile_id, day, source, purpose, state) do update
      set events = consent_daily.events + excluded.events,
        sessions = consent_daily.sessions + excluded.sessions`.execute(tx)
}

/** Ordered by day, source and purpose. */
export async function listConsentCounts(
  db: Db | Tx,
  params: { profileId: string; from: string; to: string },
): Promise<ConsentCount[]> {
  const { rows } = await sql<ConsentCount>`
    select day::text as day, source, purpose, state, events::int as events, sessions::int as sessions
    from consent_daily
    where profile_id = ${params.profileId} and day between ${params.from}::date and ${params.to}::date
    order by day, source, purpose, state`.execute(db)
  return rows
}
