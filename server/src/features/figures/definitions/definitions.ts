/**
 * Definitions of the money figures, shared by all reports (terms: docs/glossary.md). Pure, computed from exact sums.
 *
 * outcome_count   payments in which the row has a part; the total of all rows counts a payment once
 * outcome_credit  the sum of the parts, from 0 to 1 each: rows and unattributed add up to all payments
 * outcome_value   the money of those parts, refunds subtracted on their own days
 * roas            outcome_value over spend; of a total, what was credited over spend (ad ROAS)
 * total_roas      all cash of the profile over spend, credited or not
 * cac             spend over outcome_count
 * new_customer_*  the same for customers' first payments: a deposit and its balance are one new customer with the money of both
 *
 * Money is null if none of its amounts has an exchange rate. If some have, it is their sum, and fx_missing counts the
 * others.
 */
import { joinShares, type Model } from '@whence/engine'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { moneyPer, ratio } from './rules.ts'

/** Models that divide a conversion among several touches, so that several rows may have a part of it. */
export const fractionalModels: ReadonlySet<Model> = new Set(['linear', 'time_decay'])

/** A sum of shares as stored: two integers, joined by `joinShares`. */
export type Shares = { high: number; low: number }

/** `unrated` counts facts without an exchange rate. */
export type Credit = {
  cashCount: number
  cashShares: Shares
  cashMinor: number
  cashUnrated: number
  newCustomers: number
  newMinor: number
  newUnrated: number
  count: number
  byType: Record<string, number>
}
export type Spend = { spendMinor: number; unrated: number }

export const noCredit: Credit = {
  cashCount: 0,
  cashShares: { high: 0, low: 0 },
  cashMinor: 0,
  cashUnrated: 0,
  newCustomers: 0,
  newMinor: 0,
  newUnrated: 0,
  count: 0,
  byType: {},
}

/** A refund of another day whose exchange rate is missing has no count and no amount, but is not nothing. */
export const isEmptyCredit = ({ count, cashMinor, cashUnrated }: Credit): boolean =>
  count === 0 && cashMinor === 0 && cashUnrated === 0

/** Null if no amount has an exchange rate. */
export function knownMinor(amountMinor: number, unrated: number): number | null {
  return amountMinor === 0 && unrated > 0 ? null : amountMinor
}

/** Exact to 1e-9. */
export function creditSum({ cashCount, cashShares }: Credit, model: Model): number {
  if (!fractionalModels.has(model)) return cashCount
  return Math.round(joinShares(cashShares.high, cashShares.low) * 1e9) / 1e9
}

export function ratioOrNull(amount: number | null, divisor: number | null): number | null {
  return amount === null || divisor === null ? null : ratio(amount, divisor)
}

export function moneyPerOrNull(amountMinor: number | null, units: number, currency: string): number | null {
  return amountMinor === null ? null : moneyPer(amountMinor, units, currency)
}

export function toMoney(amountMinor: number | null, currency: string): number | null {
  return amountMinor === null ? null : toDecimalNumber(amountMinor, currency)
}

/** The measures of a row or of the total row. */
export function toMeasures(credit: Credit, { spendMinor, unrated }: Spend, model: Model, currency: string) {
  const spend = knownMinor(spendMinor, unrated)
  const value = knownMinor(credit.cashMinor, credit.cashUnrated)
  return {
    spend: toMoney(spend, currency),
    outcome_count: credit.cashCount,
    outcome_credit: creditSum(credit, model),
    outcome_value: toMoney(value, currency),
    roas: ratioOrNull(value, spend),
    cac: moneyPerOrNull(spend, credit.cashCount, currency),
    attributed_outcome_count: credit.count,
    attributed_outcomes_by_type: credit.byType,
    fx_missing: unrated + credit.cashUnrated,
  }
}

