/** Applies the deltas of changed credits to the rollups: by day, by span of days, and unassigned credit by its key. */
import { levels, MODEL_COUNT, models, NO_ENTITY, type RollupRow } from '@whence/engine'
import { sql } from 'kysely'
import { dayAt, dayNumber } from '../../../../platform/contract/dates.ts'
import { spanStart, spans } from '../../../../platform/contract/day-spans.ts'
import { bigints, days, texts } from '../../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { pipelineWrites } from '../../../../platform/db/pipelining.ts'
import { anchoredProfileId, fromAnchor } from '../../../../platform/db/shard-anchor.ts'
import type { Reason } from '../../../facts/restatements/causes.ts'
import type { Restatements, RowChange } from '../../../facts/restatements/save-restatements.ts'

export const NIL_ENTITY = '00000000-0000-0000-0000-000000000000'

export type OutcomeKind = { outcomeType: string; revenueType: string }

/** A payment's role in its customer's first payment: `opens` counts as a new customer, `balance` only adds money. */
export type FirstPart = 'opens' | 'balance' | null

/**
 * Values for cash in the rollups' column `revenue_type`: separated by role in a first payment and, as `…_unrated`, if
 * the amount has no exchange rate yet (then it adds no money).
 */
export const CASH = ['cash', 'cash_first', 'cash_first_balance'] as const
export const UNRATED_CASH = ['cash_unrated', 'cash_first_unrated', 'cash_first_balance_unrated'] as const
/** All payments, with or without an exchange rate. */
export const PAYMENTS = [...CASH, ...UNRATED_CASH] as const
export const NEW_CUSTOMERS = ['cash_first', 'cash_first_unrated'] as const
export const FIRST_CASH = [...NEW_CUSTOMERS, 'cash_first_balance', 'cash_first_balance_unrated'] as const

/** Refunds without an exchange rate, on their own day. The counts of these rows are refunds, not outcomes; no money. */
export const UNRATED_REFUNDS = ['refund_unrated', 'refund_first_unrated'] as const

/** The rollup kind of a refund without an exchange rate. */
export function unratedRefundKind(first: FirstPart): OutcomeKind {
  return { outcomeType: 'refund', revenueType: UNRATED_REFUNDS[first === null ? 0 : 1] }
}

/** The rollup kind of a conversion. */
export function rollupKind(
  kind: OutcomeKind,
  { fxMissing, first }: { fxMissing: boolean; first: FirstPart },
): OutcomeKind {
  if (kind.revenueType !== 'cash') return kind
  const partIndex = first === null ? 0 : first === 'opens' ? 1 : 2
  return { ...kind, revenueType: (fxMissing ? UNRATED_CASH : CASH)[partIndex] }
}

/** Assigns each (outcome type, revenue type) the small integer that keys the engine's rollups. */
export class KindIndex {
  readonly list: OutcomeKind[] = []
  private readonly indexes = new Map<string, number>()
  ofCredit(credit: OutcomeKind & { fxMissing: boolean; first: FirstPart }): number {
    return this.of(rollupKind(credit, credit))
  }
  ofUnratedRefund({ first }: { first: FirstPart }): number {
    return this.of(unratedRefundKind(first))
  }
  private of({ outcomeType, revenueType }: OutcomeKind): number {
    const key = `${outcomeType} ${revenueType}`
    const index = this.indexes.get(key)
    if (index !== undefined) return index
    this.indexes.set(key, this.list.length)
    return this.list.push({ outcomeType, revenueType }) - 1
  }
}

export type RollupDelta = {
  level: string
  /** Entity id, or the key of unassigned credit (`held_daily.holder`). */
  entityId: string
  /** First day of the span, or the day itself. */
  day: string
  /** How many days, in the rollup of spans. */
  span?: number
  outcomeType: string
  revenueType: string
  counts: number[]
  valueMinor: number[]
  shares: number[]
}

