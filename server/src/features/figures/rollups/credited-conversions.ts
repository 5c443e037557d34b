import type { Model } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import { type DateRange, dayAt, dayNumber } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { readColumns } from '../../../platform/db/read-columns.ts'
import { mayContainPath } from '../../attribution/crediting/credits/packed.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { isOutcome } from './credit-by-entity.ts'

export type CreditedRow = {
  conversion_id: string
  day: string
  packed: Buffer
  event_id: string
  outcome_type: string
  revenue_type: string
  occurred_at: Date
  value_minor: number | null
  currency: string | null
  report_value_minor: number | null
}

/** A position in the list, newest first; `at` may be PostgreSQL's `infinity` or `-infinity`. */
export type Position = { day: string; at: string; id: string }
export type Instant = Pick<Position, 'at' | 'id'>

export const AFTER_ALL: Instant = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
export const BEFORE_ALL: Instant = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

export async function pathsOfEntity(
  db: Db | Tx,
  params: { profileId: string; entityId: string },
): Promise<number[]> {
  const rows = await readColumns(
    db,
    ['number'],
    sql<{ number: number }>`
    select number from ad_paths where profile_id = ${params.profileId}
      and (campaign_id = ${params.entityId} or ad_set_id = ${params.entityId} or ad_id = ${params.entityId})`,
  )
  return rows.map((row) => row.number)
}

/** Conversions of the day that the model credited to the entity, and all conversions of the day. */
export type CreditedDay = { day: string; conversions: number; total: number }

/** Days on which the model credited the entity, newest first. */
export async function creditedDays(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; entityId: string; model: Model; range: DateRange },
): Promise<CreditedDay[]> {
  const { profileId, range } = params
  const count = sql.ref(`${params.model}_count`)
  // An array of days uses the index key for each day; a range would scan the rows of all other entities.
  const days = daysOf(range)
  return readColumns(
    db,
    ['day', 'conversions', 'total'],
    sql<CreditedDay>`
    select credited.day, credited.conversions, every.total
    from (
      select day, sum(${count})::bigint as conversions from credit_daily
      where profile_id = ${profileId} and level = ${params.level} and entity_id = ${params.entityId}
        and day = any(${days}::date[]) and ${count} <> 0 and ${isOutcome}
      group by day) credited
    join (
      select day, sum(conversions)::bigint as total from conversion_daily
      where profile_id = ${profileId} and day = any(${days}::date[])
      group by day) every on every.day = credited.day
    order by credited.day desc`,
  )
}

/** At most `most` of a day's conversions, newest first, starting below an instant. */
export type Slice = { day: string; below: Instant; most: number }
/** `last`: the slice's oldest conversion, or null if the slice reaches the end of the day. */
export type SliceWithEnd = Slice & { last: Instant | null }

export async function findSliceEnds<T extends Slice>(
  db: Db | Tx,
  params: { profileId: string; slices: readonly T[] },
): Promise<(T & SliceWithEnd)[]> {
  const { profileId, slices } = params
  const { rows } = await sql<{ at: Date | null; id: string | null }>`
    select e.occurred_at as at, e.id
    from unnest(${slices.map(({ day }) => day)}::date[], ${slices.map(({ below }) => below.at)}::timestamptz[],
      ${slices.map(({ below }) => below.id)}::uuid[], ${slices.map(({ most }) => most)}::integer[])
      with ordinality as s(day, at, id, most, n)
    left join lateral (
      select v.occurred_at, v.id from conversions v
      where v.profile_id = ${profileId} and v.day = s.day and v.attribution_eligible and (v.occurred_at, v.id) < (s.at, s.id)
      order by v.occurred_at desc, v.id desc offset s.most - 1 limit 1) e on true
    order by s.n`.execute(db)
  return slices.map((slice, index) => {
    const { at, id } = rows[index]!
    return { ...slice, last: at === null || id === null ? null : { at: at.toISOString(), id } }
  })
}

/** The columns of a `CreditedRow`. */
export const creditedColumns = sql`
  v.id as conversion_id, v.day, c.packed, v.event_id, v.outcome_type, v.revenue_type, v.occurred_at, v.value_minor,
  v.currency, v.report_value_minor`

/** With more paths, the prefilter costs more than unpacking the credits. */
const MAX_PREFILTER_PATHS = 32

