/**
 * Rollups as of an earlier time: current rows less the restatements recorded since. Each image has the columns and rows
 * of its table at that time, so queries can use it in place of the table.
 */
import { type RawBuilder, sql } from 'kysely'
import { measureColumns } from '../../attribution/crediting/credits/rollups.ts'
import { NAMED_AD } from '../../attribution/crediting/touches.ts'
import { nullableMeasures } from '../../facts/ads/delivery-changes.ts'
import { versionColumns } from '../../facts/ads/save-versions.ts'
import { restatedRows } from '../../facts/restatements/queries.ts'

/** `asOf` undefined: now. */
export type AsOf = { profileId: string; asOf?: Date | undefined }

type Image = {
  rollup: 'credit' | 'held' | 'platform' | 'total' | 'uncredited' | 'click'
  table:
    | 'credit_daily'
    | 'held_daily'
    | 'platform_daily'
    | 'conversion_daily'
    | 'uncredited_daily'
    | 'paid_touch_daily'
  /** Key columns of the table, each with its SQL expression over the ledger row. */
  keys: Record<string, string>
  /** Columns in the order of the ledger's `measures` array. */
  measures: readonly string[]
}

const totalColumns = ['conversions', 'value_minor', 'fx_missing']
const kinds = { outcome_type: 'outcome_type', revenue_type: 'revenue_type' }

/** Rows of other rollups have no uuid in `entity`, and the planner may evaluate the cast before the filter on `rollup`. */
const entityOf = (name: string) => `case when rollup = '${name}' then entity::uuid end`

/** The rollup's table, or its image. */
function rollup({ rollup: name, table, keys, measures }: Image, { profileId, asOf }: AsOf) {
  if (asOf === undefined) return sql.table(table)
  const columns = sql.join(['profile_id', ...Object.keys(keys), ...measures].map((column) => sql.ref(column)))
  const keyColumns = sql.join(['profile_id', ...Object.keys(keys)].map((column) => sql.ref(column)))
  const sums = sql.join(measures.map((column) => sql`sum(${sql.ref(column)})::bigint as ${sql.ref(column)}`))
  const isNonZero = sql.join(
    measures.map((column) => sql`sum(${sql.ref(column)}) <> 0`),
    sql` or `,
  )
  return sql`(
    select ${keyColumns}, ${sums} from (
      select ${columns} from ${sql.table(table)} where profile_id = ${profileId}
      union all
      select profile_id, ${sql.raw(Object.values(keys).join(', '))}, ${sql.raw(measures.map((_, at) => `-measures[${at + 1}]`).join(', '))}
      from ${restatedRows(profileId)}
      where profile_id = ${profileId} and recorded_at > ${asOf}::timestamptz and rollup = ${sql.lit(name)}) as changed
    group by ${keyColumns} having ${isNonZero}) as ${sql.ref(table)}`
}

export function creditDaily(at: AsOf): RawBuilder<unknown> {
  const keys = { level: 'level', entity_id: entityOf('credit'), day: 'day', ...kinds }
  return rollup({ rollup: 'credit', table: 'credit_daily', keys, measures: measureColumns }, at)
}

export function heldDaily(at: AsOf): RawBuilder<unknown> {
  const keys = { level: 'level', holder: 'entity', day: 'day', ...kinds }
  return rollup({ rollup: 'held', table: 'held_daily', keys, measures: measureColumns }, at)
}

export function platformDaily(at: AsOf): RawBuilder<unknown> {
  const keys = { level: 'level', platform: 'entity', day: 'day', ...kinds }
  return rollup({ rollup: 'platform', table: 'platform_daily', keys, measures: ['conversions'] }, at)
}

export function conversionDaily(at: AsOf): RawBuilder<unknown> {
  const keys = { day: 'day', ...kinds }
  return rollup({ rollup: 'total', table: 'conversion_daily', keys, measures: totalColumns }, at)
}

export function uncreditedDaily(at: AsOf): RawBuilder<unknown> {
  const keys = { reason: 'entity', day: 'day', ...kinds }
  return rollup({ rollup: 'uncredited', table: 'uncredited_daily', keys, measures: totalColumns }, at)
}

export function paidTouchDaily(at: AsOf): RawBuilder<unknown> {
  const keys = { platform: 'entity', day: 'day', named_ad: `level = '${NAMED_AD}'` }
  return rollup({ rollup: 'click', table: 'paid_touch_daily', keys, measures: ['touches'] }, at)
}

/** A nullable measure is not null if any of the summed rows has a value (`delivery-changes.ts`). */
export function deliveryDaily({ profileId, asOf }: AsOf): RawBuilder<unknown> {
  if (asOf === undefined) return sql.table('delivery_daily')
  const stored = sql.raw(
    nullableMeasures.map((name) => `coalesce(${name}, 0), num_nonnulls(${name})`).join(', '),
  )
  const count = 3 + 2 * nullableMeasures.length
  const restated = sql.raw(Array.from({ length: count }, (_, at) => `-measures[${at + 1}]`).join(', '))
  const names = [
    'stored',
    'spend_minor',
    'fx_missing',
    ...nullableMeasures.flatMap((name) => [name, `${name}_known`]),
  ]
  const sums = sql.raw(
    nullableMeasures
      .map((name) => `case when sum(${name}_known) > 0 then sum(${name})::bigint end as ${name}`)
      .join(', '),
  )
  return sql`(
    select profile_id, level, entity_id, day, source, sum(spend_minor)::bigint as spend_minor,
      sum(fx_missing)::bigint as fx_missing, ${sums}
    from (
      select profile_id, level, entity_id, day, source, 1, spend_minor, fx_missing, ${stored}
      from delivery_daily where profile_id = ${profileId}
      union all
      select profile_id, level, ${sql.raw(entityOf('delivery'))}, day, revenue_type, ${restated}
      from ${restatedRows(profileId)}
      where profile_id = ${profileId} and recorded_at > ${asOf}::timestamptz and rollup = 'delivery')
      as changed(profile_id, level, entity_id, day, source, ${sql.raw(names.join(', '))})
    group by profile_id, level, entity_id, day, source having sum(stored) > 0) as delivery_daily`
}

/** Ad entities with the columns that reports show. An entity created after `asOf` has no figures at that time. */
export function adEntities({ profileId, asOf }: AsOf, alias: string): RawBuilder<unknown> {
  if (asOf === undefined) return sql`ad_entities as ${sql.ref(alias)}`
  const columns = sql.raw(
    versionColumns
      .map((name) => `case when v.entity_id is null then e.${name} else v.${name} end as ${name}`)
      .join(', '),
  )
  return sql`(
    select e.profile_id, e.id, e.level, e.external_id, ${columns}
    from ad_entities e
    left join lateral (
      select * from ad_entity_versions
      where profile_id = ${profileId} and entity_id = e.id and replaced_at > ${asOf}::timestamptz
      order by replaced_at limit 1) v on true
    where e.profile_id = ${profileId}) as ${sql.ref(alias)}`
}