/** `after` minus `before`, without unchanged rows. */
export function rollupDeltas(
  before: Iterable<RollupRow>,
  after: Iterable<RollupRow>,
  kinds: readonly OutcomeKind[],
  entityIdAt: (index: number) => string,
): RollupDelta[] {
  const byKey = new Map<string, RollupDelta>()
  const add = (row: RollupRow, sign: 1 | -1) => {
    const key = `${row.level} ${row.entity} ${row.day} ${row.outcomeType}`
    let delta = byKey.get(key)
    if (delta === undefined) {
      delta = {
        level: levels[row.level]!,
        entityId: row.entity === NO_ENTITY ? NIL_ENTITY : entityIdAt(row.entity),
        day: dayAt(row.day),
        ...kinds[row.outcomeType]!,
        ...zeroMeasures(),
      }
      byKey.set(key, delta)
    }
    addTo(delta, row, sign)
  }
  for (const row of before) add(row, -1)
  for (const row of after) add(row, 1)
  return [...byKey.values()].filter(isNonZero)
}

/** Sums deltas by the span that contains their day. */
export function spanDeltas(deltas: readonly RollupDelta[], span: number): RollupDelta[] {
  const byKey = new Map<string, RollupDelta>()
  for (const delta of deltas) {
    const day = dayAt(spanStart(dayNumber(delta.day), span))
    const key = `${delta.level} ${delta.entityId} ${day} ${delta.outcomeType} ${delta.revenueType}`
    let sum = byKey.get(key)
    if (sum === undefined) {
      sum = { ...delta, day, span, ...zeroMeasures() }
      byKey.set(key, sum)
    }
    addTo(sum, delta, 1)
  }
  return [...byKey.values()].filter(isNonZero)
}

type Measured = Pick<RollupRow, 'counts' | 'valueMinor' | 'shares'>

function zeroMeasures(): Measured {
  return {
    counts: new Array<number>(MODEL_COUNT).fill(0),
    valueMinor: new Array<number>(MODEL_COUNT).fill(0),
    shares: new Array<number>(shareColumns.length).fill(0),
  }
}

function addTo(sum: Measured, part: Measured, sign: 1 | -1): void {
  for (let model = 0; model < MODEL_COUNT; model++) {
    sum.counts[model]! += sign * part.counts[model]!
    sum.valueMinor[model]! += sign * part.valueMinor[model]!
  }
  for (let at = 0; at < shareColumns.length; at++) sum.shares[at]! += sign * part.shares[at]!
}

function isNonZero(delta: Measured): boolean {
  return [delta.counts, delta.valueMinor, delta.shares].some((values) => values.some((value) => value !== 0))
}

/** Deltas with the reason of the change. */
export type ReasonDeltas<Delta> = { reason: Reason; deltas: readonly Delta[] }

/** Sums the deltas of all reasons, so that each row is written once. */
function sumReasons(parts: readonly ReasonDeltas<RollupDelta>[]): readonly RollupDelta[] {
  return parts.length === 1
    ? parts[0]!.deltas
    : spanDeltas(
        parts.flatMap((part) => part.deltas),
        1,
      )
}

function toChanges(
  rollup: 'credit' | 'held',
  deltas: readonly RollupDelta[],
  closedThrough: string,
): RowChange[] {
  return deltas
    .filter((delta) => delta.day <= closedThrough)
    .map(({ level, entityId: entity, day, outcomeType, revenueType, ...delta }) => ({
      rollup,
      level,
      entity,
      day,
      outcomeType,
      revenueType,
      measures: [...delta.counts, ...delta.valueMinor, ...delta.shares],
    }))
}

export async function applyRollups(
  tx: Tx,
  profileId: string,
  parts: readonly ReasonDeltas<RollupDelta>[],
  restatements: Restatements,
): Promise<void> {
  for (const { reason, deltas } of parts)
    restatements.add(reason, toChanges('credit', deltas, restatements.closedThrough))
  const deltas = sumReasons(parts)
  const target = { entity: 'entity_id' } as const
  await pipelineWrites(
    () => applyDeltas(tx, profileId, { ...target, table: 'credit_daily', day: 'day' }, deltas),
    () =>
      applyDeltas(
        tx,
        profileId,
        { ...target, table: 'credit_spans', day: 'start' },
        spans.flatMap((span) => spanDeltas(deltas, span)),
      ),
  )
}