/** Count, value, CAC and ROAS of new customers. */
export function toNewCustomers(
  credit: Pick<Credit, 'newCustomers' | 'newMinor' | 'newUnrated'>,
  { spendMinor, unrated }: Spend,
  currency: string,
) {
  const spend = knownMinor(spendMinor, unrated)
  const value = knownMinor(credit.newMinor, credit.newUnrated)
  return {
    new_customer_count: credit.newCustomers,
    new_customer_value: toMoney(value, currency),
    new_customer_cac: moneyPerOrNull(spend, credit.newCustomers, currency),
    new_customer_roas: ratioOrNull(value, spend),
  }
}

/** The same without spend, for credit without an entity. */
export function toCreditMeasures(credit: Credit, model: Model, currency: string) {
  const {
    spend: _,
    roas: __,
    cac: ___,
    ...measures
  } = toMeasures(credit, { spendMinor: 0, unrated: 0 }, model, currency)
  return measures
}

export type CreditRow = {
  outcome_type: string
  revenue_type: string
  conversions: number
  value_minor: number
  /** The two parts of the sum of shares; 0 under single-touch models. */
  share_high: number
  share_low: number
  /** Conversions whose amount has no exchange rate. */
  unrated: number
  new_customers: number
  new_value_minor: number
  new_unrated: number
}

export const emptyCredit = (): Credit => ({ ...noCredit, cashShares: { high: 0, low: 0 }, byType: {} })

/** Outcome types without credited conversions are omitted. */
export function addCreditRow(credit: Credit, row: CreditRow): void {
  if (row.revenue_type === 'cash') {
    credit.cashCount += row.conversions
    credit.cashShares.high += row.share_high
    credit.cashShares.low += row.share_low
    credit.cashMinor += row.value_minor
    credit.cashUnrated += row.unrated
    credit.newCustomers += row.new_customers
    credit.newMinor += row.new_value_minor
    credit.newUnrated += row.new_unrated
  }
  if (row.conversions === 0) return
  credit.count += row.conversions
  credit.byType[row.outcome_type] = (credit.byType[row.outcome_type] ?? 0) + row.conversions
}

export function addCredit(rows: readonly CreditRow[]): Credit {
  const credit = emptyCredit()
  for (const row of rows) addCreditRow(credit, row)
  return credit
}

/** The same credit, with the counts replaced by distinct counts: a conversion shared by several rows counts once. */
export function withDistinctCounts(
  credit: Credit,
  rows: readonly Omit<CreditRow, 'value_minor' | 'share_high' | 'share_low' | 'new_value_minor'>[],
): Credit {
  const { cashCount, cashUnrated, newCustomers, newUnrated, count, byType } = addCredit(
    rows.map((row) => ({ ...row, value_minor: 0, share_high: 0, share_low: 0, new_value_minor: 0 })),
  )
  return { ...credit, cashCount, cashUnrated, newCustomers, newUnrated, count, byType }
}

/** `unrated` counts facts without an exchange rate. */
const noSums = {
  spend_minor: 0,
  spend_unrated: 0,
  cash_minor: 0,
  cash_unrated: 0,
  payments: 0,
  credited_minor: 0,
  credited_unrated: 0,
}
export type OverviewSums = typeof noSums

export function sumOverview(rows: readonly OverviewSums[]): OverviewSums {
  const sum = { ...noSums }
  for (const row of rows)
    for (const name of Object.keys(noSums) as (keyof OverviewSums)[]) sum[name] += row[name]
  return sum
}

/** Revenue over spend, credited or not. */
export const totalRoas = (sums: OverviewSums): number | null =>
  ratioOrNull(
    knownMinor(sums.cash_minor, sums.cash_unrated),
    knownMinor(sums.spend_minor, sums.spend_unrated),
  )

export const toOverview = (sums: OverviewSums, currency: string) => ({
  spend: toMoney(knownMinor(sums.spend_minor, sums.spend_unrated), currency),
  revenue: toMoney(knownMinor(sums.cash_minor, sums.cash_unrated), currency),
  credited_revenue: toMoney(knownMinor(sums.credited_minor, sums.credited_unrated), currency),
  payments: sums.payments,
})
