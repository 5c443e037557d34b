/** Sources of credit without a campaign: paths without one, unknown payers, and sales not eligible for attribution. */
import type { Model } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { WholeReason } from '../../attribution/crediting/credits/unattributed-reasons.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { UNKNOWN_KIND } from '../../facts/identity/members.ts'
import type { CreditRow } from '../definitions/definitions.ts'
import { isOutcome } from './credit-by-entity.ts'
import { type CreditedDay, type CreditedRow, creditedColumns, type Position } from './credited-conversions.ts'
import { type AsOf, uncreditedDaily } from './tables.ts'

export type PathWithoutCampaign = { number: number; source: string | null; names_ad: boolean }

export async function pathsWithoutCampaign(
  db: Db | Tx,
  params: { profileId: string },
): Promise<PathWithoutCampaign[]> {
  const { rows } = await sql<PathWithoutCampaign>`
    select number, source, (ad_set_id is not null or ad_id is not null) as names_ad from ad_paths
    where profile_id = ${params.profileId} and campaign_id is null`.execute(db)
  return rows
}

/** Days on which the model credited these holders, newest first. */
export async function heldDays(
  db: Db | Tx,
  params: {
    profileId: string
    level: AdLevel
    holders: readonly string[]
    model: Model
    range: DateRange
  },
): Promise<CreditedDay[]> {
  const { profileId, range } = params
  const count = sql.ref(`${params.model}_count`)
  const { rows } = await sql<CreditedDay>`
    select credited.day, credited.conversions, every.total
    from (
      select day, sum(${count})::bigint as conversions from held_daily
      where profile_id = ${profileId} and level = ${params.level} and holder = any(${params.holders}::text[])
        and day between ${range.from}::date and ${range.to}::date and ${count} <> 0 and ${isOutcome}
      group by day) credited
    join (
      select day, sum(conversions)::bigint as total from conversion_daily
      where profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date
      group by day) every on every.day = credited.day
    order by credited.day desc`.execute(db)
  return rows
}

/**
 * SQL condition on conversions `v`: the customer has no identifier from an event (index `identifiers_unknown`). The
 * stored credit decides whether the payer is unknown: a touch or an assigned payment may have identified the customer.
 */
export function mayHaveUnknownPayer(profileId: string): RawBuilder<unknown> {
  return sql`
    v.attribution_eligible and exists (
      select 1 from identifiers u where u.profile_id = ${profileId} and u.id = v.identifier_id
        and u.kind = ${sql.lit(UNKNOWN_KIND)} and u.customer_id = u.id)`
}

/** SQL condition on conversions `v`: cash of a goal excluded from attribution (index `conversions_uncredited`). */
export const isNotCreditable = sql`
  not v.attribution_eligible and v.revenue_type = 'cash' and v.duplicate_of is null and not v.unconfirmed`

export type WholeSum = Pick<
  CreditRow,
  'outcome_type' | 'revenue_type' | 'conversions' | 'value_minor' | 'unrated'
> & { reason: WholeReason }

/** Sums of conversions that no visit can be credited with, and of their refunds. */
export async function uncreditedSums(db: Db | Tx, params: AsOf & { range: DateRange }): Promise<WholeSum[]> {
  const { profileId, range } = params
  const { rows } = await sql<WholeSum>`
    select reason, outcome_type, revenue_type, sum(conversions)::bigint as conversions,
      sum(value_minor)::bigint as value_minor, sum(fx_missing)::bigint as unrated
    from ${uncreditedDaily(params)}
    where profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date
    group by reason, outcome_type, revenue_type order by reason, outcome_type, revenue_type`.execute(db)
  return rows
}

/** Conversions of the range that match a selective condition, newest first, starting below a position. */
export async function conversionsWhere(
  db: Db | Tx,
  params: {
    profileId: string
    range: DateRange
    which: RawBuilder<unknown>
    below: Position
    limit: number
  },
): Promise<CreditedRow[]> {
  const { profileId, range, below } = params
  const { rows } = await sql<CreditedRow>`
    select ${creditedColumns}
    from conversions v
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    where v.profile_id = ${profileId} and v.day between ${range.from}::date and ${range.to}::date
      and (v.day, v.occurred_at, v.id) < (${below.day}::date, ${below.at}::timestamptz, ${below.id}::uuid)
      and ${params.which}
    order by v.day desc, v.occurred_at desc, v.id desc limit ${params.limit}`.execute(db)
  return rows
}