/** SQL condition on conversions `v` and credits `c`: eligible conversions whose credit may name one of the paths. */
export function mayCreditPaths(paths: readonly number[]): RawBuilder<unknown> {
  const pathCondition = paths.length > MAX_PREFILTER_PATHS ? sql`true` : mayContainPath(sql`c.packed`, paths)
  return sql`v.attribution_eligible and ${pathCondition}`
}

/** SQL condition on conversions `v`: eligible for attribution. */
export const isEligible: RawBuilder<unknown> = sql`v.attribution_eligible`

/**
 * Conversions of the slices that match the condition; the caller checks their credit under its model. Credits are
 * looked up by one sorted list of ids: ids of a day are adjacent, and since PostgreSQL 17 the index is not descended
 * for each. Conversion rows that the prefilter rejects, usually most of a day, are not read.
 */
export async function creditedConversions(
  db: Db | Tx,
  params: { profileId: string; slices: readonly SliceWithEnd[]; which: RawBuilder<unknown> },
): Promise<CreditedRow[]> {
  const { profileId, which } = params
  // Ids start with the time of receipt, so with the oldest day first they are nearly sorted.
  const slices = params.slices.toReversed()
  const last = slices.map((slice) => slice.last ?? BEFORE_ALL)
  const { rows } = await sql<CreditedRow>`
    select ${creditedColumns}
    from credits c
    join conversions v on v.profile_id = ${profileId} and v.id = c.conversion_id
    where c.profile_id = ${profileId} and c.conversion_id = any(array(
        select candidate.id
        from unnest(${slices.map(({ day }) => day)}::date[], ${slices.map(({ below }) => below.at)}::timestamptz[],
          ${slices.map(({ below }) => below.id)}::uuid[], ${last.map(({ at }) => at)}::timestamptz[],
          ${last.map(({ id }) => id)}::uuid[]) as s(day, below_at, below_id, last_at, last_id)
        join conversions candidate on candidate.profile_id = ${profileId} and candidate.day = s.day and candidate.attribution_eligible
          and (candidate.occurred_at, candidate.id) < (s.below_at, s.below_id) and (candidate.occurred_at, candidate.id) >= (s.last_at, s.last_id)))
      and ${which}
    order by v.day desc, v.occurred_at desc, v.id desc`.execute(db)
  return rows
}

export type RefundFacts = {
  refund_id: string
  refund_day: string
  refunded_at: Date
  refund_minor: number
  refund_currency: string
  report_refund_minor: number | null
}
/** `credited` is null if the refund's conversion does not match the condition. */
export type RefundedRow = RefundFacts & { credited: CreditedRow | null }

/** Refunds of the range, newest first, starting below a position, each with its conversion. */
export async function creditedRefunds(
  db: Db | Tx,
  params: { profileId: string; range: DateRange; below: Position; most: number; which: RawBuilder<unknown> },
): Promise<RefundedRow[]> {
  const { profileId, range, below, which } = params
  const { rows } = await sql<RefundFacts & { [Name in keyof CreditedRow]: CreditedRow[Name] | null }>`
    select r.id as refund_id, r.day as refund_day, r.occurred_at as refunded_at, r.amount_minor as refund_minor,
      r.currency as refund_currency, r.report_amount_minor as report_refund_minor, f.*
    from (
      select * from refunds
      where profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date
        and (day, occurred_at, id) < (${below.day}::date, ${below.at}::timestamptz, ${below.id}::uuid)
      order by day desc, occurred_at desc, id desc limit ${params.most}) r
    left join lateral (
      select ${creditedColumns}
      from payments p
      join conversions v on v.profile_id = ${profileId} and v.recorded_at = p.recorded_at and v.event_id = p.event_id
        and v.revenue_type = 'cash'
      join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
      where p.profile_id = ${profileId} and p.id = r.payment_id and ${which}) f on true
    order by r.day desc, r.occurred_at desc, r.id desc`.execute(db)
  return rows.map((row) => {
    const {
      refund_id,
      refund_day,
      refunded_at,
      refund_minor,
      refund_currency,
      report_refund_minor,
      ...conversion
    } = row
    return {
      refund_id,
      refund_day,
      refunded_at,
      refund_minor,
      refund_currency,
      report_refund_minor,
      credited: conversion.conversion_id === null ? null : (conversion as CreditedRow),
    }
  })
}

function daysOf(range: DateRange): string[] {
  const first = dayNumber(range.from)
  return Array.from({ length: dayNumber(range.to) - first + 1 }, (_, index) => dayAt(first + index))
}
