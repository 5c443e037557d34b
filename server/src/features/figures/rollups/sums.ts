/**
 * One description for every sum of the daily rollups: measures, by dimensions, of the rows that match. It becomes one
 * statement over the tables that the measures need, so no reader writes its own.
 */
import type { Model } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { isCash, isOutcome, isUnrated, modelColumns } from './credit-by-entity.ts'
import { conversionDaily, creditDaily, deliveryDaily } from './tables.ts'

type Table = 'delivery' | 'conversions' | 'credit'
type Columns = Record<'count' | 'minor', RawBuilder<unknown>>
type Definition = {
  table: Table
  value: (columns: Columns) => RawBuilder<unknown>
  /** Rows that count; all if absent. */
  rows?: RawBuilder<boolean>
  /** `sum` is 0 without rows, the others are null. */
  fold?: 'sum' | 'known_sum' | 'min' | 'max'
}

const ref = (name: string) => () => sql.ref(name)
const isSpend = sql<boolean>`spend_minor > 0`
const isCashTotal = sql<boolean>`revenue_type = 'cash'`
const countsOutcomes = sql<boolean>`conversions > 0`
const ofCount = ({ count }: Columns) => count

/** `unrated` counts facts without an exchange rate, which add no money. Credited: to an entity, under the model. */
const definitions = {
  spend_minor: { table: 'delivery', value: ref('spend_minor') },
  spend_unrated: { table: 'delivery', value: ref('fx_missing') },
  impressions: { table: 'delivery', value: ref('impressions') },
  clicks: { table: 'delivery', value: ref('clicks') },
  /** As counted by the platforms; null if none reported it. */
  messaging_started: { table: 'delivery', value: ref('messaging_started_7d'), fold: 'known_sum' },
  first_delivery_day: { table: 'delivery', value: ref('day'), fold: 'min' },
  last_delivery_day: { table: 'delivery', value: ref('day'), fold: 'max' },
  first_spend_day: { table: 'delivery', value: ref('day'), rows: isSpend, fold: 'min' },
  last_spend_day: { table: 'delivery', value: ref('day'), rows: isSpend, fold: 'max' },
  cash_minor: { table: 'conversions', value: ref('value_minor'), rows: isCashTotal },
  cash_unrated: { table: 'conversions', value: ref('fx_missing'), rows: isCashTotal },
  payments: { table: 'conversions', value: ref('conversions'), rows: isCashTotal },
  conversions: { table: 'conversions', value: ref('conversions') },
  value_minor: { table: 'conversions', value: ref('value_minor') },
  value_unrated: { table: 'conversions', value: ref('fx_missing') },
  last_conversion_day: { table: 'conversions', value: ref('day'), rows: countsOutcomes, fold: 'max' },
  credited_minor: { table: 'credit', value: ({ minor }) => minor, rows: isCash },
  credited_unrated: {
    table: 'credit',
    value: ({ count }) => sql`case when ${isUnrated} then ${count} else 0 end`,
    rows: isCash,
  },
  credited_payments: {
    table: 'credit',
    value: ({ count }) => sql`case when ${isOutcome} then ${count} else 0 end`,
    rows: isCash,
  },
  credited_leads: { table: 'credit', value: ofCount, rows: sql<boolean>`outcome_type = 'lead_created'` },
  credited_messages: { table: 'credit', value: ofCount, rows: sql<boolean>`outcome_type = 'dm_started'` },
  credited_pipeline: { table: 'credit', value: ofCount, rows: sql<boolean>`revenue_type = 'pipeline'` },
  credited_conversions: { table: 'credit', value: ofCount, rows: isOutcome },
} satisfies Record<string, Definition>

export type Measure = keyof typeof definitions
/** A measure over a part of the range. */
export type PartialMeasure = { of: Measure; from?: string; to?: string }
type Measures = readonly Measure[] | Readonly<Record<string, Measure | PartialMeasure>>

/** `outcome_type` and `revenue_type`: of the totals only; `source`: of delivery only. */
export type Dimension = 'profile_id' | 'source' | 'entity_id' | 'day' | 'outcome_type' | 'revenue_type'

export type SumsQuery<M extends Measures = Measures, D extends Dimension = Dimension> = {
  profileId: string | readonly string[]
  measures: M
  by: readonly D[]
  from?: string | Date
  to?: string
  /** Of delivery and credit. */
  level?: AdLevel
  /** Ids, or SQL that selects them. Totals of conversions have no entity. */
  entities?: readonly string[] | RawBuilder<unknown> | undefined
  /** Adds the credit without an entity, under the nil id. */
  withUnassigned?: boolean
  model?: Model
  asOf?: Date | undefined
}

type NullableMeasure = {
  [Name in Measure]: (typeof definitions)[Name] extends { fold: infer F }
    ? F extends 'sum'
      ? never
      : Name
    : never
}[Measure]
type DayMeasure = Extract<NullableMeasure, `${string}_day`>
type ValueOf<M> = M extends PartialMeasure
  ? ValueOf<M['of']>
  : M extends DayMeasure
    ? string | null
    : M extends NullableMeasure
      ? number | null
      : number
type MeasuresOf<M extends Measures> = M extends readonly (infer Name extends Measure)[]
  ? { [N in Name]: ValueOf<N> }
  : { [N in keyof M]: ValueOf<M[N]> }
export type SumsRow<M extends Measures, D extends Dimension> = MeasuresOf<M> & {
  [Name in D]: Name extends 'source' ? string | null : string
}

