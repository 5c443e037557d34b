/** Writes the difference that changed credits make to the daily rollups. */
import { levels, MODEL_COUNT, NO_ENTITY, type RollupRow } from '@whence/engine'
import { sql } from 'kysely'
import { dayAt } from '../../contract/dates.ts'
import type { Tx } from '../../db/database.ts'

export const NIL_ENTITY = '00000000-0000-0000-0000-000000000000'

export type OutcomeKind = { outcomeType: string; revenueType: string }
export type RollupDelta = {
  level: string
  entityId: string
  day: string
  outcomeType: string
  revenueType: string
  counts: number[]
  valueMinor: number[]
}

/** after − before, without the rows that did not change. */
export function rollupDeltas(
  before: Iterable<RollupRow>,
  after: Iterable<RollupRow>,
  kinds: readonly OutcomeKind[],
  entityIdAt: (index: number) => string,
): RollupDelta[] {
  const byKey = new Map<string, RollupDelta>()
  const add = (row: RollupRow, sign: 1 | -1) => {
    const key = `${row.level} ${row.entity} ${row.day} ${row.outcomeType}`
    const kind = kinds[row.outcomeType]!
    const delta = byKey.get(key) ?? {
      level: levels[row.level]!,
      entityId: row.entity === NO_ENTITY ? NIL_ENTITY : entityIdAt(row.entity),
      day: dayAt(row.day),
      ...kind,
      counts: new Array<number>(MODEL_COUNT).fill(0),
      valueMinor: new Array<number>(MODEL_COUNT).fill(0),
    }
    byKey.set(key, delta)
    for (let model = 0; model < MODEL_COUNT; model++) {
      delta.counts[model]! += sign * row.counts[model]!
      delta.valueMinor[model]! += sign * row.valueMinor[model]!
    }
  }
  for (const row of before) add(row, -1)
  for (const row of after) add(row, 1)
  const isZero = (value: number) => value === 0
  return [...byKey.values()].filter(
    (delta) => !(delta.counts.every(isZero) && delta.valueMinor.every(isZero)),
  )
}

export async function applyRollups(tx: Tx, profileId: string, deltas: readonly RollupDelta[]): Promise<void> {
  if (deltas.length === 0) return
  const count = (model: number) => deltas.map((delta) => delta.counts[model]!)
  const minor = (model: number) => deltas.map((delta) => delta.valueMinor[model]!)
  await sql`
    insert into credit_daily as r (profile_id, level, entity_id, day, outcome_type, revenue_type,
      last_touch_count, first_touch_count, linear_count, time_decay_count, last_non_direct_count,
      last_touch_minor, first_touch_minor, linear_minor, time_decay_minor, last_non_direct_minor)
    select ${profileId}::uuid, * from unnest(
      ${deltas.map((delta) => delta.level)}::text[], ${deltas.map((delta) => delta.entityId)}::uuid[],
      ${deltas.map((delta) => delta.day)}::date[], ${deltas.map((delta) => delta.outcomeType)}::text[],
      ${deltas.map((delta) => delta.revenueType)}::text[],
      ${count(0)}::bigint[], ${count(1)}::bigint[], ${count(2)}::bigint[], ${count(3)}::bigint[], ${count(4)}::bigint[],
      ${minor(0)}::bigint[], ${minor(1)}::bigint[], ${minor(2)}::bigint[], ${minor(3)}::bigint[], ${minor(4)}::bigint[])
    on conflict (profile_id, level, day, entity_id, outcome_type, revenue_type) do update set
      last_touch_count = r.last_touch_count + excluded.last_touch_count,
      first_touch_count = r.first_touch_count + excluded.first_touch_count,
      linear_count = r.linear_count + excluded.linear_count,
      time_decay_count = r.time_decay_count + excluded.time_decay_count,
      last_non_direct_count = r.last_non_direct_count + excluded.last_non_direct_count,
      last_touch_minor = r.last_touch_minor + excluded.last_touch_minor,
      first_touch_minor = r.first_touch_minor + excluded.first_touch_minor,
      linear_minor = r.linear_minor + excluded.linear_minor,
      time_decay_minor = r.time_decay_minor + excluded.time_decay_minor,
      last_non_direct_minor = r.last_non_direct_minor + excluded.last_non_direct_minor`.execute(tx)
  // A row that came to nothing goes, so that the table is what a full recompute would write.
  const shrunk = deltas.filter(
    (delta) => delta.counts.some((value) => value < 0) || delta.valueMinor.some((value) => value < 0),
  )
  if (shrunk.length === 0) return
  await sql`
    delete from credit_daily r using unnest(${shrunk.map((delta) => delta.level)}::text[], ${shrunk.map((delta) => delta.day)}::date[],
      ${shrunk.map((delta) => delta.entityId)}::uuid[], ${shrunk.map((delta) => delta.outcomeType)}::text[],
      ${shrunk.map((delta) => delta.revenueType)}::text[]) as s(level, day, entity_id, outcome_type, revenue_type)
    where r.profile_id = ${profileId} and r.level = s.level and r.day = s.day and r.entity_id = s.entity_id
      and r.outcome_type = s.outcome_type and r.revenue_type = s.revenue_type
      and r.last_touch_count = 0 and r.first_touch_count = 0 and r.linear_count = 0 and r.time_decay_count = 0
      and r.last_non_direct_count = 0 and r.last_touch_minor = 0 and r.first_touch_minor = 0 and r.linear_minor = 0
      and r.time_decay_minor = 0 and r.last_non_direct_minor = 0`.execute(tx)
}

export type TotalDelta = {
  day: string
  outcomeType: string
  revenueType: string
  conversions: number
  valueMinor: number
  fxMissing: number
}

export async function applyTotals(tx: Tx, profileId: string, parts: readonly TotalDelta[]): Promise<void> {
  const deltas = sumTotals(parts)
  if (deltas.length === 0) return
  await sql`
    insert into conversion_daily as d (profile_id, day, outcome_type, revenue_type, conversions, value_minor, fx_missing)
    select ${profileId}::uuid, * from unnest(${deltas.map((delta) => delta.day)}::date[],
      ${deltas.map((delta) => delta.outcomeType)}::text[], ${deltas.map((delta) => delta.revenueType)}::text[],
      ${deltas.map((delta) => delta.conversions)}::bigint[], ${deltas.map((delta) => delta.valueMinor)}::bigint[],
      ${deltas.map((delta) => delta.fxMissing)}::bigint[])
    on conflict (profile_id, day, outcome_type, revenue_type) do update set
      conversions = d.conversions + excluded.conversions, value_minor = d.value_minor + excluded.value_minor,
      fx_missing = d.fx_missing + excluded.fx_missing`.execute(tx)
  await sql`
    delete from conversion_daily where profile_id = ${profileId} and day = any(${deltas.map((delta) => delta.day)}::date[])
      and conversions = 0 and value_minor = 0 and fx_missing = 0`.execute(tx)
}

export function sumTotals(parts: readonly TotalDelta[]): TotalDelta[] {
  const byKey = new Map<string, TotalDelta>()
  for (const part of parts) {
    const key = `${part.day} ${part.outcomeType} ${part.revenueType}`
    const sum = byKey.get(key)
    if (sum === undefined) {
      byKey.set(key, { ...part })
      continue
    }
    sum.conversions += part.conversions
    sum.valueMinor += part.valueMinor
    sum.fxMissing += part.fxMissing
  }
  return [...byKey.values()].filter(
    (sum) => sum.conversions !== 0 || sum.valueMinor !== 0 || sum.fxMissing !== 0,
  )
}
