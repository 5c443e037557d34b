/** Query of the replay. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { contactOf, type PersonContact } from '../../../facts/identity/contact.ts'
import { isAlive } from '../../../facts/identity/members.ts'

/** Maximum rows of one query. */
export const MAX_ROWS = 256

export type OutcomeRow = {
  number: number
  id: string
  provider: string
  connection_id: string | null
  app_id: string | null
  occurred_at: Date
  recorded_at: Date
  /** As JSON. */
  data: string
  person_id: string
  contact: Partial<PersonContact> | null
}

/**
 * Outcomes in a range of event numbers, and the profile's last number. Numbers are unique and become visible in order, so
 * the range bounds the work, whatever plan is chosen. All parameters are passed as one JSON row and the inner limit is a
 * constant, so that PostgreSQL keeps one generic plan. Outcomes of erased people are left out: their identifiers belong
 * to no existing customer.
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
    /** True to include contacts. */
    open: boolean
  },
): Promise<{ lastNumber: number; rows: OutcomeRow[] }> {
  const { profileId, after, until, most, since, provider } = params
  const args = [{ after, until, most, since, outcome_type: params.outcomeType, provider }]
  const { rows } = await sql<OutcomeRow & { last_number: number }>`
    with args as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(args)}::jsonb)
        as a(after bigint, until bigint, most integer, since timestamptz, outcome_type text, provider text))
    select coalesce((select c.last_number from outbox_counters c where c.profile_id = ${profileId}), 0) as last_number,
      event.*
    from args
    left join lateral (
      select * from (
        select e.number, e.id, e.provider, e.connection_id, e.app_id, e.occurred_at, e.recorded_at,
          e.data::text as data, alive.id as person_id,
          ${params.open ? contactOf(profileId, sql.ref('alive.id')) : sql`null`} as contact
        from outbox_events e
        cross join lateral (
          select i.customer_id as id from identifiers i
          where i.profile_id = ${profileId} and i.id = e.customer_id
            and ${isAlive(profileId, sql.ref('i.customer_id'))} limit 1) as alive
        where e.profile_id = ${profileId} and e.number > args.after and e.number <= args.until
          and e.type = 'outcome.recorded' and coalesce(e.delivered_at, e.recorded_at) > args.since
          and (args.outcome_type is null or e.data->>'outcome_type' = args.outcome_type)
          and (args.provider is null or e.data->>'provider' = args.provider)
        order by e.number limit ${sql.lit(MAX_ROWS)}) as next
      order by next.number limit args.most) as event on true`.execute(db)
  const outcomes = rows.filter((row) => row.number !== null)
  return { lastNumber: rows[0]!.last_number, rows: outcomes.sort((a, b) => a.number - b.number) }
}
