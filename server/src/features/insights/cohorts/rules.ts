/** Cohorts from exact sums: pure. */

import { splitInto } from '@whence/engine'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import type { PackedShares } from '../../attribution/crediting/credits/packed.ts'

/** Months since year 0, so that they can be subtracted; `day` begins with YYYY-MM. */
export function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

export class CohortSums {
  size = 0
  /** The latest month of a first payment in the cohort. */
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

  /** `today`: the current month, which is not over. */
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

/** Null until revenue reaches spend. */
export function paybackMonth(
  cumulativeMinor: readonly (number | null)[],
  spendMinor: number | null,
): number | null {
  if (spendMinor === null || spendMinor <= 0) return null
  const at = cumulativeMinor.findIndex((minor) => minor !== null && minor >= spendMinor)
  return at < 0 ? null : at
}

let lastDay = 0
let lastDayMonth = monthNumber('1970-01-01')

/** Month number of a day number. Caches the last day, because consecutive rows are mostly of one day. */
export function monthOfDay(day: number): number {
  if (day !== lastDay) {
    const date = new Date(day * DAY_MS)
    lastDay = day
    lastDayMonth = date.getUTCFullYear() * 12 + date.getUTCMonth()
  }
  return lastDayMonth
}

/** Adds a customer with a first payment in `month`; `hasPaid` has a flag for each month from then on. */
function countCustomer(sums: CohortSums, month: number, hasPaid: Uint8Array): void {
  sums.addCustomers(1, month)
  for (let months = 0; months < hasPaid.length; months++) sums.addPayers(months, hasPaid[months]!)
}

/** The same with the customer's money, which belongs to this cohort alone. */
export function addCustomer(sums: CohortSums, month: number, minor: Float64Array, hasPaid: Uint8Array): void {
  countCustomer(sums, month, hasPaid)
  for (let months = 0; months < minor.length; months++) sums.addMoney(months, minor[months]!)
}

/**
 * Adds a customer's payments to the cohorts credited with the first payment, divided by their shares; payments without a
 * touch go to the uncredited cohort.
 */
export class CreditedCohorts {
  readonly byKey = new Map<string | null, CohortSums>()
  private readonly byPath = new Map<number, CohortSums>()
  private readonly keyOf: (path: number) => string | null
  private readonly uncreditedKey: string | null
  private readonly horizon: number
  private readonly credited: CohortSums[] = []
  private parts = new Float64Array(64)

  constructor(horizon: number, keyOf: (path: number) => string | null, uncreditedKey: string | null) {
    this.horizon = horizon
    this.keyOf = keyOf
    this.uncreditedKey = uncreditedKey
  }

  /** `minor` and `hasPaid` are per month after `month`, the month of the first payment. */
  add(shares: PackedShares, month: number, minor: Float64Array, hasPaid: Uint8Array): void {
    const credited = this.creditedBy(shares)
    for (let share = 0; share < credited.length; share++)
      if (credited.indexOf(credited[share]!) === share) countCustomer(credited[share]!, month, hasPaid)
    for (let months = 0; months < minor.length; months++) {
      if (minor[months] === 0) continue
      if (shares.count === 0) credited[0]!.addMoney(months, minor[months]!)
      else this.divide(shares, credited, months, minor[months]!)
    }
  }

  private divide(shares: PackedShares, credited: readonly CohortSums[], months: number, minor: number): void {
    const { count, weights, total } = shares
    if (this.parts.length < count) this.parts = new Float64Array(count * 2)
    splitInto(minor, weights, 0, count, total, this.parts, 0)
    for (let share = 0; share < count; share++) credited[share]!.addMoney(months, this.parts[share]!)
  }

  /** The cohort of each share, or the uncredited cohort. */
  private creditedBy({ count, paths }: PackedShares): readonly CohortSums[] {
    const { credited } = this
    credited.length = 0
    for (let share = 0; share < count; share++) credited.push(this.ofPath(paths[share]!))
    if (count === 0) credited.push(this.ofKey(this.uncreditedKey))
    return credited
  }

  private ofPath(path: number): CohortSums {
    const sums = this.byPath.get(path) ?? this.ofKey(this.keyOf(path))
    this.byPath.set(path, sums)
    return sums
  }

  private ofKey(key: string | null): CohortSums {
    const sums = this.byKey.get(key) ?? new CohortSums(this.horizon)
    this.byKey.set(key, sums)
    return sums
  }
}
