import { DAY_MS } from '../../../platform/contract/dates.ts'

export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'canceled'

/** An unpaid plan is kept for so long, then falls back to what the free plan allows. */
const GRACE_MS = 14 * DAY_MS

export type SubscriptionState = { status: SubscriptionStatus; periodStart: Date; periodEnd: Date | null }

/**
 * What a stored subscription is by now. A trial that ran out is past due and then canceled where plans are
 * billed; elsewhere it turns active: the deployment's owner pays for it already.
 */
export function subscriptionAt(
  stored: SubscriptionState & { trialEndsAt: Date | null },
  now: Date,
  isBilled: boolean,
): SubscriptionState {
  const { status, periodStart, periodEnd, trialEndsAt } = stored
  if (status !== 'trialing' || trialEndsAt === null || trialEndsAt > now)
    return { status, periodStart, periodEnd }
  if (!isBilled) return { status: 'active', periodStart: trialEndsAt, periodEnd: null }
  const graceEndsAt = new Date(trialEndsAt.getTime() + GRACE_MS)
  return graceEndsAt > now
    ? { status: 'past_due', periodStart: trialEndsAt, periodEnd: graceEndsAt }
    : { status: 'canceled', periodStart: graceEndsAt, periodEnd: null }
}

/** A paid time that is over, where no one can be asked whether it was paid on; null while it lasts. */
export function unpaidSince(paidUntil: Date | null, now: Date): SubscriptionStatus | null {
  if (paidUntil === null || paidUntil > now) return null
  return paidUntil.getTime() + GRACE_MS > now.getTime() ? 'past_due' : 'canceled'
}

export function toState(row: {
  status: string
  current_period_start: Date
  current_period_end: Date | null
  trial_ends_at: Date | null
}) {
  return {
    status: row.status as SubscriptionStatus,
    periodStart: row.current_period_start,
    periodEnd: row.current_period_end,
    trialEndsAt: row.trial_ends_at,
  }
}

export const notices = [
  'trial_ending',
  'payment_due',
  'payment_reminder',
  'last_reminder',
  'ended',
  'recovered',
  'store_bills_on',
] as const
export type Notice = (typeof notices)[number]

/** Owners read of the end of a trial so long ahead. */
export const TRIAL_NOTICE_MS = 3 * DAY_MS
const REMINDER_MS = 7 * DAY_MS

/** The mail that describes the state of a subscription; the caller leaves out the one that was sent last. */
export function noticeFor(
  row: {
    status: string
    trial_ends_at: Date | null
    past_due_since: Date | null
    billing_subscription: string | null
    last_notice: string | null
  },
  now: Date,
): Notice | null {
  switch (row.status as SubscriptionStatus) {
    case 'trialing': {
      const leftMs = (row.trial_ends_at?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()
      return leftMs <= TRIAL_NOTICE_MS ? 'trial_ending' : null
    }
    case 'past_due': {
      const unpaidMs = now.getTime() - (row.past_due_since ?? now).getTime()
      // When the provider ends a paid plan is its decision; a trial ends after the grace.
      if (row.billing_subscription === null && unpaidMs >= GRACE_MS - TRIAL_NOTICE_MS) return 'last_reminder'
      return unpaidMs >= REMINDER_MS ? 'payment_reminder' : 'payment_due'
    }
    case 'canceled':
      return 'ended'
    case 'active':
      return row.last_notice === null || row.last_notice === 'trial_ending' ? null : 'recovered'
  }
}