type Column = Definition & { name: string; within: RawBuilder<boolean> | undefined }

/** SQL of a query with one row per combination of the dimensions: for readers that join names or settings. */
export function sumsOf<const M extends Measures, D extends Dimension>(
  query: SumsQuery<M, D>,
): RawBuilder<SumsRow<M, D>> {
  const columns = columnsOf(query.measures)
  const tables = [...new Set(columns.map(({ table }) => table))]
  const dimensions = query.by.map((name) => sql.ref(name))
  const parts = tables.map((table) => {
    const rows = rowsIn(table, columns)
    const values = columns.map((column) =>
      valueIn(table, column, rows.length === 1 ? rows[0] : undefined, query),
    )
    const which = [
      ...conditionsOf(table, query),
      ...(rows.length === 0 ? [] : [sql`(${sql.join(rows, sql` or `)})`]),
    ]
    return sql`
    select ${sql.join([...dimensions, ...values])} from ${tableOf(table, query)} where ${sql.join(which, sql` and `)}`
  })
  const grouping = dimensions.length === 0 ? sql`` : sql`group by ${sql.join(dimensions)}`
  return sql`
    select ${sql.join([...dimensions, ...columns.map(foldOf)])}
    from (${sql.join(parts, sql` union all `)}) as facts ${grouping}`
}

/** Rows in the order of the dimensions. */
export async function readSums<const M extends Measures, D extends Dimension>(
  db: Db | Tx,
  query: SumsQuery<M, D>,
): Promise<SumsRow<M, D>[]> {
  const order =
    query.by.length === 0 ? sql`` : sql`order by ${sql.join(query.by.map((name) => sql.ref(name)))}`
  const { rows } = await sql<SumsRow<M, D>>`${sumsOf(query)} ${order}`.execute(db)
  return rows
}

function columnsOf(measures: Measures): Column[] {
  const named = Array.isArray(measures)
    ? (measures as Measure[]).map((name) => [name, name] as const)
    : Object.entries(measures as Record<string, Measure | PartialMeasure>)
  return named.map(([name, measure]) => {
    const { of, from, to }: PartialMeasure = typeof measure === 'string' ? { of: measure } : measure
    return { ...definitions[of], name, within: from || to ? inDays(from, to) : undefined }
  })
}

function inDays(from: string | Date | undefined, to: string | undefined): RawBuilder<boolean> {
  if (to === undefined) return sql`day >= ${from}::date`
  return from === undefined ? sql`day <= ${to}::date` : sql`day between ${from}::date and ${to}::date`
}

function valueIn(
  table: Table,
  column: Column,
  common: RawBuilder<boolean> | undefined,
  query: SumsQuery,
): RawBuilder<unknown> {
  const name = sql.ref(column.name)
  if (column.table !== table) return sql`${zeroOf(column)} as ${name}`
  const value = column.value(modelColumns(query.model ?? 'last_touch'))
  const condition = [common === column.rows ? undefined : column.rows, column.within].filter(
    (part) => part !== undefined,
  )
  if (condition.length === 0) return sql`${value} as ${name}`
  return sql`case when ${sql.join(condition, sql` and `)} then ${value} end as ${name}`
}

const zeroOf = (column: Column) =>
  isDay(column) ? sql`null::date` : isSum(column) ? sql`0` : sql`null::bigint`
const isSum = ({ fold = 'sum' }: Column) => fold === 'sum'
const isDay = ({ fold }: Column) => fold === 'min' || fold === 'max'

function foldOf(column: Column): RawBuilder<unknown> {
  const name = sql.ref(column.name)
  if (isDay(column)) return sql`${sql.raw(column.fold!)}(${name}) as ${name}`
  return isSum(column)
    ? sql`coalesce(sum(${name}), 0)::bigint as ${name}`
    : sql`sum(${name})::bigint as ${name}`
}

function tableOf(table: Table, { profileId, asOf }: SumsQuery): RawBuilder<unknown> {
  if (asOf !== undefined && typeof profileId !== 'string')
    throw new Error('Past sums are read for one profile.')
  const at = { profileId: profileId as string, asOf }
  return { delivery: deliveryDaily, conversions: conversionDaily, credit: creditDaily }[table](at)
}

/** The rows that some measure of the table counts; none if one counts all rows. */
function rowsIn(table: Table, columns: readonly Column[]): RawBuilder<boolean>[] {
  const rows = new Set(columns.filter((column) => column.table === table).map((column) => column.rows))
  return rows.has(undefined) ? [] : [...rows].filter((condition) => condition !== undefined)
}

function conditionsOf(table: Table, query: SumsQuery): RawBuilder<unknown>[] {
  const { profileId, from, to, level = 'campaign', entities } = query
  const conditions: RawBuilder<unknown>[] = [
    typeof profileId === 'string'
      ? sql`profile_id = ${profileId}`
      : sql`profile_id = any(${uuidList(profileId)}::uuid[])`,
  ]
  if (from !== undefined || to !== undefined) conditions.push(inDays(from, to))
  if (table === 'conversions') return conditions
  conditions.push(sql`level = ${sql.lit(level)}`)
  if (entities !== undefined) conditions.push(isOneOf(entities))
  if (table === 'credit' && !query.withUnassigned) conditions.push(sql`entity_id <> ${NIL_ENTITY}::uuid`)
  return conditions
}

const isOneOf = (entities: readonly string[] | RawBuilder<unknown>) =>
  'toOperationNode' in entities
    ? sql`entity_id = any(array(${entities}))`
    : sql`entity_id = any(${entities}::uuid[])`
