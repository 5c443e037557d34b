/** What the replay reads. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { contactOf, type PersonContact } from '../../../facts/identity/contact.ts'
import { isAlive } from '../../../facts/identity/members.ts'

/** The most that one question brings. */
export const ROWS_AT_ONCE = 256

export type OutcomeRow = {
  number: number
  id: string
  provider: string
  connection_id: string | null
  app_id: string | null
  occurred_at: Date
  /** As JSON. */
  data: string
  person_id: string
  contact: Partial<PersonContact> | null
}

/**
 * The outcomes among some numbers, and the profile's last number. No two events share one and they become visible in
 * their order, so what is between two of them is bounded, whatever the planner makes of the rest. What differs from one
 * question to the next comes as a row of a function and the most that it may bring is a constant: one plan is kept,
 * instead of one made each time. Outcomes of people who were erased are left out: none of their identifiers leads
 * to a living customer.
 */
export async function listOutcomes(
  db: Db | Tx,
  params: {
    profileId: string
    after: number
    until: number
    most: number
    outcomeType: string | null
    provider: string | null
    since: Date
    /** Whether the people are read too. */
    open: boolean
  },
): Promise<{ lastNumber: number; rows: OutcomeRow[] }> {
  const { profileId, after, until, most, since, provider } = params
  const asked = [{ after, until, most, since, outcome_type: params.outcomeType, provider }]
  const { rows } = await sql<OutcomeRow & { last_number: number }>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as a(after bigint, until bigint, most integer, since timestamptz, outcome_type text, provider text))
    select coalesce((select c.last_number from outbox_counters c where c.profile_id = ${profileId}), 0) as last_number,
      event.*
    from asked
    left join lateral (
      select * from (
        select e.number, e.id, e.provider, e.connection_id, e.app_id, e.occurred_at,
          e.data::text as data, alive.id as person_id,
          ${params.open ? contactOf(profileId, sql.ref('alive.id')) : sql`null`} as contact
        from outbox_events e
        cross join lateral (
          select i.customer_id as id from identifiers i
          where i.profile_id = ${profileId} and i.id = e.customer_id
            and ${isAlive(profileId, sql.ref('i.customer_id'))} limit 1) as alive
        where e.profile_id = ${profileId} and e.number > asked.after and e.number <= asked.until
          and e.type = 'outcome.recorded' and coalesce(e.delivered_at, e.recorded_at) > asked.since
          and (asked.outcome_type is null or e.data->>'outcome_type' = asked.outcome_type)
          and (asked.provider is null or e.data->>'provider' = asked.provider)
        order by e.number limit ${sql.lit(ROWS_AT_ONCE)}) as next
      order by next.number limit asked.most) as event on true`.execute(db)
  const outcomes = rows.filter((row) => row.number !== null)
  return { lastNumber: rows[0]!.last_number, rows: outcomes.sort((a, b) => a.number - b.number) }
}
