import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import { type DateRange, dayAt, dayNumber } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'
import { pathBytes } from '../../attribution/credits/packed.ts'

export type CreditedRow = {
  conversion_id: string
  day: string
  packed: Buffer
  event_id: string
  outcome_type: string
  occurred_at: Date
  value_minor: number | null
  currency: string | null
}

export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const PAST_LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function pathsOfEntity(
  db: Db | Tx,
  params: { profileId: string; entityId: string },
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from ad_paths where profile_id = ${params.profileId}
      and (campaign_id = ${params.entityId} or ad_set_id = ${params.entityId} or ad_id = ${params.entityId})`.execute(
    db,
  )
  return rows.map((row) => row.number)
}

/** How many conversions of the day the model credited to the entity, of how many in all. */
export type CreditedDay = { day: string; conversions: number; total: number }

/** The days on which the model credited the entity, newest first. */
export async function creditedDays(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; entityId: string; model: Model; range: DateRange },
): Promise<CreditedDay[]> {
  const { profileId, range } = params
  const count = sql.ref(`${params.model}_count`)
  // One by one the days are found by the key, which a range would read through all other entities.
  const days = daysOf(range)
  const { rows } = await sql<CreditedDay>`
    select own.day, own.conversions, every.total
    from (
      select day, sum(${count})::bigint as conversions from credit_daily
      where profile_id = ${profileId} and level = ${params.level} and entity_id = ${params.entityId}
        and day = any(${days}::date[]) and ${count} <> 0
      group by day) own
    join (
      select day, sum(conversions)::bigint as total from conversion_daily
      where profile_id = ${profileId} and day = any(${days}::date[])
      group by day) every on every.day = own.day
    order by own.day desc`.execute(db)
  return rows
}

/** So many of a day's conversions, newest id first, beginning below an id. */
export type Slice = { day: string; below: string; most: number }
/** Where a slice ends: its lowest id, or null where the day has no more. */
export type Ended = Slice & { last: string | null }

export async function endSlices<T extends Slice>(
  db: Db | Tx,
  params: { profileId: string; slices: readonly T[] },
): Promise<(T & Ended)[]> {
  const { profileId, slices } = params
  const { rows } = await sql<{ last: string | null }>`
    select (
      select id from conversions
      where profile_id = ${profileId} and day = s.day and attribution_eligible and id < s.below
      order by id desc offset s.most - 1 limit 1) as last
    from unnest(${slices.map(({ day }) => day)}::date[], ${slices.map(({ below }) => below)}::uuid[],
      ${slices.map(({ most }) => most)}::integer[]) with ordinality as s(day, below, most, n)
    order by s.n`.execute(db)
  return slices.map((slice, index) => ({ ...slice, last: rows[index]!.last }))
}

/** A packed credit begins with its kind, day, amount and number of refunds, which are no path's however they look. */
const FIRST_PATH_AT = 9
/** Looking for many paths takes longer than looking at the credit. */
const MAX_PATHS_SOUGHT = 32

/**
 * Conversions of the slices whose packed credit has a path's bytes in it: all that name one of the paths, and a few
 * where the bytes mean something else. The caller reads what was credited, and by which model.
 */
export async function creditedConversions(
  db: Db | Tx,
  params: { profileId: string; slices: readonly Ended[]; paths: readonly number[] },
): Promise<CreditedRow[]> {
  const { profileId, slices, paths } = params
  const sought = sql.join(
    paths.map((path) => sql`position(${pathBytes(path)}::bytea in substr(c.packed, ${FIRST_PATH_AT})) > 0`),
    sql` or `,
  )
  const { rows } = await sql<CreditedRow>`
    select c.conversion_id, v.day, c.packed, v.event_id, v.outcome_type, v.occurred_at, v.value_minor, v.currency
    from unnest(${slices.map(({ day }) => day)}::date[], ${slices.map(({ below }) => below)}::uuid[],
      ${slices.map(({ last }) => last ?? FIRST_ID)}::uuid[]) as s(day, below, last)
    join conversions v on v.profile_id = ${profileId} and v.day = s.day and v.attribution_eligible
      and v.id < s.below and v.id >= s.last
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    where ${paths.length > MAX_PATHS_SOUGHT ? sql`true` : sql`(${sought})`}
    order by v.day desc, v.id desc`.execute(db)
  return rows
}

function daysOf(range: DateRange): string[] {
  const first = dayNumber(range.from)
  return Array.from({ length: dayNumber(range.to) - first + 1 }, (_, index) => dayAt(first + index))
}
