import { DAY_MS } from '../../../platform/contract/dates.ts'

export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'canceled'

/** Grace period of an unpaid plan, after which the limits of the free plan apply. */
const GRACE_MS = 14 * DAY_MS

export type SubscriptionState = { status: SubscriptionStatus; periodStart: Date; periodEnd: Date | null }

/**
 * The current state of a stored subscription. If plans are billed, an expired trial is past due and then canceled;
 * otherwise it becomes active, because the deployment's owner already pays for it.
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

/** The status after the paid period if no provider can be queried; null while the period lasts. */
export function statusAfterPaidPeriod(paidUntil: Date | null, now: Date): SubscriptionStatus | null {
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

/** How long before the end of a trial the owners are notified. */
export const TRIAL_NOTICE_MS = 3 * DAY_MS
const REMINDER_MS = 7 * DAY_MS

/** The notice for the current state of a subscription; the caller skips it if it was the last one sent. */
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
      // The provider decides when a paid plan ends; a trial ends after the grace period.
      if (row.billing_subscription === null && unpaidMs >= GRACE_MS - TRIAL_NOTICE_MS) return 'last_reminder'
      return unpaidMs >= REMINDER_MS ? 'payment_reminder' : 'payment_due'
    }
    case 'canceled':
      return 'ended'
    case 'active':
      return row.last_notice === null || row.last_notice === 'trial_ending' ? null : 'recovered'
  }
}
