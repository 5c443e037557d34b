/** Paths to payments, read from the packed credits: `linear` credits every touch of the lookback. */
import type { ProfileContext } from '../../../../context.ts'
import { type DateRange, dayNumber } from '../../../../platform/contract/dates.ts'
import { toDecimalNumber } from '../../../../platform/contract/money.ts'
import { LINEAR_BIT, unpackCredit } from '../../../attribution/crediting/credits/packed.ts'
import { loadPaths } from '../../../attribution/crediting/credits/paths.ts'
import { AFTER_ALL, type Position } from '../../../figures/rollups/credited-conversions.ts'
import {
  type JourneyPayment,
  journeyPayments,
  paymentsRefundedLater,
} from '../../../figures/rollups/journey-payments.ts'
import {
  type ReportContext,
  type Reported,
  report,
  type Snapshot,
} from '../../../figures/snapshot/snapshot.ts'
import { readCursor } from '../conversions.ts'
import { MAX_EXAMINED } from '../credited-pages.ts'
import {
  groupPaths,
  moneyOfDays,
  NOT_CREDITABLE,
  type Sale,
  type Sum,
  sumSales,
  toSteps,
  UNKNOWN,
} from './rules.ts'

const BATCH = 4000

/** Journeys do not depend on the model, but a report's scope requires one. */
const scopeOf = (range: DateRange) => ({ range, model: 'last_touch', level: 'campaign' }) as const

export async function getJourneys(
  context: ReportContext,
  range: DateRange,
  limit: number,
  maxExamined = MAX_EXAMINED,
) {
  let total: Sum & { paths: number; several: number } = { ...sumSales([]), paths: 0, several: 0 }
  let truncated = false
  const { currency } = context.profile
  const toMeasures = ({ amountMinor, payments, customers, fxMissing }: Sum) => ({
    payments,
    customers,
    outcome_value: toDecimalNumber(amountMinor, currency),
    fx_missing: fxMissing,
  })
  const result = await report(context, scopeOf(range), async (snapshot) => {
    const { tx, profileId } = snapshot
    const below = { day: range.to, ...AFTER_ALL }
    const rows = await journeyPayments(tx, { profileId, range, below, most: maxExamined + 1 })
    const refunded = await paymentsRefundedLater(tx, { profileId, range, most: maxExamined + 1 })
    truncated = rows.length > maxExamined || refunded.length > maxExamined
    const sales = await toSales(
      snapshot,
      [rows, refunded].flatMap((part) => part.slice(0, maxExamined)),
      range,
    )
    const paths = groupPaths(sales)
    const several = sales.filter(({ isPaid, steps }) => isPaid && steps.length > 1).length
    total = { ...sumSales(sales), paths: paths.filter(({ payments }) => payments > 0).length, several }
    return { data: paths.slice(0, limit).map((path) => ({ steps: [...path.steps], ...toMeasures(path) })) }
  })
  return {
    data: result.data,
    meta: { ...result.meta, truncated },
    total: { ...toMeasures(total), paths: total.paths, several_channels: total.several },
  }
}

type SaleRow = Sale & { row: JourneyPayment; netMinor: number | null }

async function toSales(
  { tx, profileId }: Snapshot,
  rows: readonly JourneyPayment[],
  range: DateRange,
): Promise<SaleRow[]> {
  const days = { from: dayNumber(range.from), to: dayNumber(range.to) }
  const credits = rows.map(({ packed }) => {
    const { touches, ...credit } = unpackCredit(packed)
    return { ...credit, visits: touches.filter(({ models }) => (models & LINEAR_BIT) !== 0) }
  })
  const numbers = [...new Set(credits.flatMap(({ visits }) => visits.map(({ path }) => path)))]
  const paths = numbers.length === 0 ? new Map() : await loadPaths(tx, profileId, numbers)
  return rows.map((row, index) => {
    const { visits, refunds, uncredited } = credits[index]!
    const isPaid = row.day >= range.from && row.day <= range.to
    const paidMinor = row.report_value_minor
    const refunded = refunds.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0)
    return {
      row,
      steps:
        uncredited === NOT_CREDITABLE
          ? [NOT_CREDITABLE]
          : toSteps(visits.map(({ path }) => paths.get(path)?.channel ?? UNKNOWN)),
      customerId: row.customer_id,
      ...moneyOfDays(isPaid, paidMinor, refunds, days),
      netMinor: paidMinor === null ? null : paidMinor - refunded,
    }
  })
}

export async function listJourneyPayments(
  context: ProfileContext,
  range: DateRange,
  steps: readonly string[],
  page: { cursor?: string | undefined; limit: number },
  maxExamined = MAX_EXAMINED,
) {
  const after = readCursor(page.cursor)
  let next: Position | null = null
  const { currency } = context.profile
  const result = await report(context, scopeOf(range), async (snapshot) => {
    const collected = await collect(snapshot, range, steps.join(), after, page.limit, maxExamined)
    next = collected.next
    return {
      data: collected.sales.map(({ row, netMinor }) => ({
        conversion_id: row.conversion_id,
        occurred_at: row.occurred_at,
        value:
          row.value_minor === null || row.currency === null
            ? null
            : toDecimalNumber(row.value_minor, row.currency),
        currency: row.currency,
        outcome_value: netMinor === null ? null : toDecimalNumber(netMinor, currency),
      })),
    }
  })
  return { ...result, next: next as Position | null } satisfies Reported<unknown> & { next: Position | null }
}

const positionOf = ({ day, occurred_at, conversion_id }: JourneyPayment): Position => ({
  day,
  at: occurred_at.toISOString(),
  id: conversion_id,
})

async function collect(
  snapshot: Snapshot,
  range: DateRange,
  key: string,
  after: Position | null,
  limit: number,
  maxExamined: number,
): Promise<{ sales: SaleRow[]; next: Position | null }> {
  const { tx, profileId } = snapshot
  const sales: SaleRow[] = []
  let below: Position = after ?? { day: range.to, ...AFTER_ALL }
  for (let examined = 0; examined < maxExamined; ) {
    const most = Math.min(BATCH, maxExamined - examined)
    const rows = await journeyPayments(tx, { profileId, range, below, most })
    for (const sale of await toSales(snapshot, rows, range)) {
      if (sale.steps.join() !== key) continue
      const last = sales.at(-1)
      // One more than the page size shows whether there is a next page.
      if (sales.length === limit && last !== undefined) return { sales, next: positionOf(last.row) }
      sales.push(sale)
    }
    if (rows.length < most) return { sales, next: null }
    below = positionOf(rows.at(-1)!)
    examined += rows.length
  }
  return { sales, next: below }
}
