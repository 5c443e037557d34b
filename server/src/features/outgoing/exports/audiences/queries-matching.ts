/** Finds the customers who match the filter of an audience. */
import { identifierKinds } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { COUNTED } from '../../../attribution/crediting/incremental/journeys.ts'
import { isAlive } from '../../../facts/identity/members.ts'

export type Matching = {
  profileId: string
  range: DateRange
  outcomeType: string | null
  minMinor: number | null
  maxMinor: number | null
  noneSince: boolean
}

/** Uses the same rules as reports. Each arm of the union uses an index by day. */
export async function listMatchingCustomers(
  db: Db | Tx,
  { profileId, range, ...params }: Matching & { limit: number },
): Promise<string[]> {
  const columns = sql`identifier_id, outcome_type, event_id,
    case when revenue_type = 'cash' and duplicate_of is null and not unconfirmed then report_value_minor end as cash_minor`
  const inRange = sql`profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date`
  const { rows } = await sql<{ customer_id: string }>`
    with matching as (
      select ${columns} from conversions where ${inRange} and attribution_eligible
      union all
      select ${columns} from conversions where ${inRange} and not attribution_eligible and ${sql.raw(COUNTED)}),
    sums as (
      select i.customer_id, bool_or(matching.outcome_type = ${params.outcomeType}::text) as has_outcome,
        coalesce(sum(matching.cash_minor), 0) - coalesce(sum(r.minor), 0) as revenue_minor
      from matching
      join identifiers i on i.profile_id = ${profileId} and i.id = matching.identifier_id
      left join lateral (
        select sum(report_amount_minor) as minor from refunds
        where profile_id = ${profileId} and payment_id = matching.event_id and matching.cash_minor is not null) as r on true
      group by i.customer_id)
    select sums.customer_id from sums
    join identifiers k on k.profile_id = ${profileId} and k.id = sums.customer_id
    where k.kind < ${identifierKinds.length} and ${isAlive(profileId, sql.ref('sums.customer_id'))}
      and (${params.outcomeType}::text is null or sums.has_outcome)
      and (${params.minMinor}::bigint is null or sums.revenue_minor >= ${params.minMinor}::bigint)
      and (${params.maxMinor}::bigint is null or sums.revenue_minor <= ${params.maxMinor}::bigint)
      and not (${params.noneSince}::boolean and exists (
        select 1 from identifiers member
        join conversions later on later.profile_id = ${profileId} and later.identifier_id = member.id
          and later.day > ${range.to}::date and ${sql.raw(COUNTED)}
        where member.profile_id = ${profileId} and member.customer_id = sums.customer_id))
    order by sums.customer_id limit ${params.limit}`.execute(db)
  return rows.map((row) => row.customer_id)
}
