/** Figures of a client's row: sums of days in one currency. Pure. */
import type { RateTable } from '../../facts/fx/rates.ts'
import { convertOrNull } from '../../facts/fx/rates.ts'
import {
  knownMinor,
  type OverviewSums,
  ratioOrNull,
  toOverview,
  totalRoas,
} from '../../figures/definitions/definitions.ts'
import type { OverviewDay } from '../../figures/rollups/overview-days.ts'

const amounts = ['spend', 'cash', 'credited'] as const

/** A day's amount without an exchange rate is left out, and counted as unrated. */
export function toCurrency(day: OverviewDay, from: string, to: string, rates: RateTable): OverviewDay {
  if (from === to) return day
  const converted = { ...day }
  for (const name of amounts) {
    const money = { amountMinor: day[`${name}_minor`], currency: from, day: day.day }
    const minor = money.amountMinor === 0 ? 0 : convertOrNull(rates, money, to)
    converted[`${name}_minor`] = minor ?? 0
    if (minor === null) converted[`${name}_unrated`] += 1
  }
  return converted
}

export function toFigures(sums: OverviewSums, currency: string) {
  const spend = knownMinor(sums.spend_minor, sums.spend_unrated)
  const credited = knownMinor(sums.credited_minor, sums.credited_unrated)
  return { ...toOverview(sums, currency), total_roas: totalRoas(sums), roas: ratioOrNull(credited, spend) }
}

export const countUnrated = (sums: OverviewSums): number =>
  sums.spend_unrated + sums.cash_unrated + sums.credited_unrated

type Paced = {
  status: 'under' | 'on' | 'over' | 'no_budget'
  pacing_pct: number | null
  budget: number | null
  spend_mtd: number
}

/** Sums over all platforms of a profile, with the status of the one furthest from its budget. */
export function worstPacing(rows: readonly Paced[]) {
  if (rows.length === 0) return null
  const deviation = ({ pacing_pct }: Paced) => (pacing_pct === null ? -1 : Math.abs(pacing_pct - 100))
  const worst = rows.reduce((a, b) => (deviation(b) > deviation(a) ? b : a))
  const planned = rows.filter((row) => row.budget !== null)
  const sum = (pick: (row: Paced) => number, summedRows: readonly Paced[]) =>
    Math.round(summedRows.reduce((total, row) => total + pick(row), 0) * 1e4) / 1e4
  return {
    status: worst.status,
    pacing_pct: worst.pacing_pct,
    budget: planned.length === 0 ? null : sum((row) => row.budget ?? 0, planned),
    spend_mtd: sum((row) => row.spend_mtd, rows),
  }
}

export function toHealth(
  connections: { total: number; broken: number } | undefined,
  findings: { problems: number; warnings: number } | undefined,
) {
  const broken = connections?.broken ?? 0
  const { problems, warnings } = findings ?? { problems: 0, warnings: 0 }
  const status =
    broken + problems > 0 ? 'problem' : warnings > 0 ? 'warning' : findings === undefined ? 'unknown' : 'ok'
  return {
    status,
    connections: connections?.total ?? 0,
    broken_connections: broken,
    findings: problems + warnings,
  } as const
}

/** Adds and removes tags. Tags are unique, ignoring case. */
export function changeTags(
  tags: readonly string[],
  add: readonly string[],
  remove: readonly string[],
): string[] {
  const removed = new Set(remove.map((tag) => tag.toLowerCase()))
  const tagsByKey = new Map([...add, ...tags].map((tag) => [tag.toLowerCase(), tag]))
  return [...tagsByKey].flatMap(([key, tag]) => (removed.has(key) ? [] : tag)).sort()
}
