/** Sales counted twice, test sales, and sales without a touch or a person. Pure. */
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { cashOf } from './click-rules.ts'
import type { FlaggedSale, SaleRow, UnratedRow } from './queries/sales.ts'
import { earliest, example, finding, notApplicable, ok, total, type Verdict } from './verdict-rules.ts'

const ofSales = (sales: readonly SaleRow[]): Omit<Verdict, 'status'> => ({
  count: sales.length,
  valueMinor: cashOf(sales),
  since: earliest(sales.map(({ day }) => day)),
  examples: sales.map(({ id, day }) => example('conversion', id, { detail: day })),
})

const MANY_REPEATED = 3

export function assessFlagged(flagged: readonly FlaggedSale[]): Verdict {
  if (flagged.length === 0) return ok
  return finding(flagged.length >= MANY_REPEATED ? 'problem' : 'warning', {
    count: flagged.length,
    valueMinor: total(flagged, (sale) => sale.value_minor ?? 0),
    since: earliest(flagged.map(({ day }) => day)),
    examples: flagged.map(({ id, day, detail }) => example('conversion', id, { detail: detail ?? day })),
  })
}

/** Number of recent days compared with the days before. */
export const RECENT_DAYS = 7
const MIN_RECENT = 20
const MIN_BEFORE = 30
const MIN_RISE = 0.1
const STEEP_RISE = 0.3
/** A false positive rate of about 1 in 30,000. */
const MIN_DEVIATIONS = 4

/** Share of sales without any touch, compared with the weeks before. */
export function assessUntouched(sales: readonly SaleRow[], recentFrom: string): Verdict {
  const identified = sales.filter((sale) => !sale.is_unknown)
  const recent = identified.filter(({ day }) => day >= recentFrom)
  const before = identified.filter(({ day }) => day < recentFrom)
  if (recent.length < MIN_RECENT || before.length < MIN_BEFORE) return notApplicable
  const untouched = (rows: readonly SaleRow[]) => rows.filter(({ touch_at }) => touch_at === null)
  const missing = untouched(recent)
  const share = missing.length / recent.length
  const usual = untouched(before).length / before.length
  const pooled = (missing.length + untouched(before).length) / (recent.length + before.length)
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / recent.length + 1 / before.length))
  const rise = share - usual
  if (rise < MIN_RISE || rise < MIN_DEVIATIONS * deviation) return ok
  return finding(rise >= STEEP_RISE ? 'problem' : 'warning', ofSales(missing))
}

const FEW_LATE = 5
const MIN_LATE = 0.05

/** Sales whose last touch is older than the lookback. */
export function assessLookback(sales: readonly SaleRow[], lookbackDays: number): Verdict {
  const touched = sales.filter(({ touch_at }) => touch_at !== null)
  if (touched.length === 0) return notApplicable
  const late = touched.filter(
    (sale) => sale.occurred_at.getTime() - sale.touch_at!.getTime() > lookbackDays * DAY_MS,
  )
  if (late.length < FEW_LATE || late.length < touched.length * MIN_LATE) return ok
  return finding('warning', ofSales(late))
}

const FEW_UNKNOWN = 3
const MIN_UNKNOWN = 0.05
const MAX_UNKNOWN = 0.3

export function assessUnidentified(sales: readonly SaleRow[]): Verdict {
  const paid = sales.filter(({ revenue_type }) => revenue_type === 'cash')
  if (paid.length === 0) return notApplicable
  const unidentified = paid.filter((sale) => sale.is_unknown && sale.touch_at === null)
  if (unidentified.length < FEW_UNKNOWN || unidentified.length < paid.length * MIN_UNKNOWN) return ok
  return finding(
    unidentified.length >= paid.length * MAX_UNKNOWN ? 'problem' : 'warning',
    ofSales(unidentified),
  )
}

export function assessUnrated(rows: readonly UnratedRow[]): Verdict {
  if (rows.length === 0) return ok
  return finding('problem', {
    count: total(rows, ({ facts }) => facts),
    valueMinor: null,
    since: earliest(rows.map(({ since }) => since)),
    examples: rows.map((row) => example('currency', row.currency, { count: row.facts })),
  })
}
