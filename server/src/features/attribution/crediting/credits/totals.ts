/** Totals of the profile by day, computed independently of credits, so that reports can be reconciled with them. */
import { sql } from 'kysely'
import { dayAt } from '../../../../platform/contract/dates.ts'
import { bulkInsert } from '../../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Restatements, RowChange } from '../../../facts/restatements/save-restatements.ts'
import { MAX_DAY_MINOR, NEAR_DAY_LIMIT } from '../day-limit.ts'
import type { PackedCredit } from './packed.ts'
import type { ReasonDeltas } from './rollups.ts'

export type TotalDelta = {
  day: string
  outcomeType: string
  revenueType: string
  conversions: number
  valueMinor: number
  fxMissing: number
}

export type CountedCredit = Pick<
  PackedCredit,
  'day' | 'outcomeType' | 'revenueType' | 'amountMinor' | 'fxMissing' | 'refunds'
>

function toChange({ day, outcomeType, revenueType, ...delta }: TotalDelta): RowChange {
  const measures = [delta.conversions, delta.valueMinor, delta.fxMissing]
  return { rollup: 'total', level: '', entity: '', day, outcomeType, revenueType, measures }
}

/** Returns the days whose money exceeds `MAX_DAY_MINOR`. */
export async function applyTotals(
  tx: Tx,
  profileId: string,
  parts: readonly ReasonDeltas<TotalDelta>[],
  restatements: Restatements,
): Promise<string[]> {
  const totals = new Totals()
  for (const part of parts) {
    restatements.add(part.reason, part.deltas.map(toChange))
    for (const delta of part.deltas) totals.add(delta.day, delta, delta)
  }
  return addTotals(tx, profileId, totals.deltas())
}

/** Replaces the stored totals. */
export async function replaceTotals(
  tx: Tx,
  profileId: string,
  { reason, deltas }: ReasonDeltas<TotalDelta>,
  restatements: Restatements,
): Promise<void> {
  const { rows } = await sql<StoredTotal>`
    delete from conversion_daily where profile_id = ${profileId}
    returning day, outcome_type, revenue_type, conversions, value_minor, fx_missing`.execute(tx)
  await addTotals(tx, profileId, deltas)
  const change = new Totals()
  for (const row of rows)
    change.add(
      row.day,
      { outcomeType: row.outcome_type, revenueType: row.revenue_type },
      { conversions: -row.conversions, valueMinor: -row.value_minor, fxMissing: -row.fx_missing },
    )
  for (const delta of deltas) change.add(delta.day, delta, delta)
  restatements.add(reason, change.deltas().map(toChange))
}

type StoredTotal = {
  day: string
  outcome_type: string
  revenue_type: string
  conversions: number
  value_minor: number
  fx_missing: number
}

/** Expects each row at most once. */
async function addTotals(tx: Tx, profileId: string, deltas: readonly TotalDelta[]): Promise<string[]> {
  if (deltas.length === 0) return []
  const sums = await bulkInsert(
    tx,
    { into: 'conversion_daily', profileId, rows: deltas },
    ['day', 'outcome_type', 'revenue_type', 'conversions', 'value_minor', 'fx_missing'],
    {
      conflict: {
        on: ['profile_id', 'day', 'outcome_type', 'revenue_type'],
        add: ['conversions', 'value_minor', 'fx_missing'],
      },
      returning: ['day', 'value_minor'],
    },
  )
  await sql`
    delete from conversion_daily where profile_id = ${profileId} and day = any(${deltas.map((delta) => delta.day)}::date[])
      and conversions = 0 and value_minor = 0 and fx_missing = 0`.execute(tx)
  return overfull(tx, profileId, sums)
}

/** Days whose money over all kinds exceeds the limit. Nearly all days have no kind near it and are not queried. */
async function overfull(
  tx: Tx,
  profileId: string,
  sums: readonly { day: string; value_minor: number }[],
): Promise<string[]> {
  const nearLimitDays = sums.filter((sum) => Math.abs(sum.value_minor) > NEAR_DAY_LIMIT).map((sum) => sum.day)
  if (nearLimitDays.length === 0) return []
  const { rows } = await sql<{ day: string }>`
    select day from conversion_daily where profile_id = ${profileId} and day = any(${[...new Set(nearLimitDays)]}::date[])
    group by day having sum(abs(value_minor)) > ${MAX_DAY_MINOR}::bigint order by day`.execute(tx)
  return rows.map((row) => row.day)
}

/** Sums changes of many conversions by day and kind. */
export class Totals {
  private readonly byKey = new Map<string, TotalDelta>()

  add(
    day: string,
    kind: { outcomeType: string; revenueType: string },
    { conversions = 0, valueMinor = 0, fxMissing = 0 },
  ): void {
    const { outcomeType, revenueType } = kind
    const key = `${day} ${outcomeType} ${revenueType}`
    const sum = this.byKey.get(key)
    if (sum === undefined) {
      this.byKey.set(key, { day, outcomeType, revenueType, conversions, valueMinor, fxMissing })
      return
    }
    sum.conversions += conversions
    sum.valueMinor += valueMinor
    if (!Number.isSafeInteger(sum.valueMinor)) throw new RangeError('a total exceeds the safe integers')
    sum.fxMissing += fxMissing
  }

  /** Adds a conversion on its day and its refunds on their own days. */
  addCredit(credit: CountedCredit, sign: 1 | -1): void {
    this.add(dayAt(credit.day), credit, {
      conversions: sign,
      valueMinor: sign * credit.amountMinor,
      fxMissing: credit.fxMissing ? sign : 0,
    })
    for (const { day, amountMinor } of credit.refunds)
      this.add(
        dayAt(day),
        credit,
        amountMinor === null ? { fxMissing: sign } : { valueMinor: -sign * amountMinor },
      )
  }

  deltas(): TotalDelta[] {
    return [...this.byKey.values()].filter(
      (sum) => sum.conversions !== 0 || sum.valueMinor !== 0 || sum.fxMissing !== 0,
    )
  }
}
