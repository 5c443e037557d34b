/** Which of several events of one order counts, and whether browser money is confirmed. Pure. */
import type { StoredEvent } from '../events/stored.ts'
import { type Goal, goalsOf, isReceived } from './derive.ts'

export type BrowserRevenue = 'count' | 'confirm' | 'ignore'

/** An event that reports the sale of an order. */
export type OrderClaim = {
  orderRef: string
  revenueType: 'cash' | 'gross'
  eventId: string
  occurredAt: Date
  source: string
  rank: number
}

/** Trust order: payment processor, store, other providers, the merchant's server, browser. */
const stores = new Set(['storefront', 'woocommerce'])
const processors = new Set(['cardpay', 'regionalpay', 'cardgateway', 'banklink'])

function rankOf(event: Pick<StoredEvent, 'source' | 'provider'>): number {
  if (event.source === 'tracker') return 4
  if (event.provider === null) return 3
  if (processors.has(event.provider)) return 0
  return stores.has(event.provider) ? 1 : 2
}

export function claimsOf(event: StoredEvent, goals: readonly Goal[]): OrderClaim[] {
  const { order_ref: orderRef } = event.body
  if (orderRef === undefined || !isReceived(event)) return []
  const types = new Set(goalsOf(event, goals).map((goal) => goal.revenueType))
  return (['cash', 'gross'] as const)
    .filter((type) => types.has(type))
    .map((revenueType) => ({
      orderRef,
      revenueType,
      eventId: event.id,
      occurredAt: event.occurredAt,
      source: event.provider ?? event.source,
      rank: rankOf(event),
    }))
}

/**
 * Decides the claims on one order and revenue type. All claims of the most trusted source count, because an order may be
 * paid in parts; all others are duplicates of its earliest event. Independent of the order of arrival.
 */
export function decideSale(claims: readonly OrderClaim[]): Map<string, string | null> {
  const best = claims.toSorted(byTrust)[0]
  return new Map(
    claims.map((claim) => [claim.eventId, claim.source === best?.source ? null : (best?.eventId ?? null)]),
  )
}

function byTrust(a: OrderClaim, b: OrderClaim): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.source !== b.source) return a.source < b.source ? -1 : 1
  return a.occurredAt.getTime() - b.occurredAt.getTime() || (a.eventId < b.eventId ? -1 : 1)
}

/** `serverSince`: time of the first server payment; null if there is none. */
export function isUnconfirmed(
  event: StoredEvent,
  browserRevenue: BrowserRevenue,
  serverSince: Date | null,
): boolean {
  if (event.source !== 'tracker' || event.body.money === undefined) return false
  if (browserRevenue === 'count') return false
  if (browserRevenue === 'ignore') return true
  return serverSince !== null && event.occurredAt >= serverSince
}