/** Credit without an ad, by platform of the click; credit without a campaign, by its ad set or ad. */
export async function applyUnassigned(
  tx: Tx,
  profileId: string,
  parts: readonly ReasonDeltas<RollupDelta>[],
  restatements: Restatements,
): Promise<void> {
  const unassigned = parts.map(({ reason, deltas }) => ({
    reason,
    deltas: deltas.filter((delta) => delta.entityId !== NIL_ENTITY),
  }))
  for (const { reason, deltas } of unassigned)
    restatements.add(reason, toChanges('held', deltas, restatements.closedThrough))
  await applyDeltas(
    tx,
    profileId,
    { table: 'held_daily', entity: 'holder', day: 'day' },
    sumReasons(unassigned),
  )
}

type Target = {
  table: 'credit_daily' | 'credit_spans' | 'held_daily'
  entity: 'entity_id' | 'holder'
  day: 'day' | 'start'
}

/** Sums of shares under the models that divide, each in two whole parts (`joinShares`). */
const shareColumns = [
  'linear_share_high',
  'linear_share_low',
  'time_decay_share_high',
  'time_decay_share_low',
]

export const measureColumns = [
  ...models.map((model) => `${model}_count`),
  ...models.map((model) => `${model}_minor`),
  ...shareColumns,
]

async function applyDeltas(tx: Tx, profileId: string, target: Target, deltas: readonly RollupDelta[]) {
  if (deltas.length === 0) return
  const [table, entity, day] = [sql.table(target.table), sql.ref(target.entity), sql.ref(target.day)]
  const entityType = sql.raw(target.entity === 'holder' ? 'text[]' : 'uuid[]')
  const hasSpan = target.table === 'credit_spans'
  const spanColumn = hasSpan ? sql`span,` : sql``
  const spansOf = (rows: readonly RollupDelta[]) => sql`${rows.map((row) => row.span)}::smallint[]`
  const spanValue = hasSpan ? sql`unnest(${spansOf(deltas)}),` : sql``
  const measures = sql.join(measureColumns.map((name) => sql.ref(name)))
  const values = sql.join(
    measureColumns.map((_, index) => {
      const at = (delta: RollupDelta) => [...delta.counts, ...delta.valueMinor, ...delta.shares][index]
      return sql`unnest(${bigints(deltas, at)}::bigint[])`
    }),
  )
  const sums = sql.join(
    measureColumns.map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)} + excluded.${sql.ref(name)}`),
  )
  await sql`
    insert into ${table} as r (profile_id, ${spanColumn} level, ${entity}, ${day}, outcome_type, revenue_type, ${measures})
    select ${anchoredProfileId(tx, profileId)}, ${spanValue} unnest(${texts(deltas, (delta) => delta.level)}::text[]),
      unnest(${deltas.map((delta) => delta.entityId)}::${entityType}),
      unnest(${days(deltas, (delta) => delta.day)}::date[]),
      unnest(${texts(deltas, (delta) => delta.outcomeType)}::text[]),
      unnest(${texts(deltas, (delta) => delta.revenueType)}::text[]), ${values}
    ${fromAnchor(tx, profileId)}
    on conflict (profile_id, level, ${spanColumn} ${day}, ${entity}, outcome_type, revenue_type) do update set ${sums}`.execute(
    tx,
  )
  // Rows that are all zero now are deleted, so that the table equals the result of a full recompute.
  // Money may have been negative (the day of a refund), so only a count that grew excludes a row.
  const shrunk = deltas.filter((delta) => delta.counts.every((value) => value <= 0))
  if (shrunk.length === 0) return
  const zero = sql.join(
    measureColumns.map((name) => sql`r.${sql.ref(name)} = 0`),
    sql` and `,
  )
  const [shrunkSpans, ofSpan] = hasSpan
    ? [sql`, ${spansOf(shrunk)}`, sql`and r.span = s.span`]
    : [sql``, sql``]
  await sql`
    delete from ${table} r using unnest(${shrunk.map((delta) => delta.level)}::text[], ${shrunk.map((delta) => delta.day)}::date[],
      ${shrunk.map((delta) => delta.entityId)}::${entityType}, ${shrunk.map((delta) => delta.outcomeType)}::text[],
      ${shrunk.map((delta) => delta.revenueType)}::text[] ${shrunkSpans}) as s(level, day, entity, outcome_type, revenue_type ${hasSpan ? sql`, span` : sql``})
    where r.profile_id = ${profileId} ${ofSpan} and r.level = s.level and r.${day} = s.day and r.${entity} = s.entity
      and r.outcome_type = s.outcome_type and r.revenue_type = s.revenue_type and ${zero}`.execute(tx)
}
