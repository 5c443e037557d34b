import { sumMoney } from '../../format/sums.ts'

export type Figures = Partial<Record<FigureId, number | null>>
export type FigureId =
  | 'spend'
  | 'revenue'
  | 'roas'
  | 'payments'
  | 'cac'
  | 'impressions'
  | 'clicks'
  | 'ctr'
  | 'cpc'
  | 'cpm'

type Row = {
  spend: number | null
  outcome_value: number | null
  outcome_count: number
  impressions?: number | null | undefined
  clicks?: number | null | undefined
}

/** At this scale the minor units of every currency are integers, so ratios of amounts are exact. */
const SCALE = 10_000

/** Sums and derived ratios. Under models that divide credit, rows may share a payment, so payments are not summed. */
export function addUp(rows: readonly Row[], isDivided: boolean): Figures {
  const sum = (select: (row: Row) => number | null | undefined) =>
    sumMoney(rows.map((row) => select(row) ?? 0))
  const over = (amount: number, divisor: number) => (divisor === 0 ? null : amount / divisor)
  const [spend, revenue] = [sum((row) => row.spend), sum((row) => row.outcome_value)]
  const [impressions, clicks] = [sum((row) => row.impressions), sum((row) => row.clicks)]
  const payments = sum((row) => row.outcome_count)
  const ctr = over(clicks, impressions)
  return {
    spend,
    revenue,
    roas: over(Math.round(revenue * SCALE), Math.round(spend * SCALE)),
    ...(isDivided ? {} : { payments, cac: over(spend, payments) }),
    impressions,
    clicks,
    ctr: ctr === null ? null : ctr * 100,
    cpc: over(spend, clicks),
    cpm: over(spend * 1000, impressions),
  }
}
