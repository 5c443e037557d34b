import { sumMoney } from '../../format/sums.ts'

type Figures = {
  spend: number | null
  revenue: number | null
  credited_revenue: number | null
  payments: number
}
type Row = Figures & { currency: string; is_demo: boolean; previous: Figures }
type Sums = {
  spend: number
  revenue: number
  payments: number
  total_roas: number | null
  roas: number | null
}
export type Totals = { currency: string; now: Sums; before: Sums }

/** Totals of the rows, without the demo unless there is nothing else; null if they have several currencies. */
export function sumClients(rows: readonly Row[]): Totals | null {
  const real = rows.filter((row) => !row.is_demo)
  const counted = real.length === 0 ? rows : real
  const [currency, ...otherCurrencies] = new Set(counted.map((row) => row.currency))
  if (currency === undefined || otherCurrencies.length > 0) return null
  return { currency, now: sumOf(counted), before: sumOf(counted.map((row) => row.previous)) }
}

function sumOf(rows: readonly Figures[]): Sums {
  const sum = (name: keyof Figures) => sumMoney(rows.map((row) => row[name] ?? 0))
  const [spend, revenue, credited] = [sum('spend'), sum('revenue'), sum('credited_revenue')]
  return {
    spend,
    revenue,
    payments: sum('payments'),
    total_roas: spend === 0 ? null : revenue / spend,
    roas: spend === 0 ? null : credited / spend,
  }
}
