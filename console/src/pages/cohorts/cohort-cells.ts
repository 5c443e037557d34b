/** Values of cohort cells; pure functions. */
import { addDays } from '@whence/server/platform/contract/dates.ts'

export type Show = 'revenue' | 'payback' | 'retention'

type Cells = {
  size: number
  spend: number | null
  cumulative_revenue: readonly (number | null)[]
  paying_customers: readonly (number | null)[]
}

/** Null if the month is not over or there was no spend. */
export function shareOf(row: Cells, month: number, show: Show): number | null {
  const revenue = row.cumulative_revenue[month] ?? null
  const payers = row.paying_customers[month] ?? null
  switch (show) {
    case 'revenue':
      return revenue === null ? null : revenue / row.size
    case 'payback':
      return revenue === null || !row.spend ? null : revenue / row.spend
    case 'retention':
      return payers === null ? null : payers / row.size
  }
}

/** The last day, at most `day`, whose new customers have completed their first `months` months. */
export function lastObservedDay(day: string, today: string, months: number): string {
  let first = `${today.slice(0, 7)}-01`
  for (let remaining = months; remaining > 1; remaining--) first = `${addDays(first, -1).slice(0, 7)}-01`
  const last = addDays(first, -1)
  return day < last ? day : last
}

/** The twelve calendar months up to `day`. */
export function yearTo(day: string): { from: string; to: string } {
  let first = `${day.slice(0, 7)}-01`
  for (let months = 1; months < 12; months++) first = `${addDays(first, -1).slice(0, 7)}-01`
  return { from: first, to: day }
}
