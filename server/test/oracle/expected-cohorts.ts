/** New customers of a world by month, campaign or channel, and their payments in the following months. */
import { inOrder, type Model } from './credit.ts'
import { dayIn, split, toNumber } from './decimal.ts'
import { addUp, type Delivered } from './delivery.ts'
import type { Expected } from './expected.ts'
import { channelOfTouch, deliveredByChannel } from './expected-channels.ts'
import { known } from './expected-figures.ts'
import { creditsOf, type Entry, isCounted, isIn, type PlacedTouch, type Range } from './ledger.ts'

export type CohortBy = 'month' | 'campaign' | 'channel'

type Customer = { first: Entry; paid: Map<number, bigint>; payments: Set<number> }
type Group = { customers: number; last: number; money: bigint[]; payers: number[] }

const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

/** By key: a month, the platform's id of a campaign or a channel; `''` for customers without a campaign. */
export function expectedCohorts(
  expected: Expected,
  query: { by: CohortBy; model: Model; range: Range; horizon: number },
): Record<string, unknown> {
  const { by, model, range, horizon } = query
  const { world } = expected.facts
  const today = monthOf(dayIn(world.zone, Math.max(...world.steps.map((step) => step.at))))
  const groups = new Map<string, Group>()
  const groupOf = (key: string) => {
    const group = groups.get(key) ?? {
      customers: 0,
      last: Number.NEGATIVE_INFINITY,
      money: Array.from({ length: horizon + 1 }, () => 0n),
      payers: Array.from({ length: horizon + 1 }, () => 0),
    }
    groups.set(key, group)
    return group
  }
  if (by === 'month') for (const month of monthsOf(range)) groupOf(month).last = monthOf(month)
  for (const { first, paid, payments } of customersIn(expected, range)) {
    const start = monthOf(first.conversion.day)
    const shares = by === 'month' ? [] : creditsOf(first, model)
    const keyOf = (touch: PlacedTouch) =>
      by === 'campaign' ? (touch.place.campaign ?? '') : channelOfTouch(expected, touch)
    const uncredited = by === 'month' ? first.conversion.day.slice(0, 7) : by === 'campaign' ? '' : 'unknown'
    const keys = shares.length === 0 ? [uncredited] : shares.map(({ touch }) => keyOf(touch))
    const weights = shares.length === 0 ? [1n] : shares.map(({ weight }) => weight)
    for (const key of new Set(keys)) {
      const group = groupOf(key)
      group.customers++
      group.last = Math.max(group.last, start)
    }
    for (let months = 0; months <= horizon; months++) {
      if (payments.has(start + months)) for (const key of new Set(keys)) groupOf(key).payers[months]!++
      const parts = split(paid.get(start + months) ?? 0n, weights)
      for (const [index, key] of keys.entries()) groupOf(key).money[months]! += parts[index]!
    }
  }
  return Object.fromEntries(
    [...groups].map(([key, group]) => [
      key,
      toRow(expected, group, spendOf(expected, by, key, range), today),
    ]),
  )
}

/** Customers whose earliest first payment is in the range, with all their payments and refunds by month. */
function customersIn(expected: Expected, range: Range): Customer[] {
  const { ledger } = expected
  const cash = ledger.entries.filter(
    ({ conversion }) => conversion.revenueType === 'cash' && isCounted(conversion),
  )
  const customers: Customer[] = []
  for (const entries of Map.groupBy(cash, ({ customer }) => customer).values()) {
    const openings = entries.filter(({ conversion }) => ledger.first.get(conversion.eventId)?.isOpening)
    const [earliest] = inOrder(openings.map(({ conversion }) => ({ ...conversion, id: conversion.eventId })))
    const first = openings.find(({ conversion }) => conversion.eventId === earliest?.eventId)
    if (first === undefined || !isIn(range, first.conversion.day)) continue
    const paid = new Map<number, bigint>()
    const payments = new Set<number>()
    const add = (day: string, minor: bigint) => paid.set(monthOf(day), (paid.get(monthOf(day)) ?? 0n) + minor)
    const givenBack = new Set<string>()
    for (const { conversion } of entries) {
      add(conversion.day, conversion.report ?? 0n)
      payments.add(monthOf(conversion.day))
      // A payment that several goals count is refunded once.
      if (givenBack.has(conversion.eventId)) continue
      givenBack.add(conversion.eventId)
      for (const refund of conversion.refunds) add(refund.day, -(refund.report ?? 0n))
    }
    customers.push({ first, paid, payments })
  }
  return customers
}

function monthsOf({ from, to }: Range): string[] {
  const months: string[] = []
  for (let month = monthOf(from); month <= monthOf(to); month++)
    months.push(`${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`)
  return months
}

function spendOf(expected: Expected, by: CohortBy, key: string, range: Range): Delivered {
  if (by === 'campaign') return expected.deliveryOf(key, range)
  if (by === 'channel') return addUp(deliveredByChannel(expected, range).get(key) ?? [])
  const [from, to] = [`${key}-01`, `${key}-31`]
  const days = { from: from > range.from ? from : range.from, to: to < range.to ? to : range.to }
  return addUp([...expected.platformDeliveries(days).values()])
}

function toRow(expected: Expected, group: Group, delivered: Delivered, today: number): object {
  const spend = known(delivered.spend, delivered.fxMissing)
  const money = (minor: bigint | null) => (minor === null ? null : toNumber(minor, expected.currency))
  const isOver = (months: number) => group.last + months < today
  let sum = 0n
  const cumulative = group.money.map((minor, months) => {
    sum += minor
    return isOver(months) ? sum : null
  })
  const payback =
    spend === null || spend <= 0n ? -1 : cumulative.findIndex((minor) => minor !== null && minor >= spend)
  return {
    size: group.customers,
    spend: money(spend),
    cumulative_revenue: cumulative.map(money),
    paying_customers: group.payers.map((payers, months) => (isOver(months) ? payers : null)),
    payback_month: payback < 0 ? null : payback,
  }
}
