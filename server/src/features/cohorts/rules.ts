/** Cohorts from exact sums: pure. */

import type { PackedCredit } from '../attribution/credits/packed.ts'
import { shareOf } from '../attribution/credits/packed.ts'

/** Months since year 0, so that they can be subtracted; `day` begins with YYYY-MM. */
export function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

export class CohortSums {
  size = 0
  /** The last month in which one of them first paid. */
  lastMonth = Number.NEGATIVE_INFINITY
  private readonly minor: number[]
  private readonly payers: number[]

  constructor(horizon: number) {
    this.minor = new Array<number>(horizon + 1).fill(0)
    this.payers = new Array<number>(horizon + 1).fill(0)
  }

  addCustomers(count: number, month: number): void {
    this.size += count
    this.lastMonth = Math.max(this.lastMonth, month)
  }

  addMoney(months: number, valueMinor: number): void {
    this.minor[months]! += valueMinor
  }

  addPayers(months: number, count: number): void {
    this.payers[months]! += count
  }

  /** `today` is the month that is not over. */
  cells(today: number): { cumulativeMinor: (number | null)[]; payers: (number | null)[] } {
    const isRipe = (months: number) => this.lastMonth + months < today
    let sum = 0
    return {
      cumulativeMinor: this.minor.map((minor, months) => {
        sum += minor
        return isRipe(months) ? sum : null
      }),
      payers: this.payers.map((count, months) => (isRipe(months) ? count : null)),
    }
  }
}

/** Null until the revenue has reached what was spent. */
export function paybackMonth(
  cumulativeMinor: readonly (number | null)[],
  spendMinor: number | null,
): number | null {
  if (spendMinor === null || spendMinor <= 0) return null
  const at = cumulativeMinor.findIndex((minor) => minor !== null && minor >= spendMinor)
  return at < 0 ? null : at
}

/** An amount in the parts that a first payment's credit has under the model; what no touch led to is null's. */
export function splitByKey<Key>(
  credit: PackedCredit,
  model: number,
  amountMinor: number,
  keyOf: (path: number) => Key,
): Map<Key | null, number> {
  const parts = new Map<Key | null, number>()
  const shares = shareOf(credit, model, amountMinor)
  if (shares.length === 0) parts.set(null, amountMinor)
  for (const share of shares) {
    const key = keyOf(share.path)
    parts.set(key, (parts.get(key) ?? 0) + share.amountMinor)
  }
  return parts
}
