/** Paid plans: checkout hand-offs, whose payment is confirmed with the provider. */

import {
  type CheckoutSession,
  createCheckout,
  createPortal,
  type PaidPlan,
  readCheckout,
  readSubscription,
} from '../../../connectors/cardpay/checkout.ts'
import type { Service, WorkspaceContext } from '../../../context.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { type Db, databaseNow, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { toProviderApiError } from '../../sources/connections/session.ts'
import { linksOf, mintCheckout, settleCheckout } from '../../sources/handoffs/operations.ts'
import { findHandoff, type HandoffRow } from '../../sources/handoffs/queries.ts'
import { HANDOFF_LIFE_MS } from '../../sources/handoffs/rules.ts'
import { endPayment } from './payment-end.ts'
import {
  changePlan,
  confirmPlanChange,
  type EndedSubscription,
  findSubscription,
  isPaid,
  isPlanChange,
} from './plan-change.ts'
import * as queries from './queries.ts'
import { subscriptionAt, toState } from './rules.ts'
import { confirmStorePlan, isStoreSubscription, refreshStorePlan } from './store-plans.ts'

export type OfferedCheckout = { id: string; url: string; expires_at: string | Date }

const BUDGET_MS = 10_000

/** Creates the payment page before the hand-off, so that a hand-off always has a destination. */
export async function createCheckoutSession(
  service: Service,
  db: Db | Tx,
  offer: { workspaceId: string; plan: PaidPlan },
): Promise<OfferedCheckout> {
  const { billing } = service
  if (billing === undefined) throw notConfigured()
  const payer = await queries.findPayer(db, offer)
  let customer = payer?.billing_customer ?? undefined
  if (payer !== undefined && isPaid(payer)) {
    const change = await changePlan(service, db, { ...offer, payer })
    if (!('endedId' in change)) return change
    await inTransaction(db, (tx) => recordEnd(tx, offer.workspaceId, change))
    if (!change.existsAtProvider) customer = undefined
  }
  const id = uuidv7()
  const { url } = linksOf(service, id)
  let session: CheckoutSession
  try {
    session = await createCheckout(billing.http.within(BUDGET_MS), billing.account, {
      plan: offer.plan,
      reference: id,
      customer,
      successUrl: `${url}/paid?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${url}/cancelled`,
      expiresAt: new Date(service.clock.machineNow().getTime() + HANDOFF_LIFE_MS),
    })
  } catch (error) {
    throw toProviderApiError(error)
  }
  const { id: sessionId, url: destination } = session
  if (destination === null)
    throw new ApiError('provider_error', 'The payment provider returned no payment page.')
  const handoff = await mintCheckout(service, db, { id, ...offer, destination, sessionId })
  return { id: handoff.id, url: handoff.url, expires_at: handoff.expires_at }
}

/** Checks with the provider that the session belongs to this hand-off and is paid. Applied at most once. */
export async function confirmCheckout(
  service: Service,
  handoff: HandoffRow,
  sessionId: string,
): Promise<boolean> {
  const { billing } = service
  if (handoff.status === 'completed') return true
  if (billing === undefined) return false
  const http = billing.http.within(BUDGET_MS)
  const session = await readCheckout(http, billing.account, sessionId)
  const isPaid = session.payment_status === 'paid' || session.payment_status === 'no_payment_required'
  if (session.client_reference_id !== handoff.id || !isPaid) return false
  const paid =
    session.subscription === null ? null : await readSubscription(http, billing.account, session.subscription)
  const { plan } = handoff.detail as { plan: PaidPlan }
  return service.db.transaction().execute(async (tx) => {
    // The return page, the webhook and the polling job race: the first one applies the change.
    const isFirst = await settleCheckout(tx, { handoffId: handoff.id, status: 'completed', result: { plan } })
    if (!isFirst) return (await findHandoff(tx, { id: handoff.id }))?.status === 'completed'
    const now = await databaseNow(tx)
    const before = await queries.lockSubscription(tx, { workspaceId: handoff.workspace_id })
    // Two checkouts of one workspace were paid: cancel the earlier subscription.
    if (before !== undefined && before.billing_subscription !== session.subscription)
      await endPayment(tx, before)
    await saveSubscription(tx, handoff.workspace_id, {
      plan,
      status: paid?.status ?? 'active',
      trial_ends_at: null,
      current_period_start: paid?.periodStart ?? now,
      current_period_end: paid?.periodEnd ?? null,
      billing_customer: session.customer,
      billing_subscription: session.subscription,
      cancels_at: paid?.cancelsAt ?? null,
      updated_at: now,
    })
    return true
  })
}

/** Confirms a checkout of any provider; without a session id, the session that the hand-off was created with. */
export async function confirmAnyCheckout(
  service: Service,
  handoff: HandoffRow,
  sessionId: string | undefined,
): Promise<boolean> {
  const detail = handoff.detail as { session_id?: string }
  if (isStoreSubscription(detail.session_id)) return confirmStorePlan(service, handoff, saveSubscription)
  if (isPlanChange(detail.session_id))
    return confirmPlanChange(service, handoff, () => refreshSubscription(service, detail.session_id!))
  const sessionIdToCheck = sessionId ?? detail.session_id
  return sessionIdToCheck !== undefined && (await confirmCheckout(service, handoff, sessionIdToCheck))
}

/** Updates the subscription and records the change in the workspace's audit log. */
async function saveSubscription(
  tx: Tx,
  workspaceId: string,
  fields: queries.SubscriptionChange,
): Promise<void> {
  const before = await queries.lockSubscription(tx, { workspaceId })
  if (before === undefined) return
  const { plan, status } = before
  const after = { plan: fields.plan ?? plan, status: fields.status ?? status }
  const pastDueSince =
    after.status === 'past_due' ? (before.past_due_since ?? fields.past_due_since ?? fields.updated_at) : null
  // A plan that is paid again may end again, which is mailed again.
  const isReactivated = after.status !== 'canceled' && before.last_notice === 'ended'
  await queries.updateSubscription(tx, {
    workspaceId,
    fields: { ...fields, past_due_since: pastDueSince, ...(isReactivated && { last_notice: null }) },
  })
  if (after.plan !== plan) await queries.savePlan(tx, { workspaceId, plan: after.plan })
  if (after.plan === plan && after.status === status) return
  await recordChange(
    tx,
    { now: await databaseNow(tx) },
    {
      workspaceId,
      action: 'subscription.changed',
      subject: workspaceId,
      detail: { before: { plan, status }, after },
    },
  )
}

/**
 * Ends the subscription unless another one has replaced it. If the provider's account does not have the subscription, it
 * does not have its customer either.
 */
async function recordEnd(
  tx: Tx,
  workspaceId: string,
  { endedId, existsAtProvider }: EndedSubscription,
): Promise<void> {
  const row = await queries.lockSubscription(tx, { workspaceId })
  if (row?.billing_subscription === endedId)
    await saveSubscription(tx, workspaceId, {
      status: 'canceled',
      ...(existsAtProvider ? {} : { billing_customer: null }),
      cancels_at: null,
      updated_at: await databaseNow(tx),
    })
}

/** Updates a paid subscription from the provider: changed plan, renewed, unpaid or ended. */
export async function refreshSubscription(service: Service, subscriptionId: string): Promise<void> {
  const { billing } = service
  const workspaceId = await queries.findPayingWorkspace(service.db, { subscriptionId })
  if (workspaceId === undefined) return
  if (isStoreSubscription(subscriptionId))
    return refreshStorePlan(service, { workspaceId, subscriptionId }, saveSubscription)
  if (billing === undefined) return
  const paid = await findSubscription(billing.http.within(BUDGET_MS), billing.account, subscriptionId)
  if (paid === undefined)
    return inTransaction(service.db, (tx) =>
      recordEnd(tx, workspaceId, { endedId: subscriptionId, existsAtProvider: false }),
    )
  await service.db.transaction().execute(async (tx) =>
    saveSubscription(tx, workspaceId, {
      status: paid.status,
      ...(paid.plan === null ? {} : { plan: paid.plan }),
      ...(paid.periodStart === null ? {} : { current_period_start: paid.periodStart }),
      current_period_end: paid.periodEnd,
      cancels_at: paid.cancelsAt,
      updated_at: await databaseNow(tx),
    }),
  )
}

/** Expired, unpaid trials become past due, and canceled after the grace period. */
export async function endTrials(service: Service, now: Date): Promise<void> {
  for (const { workspace_id: workspaceId } of await queries.listExpiredTrials(service.db, { now }))
    await service.db.transaction().execute(async (tx) => {
      const row = await queries.lockSubscription(tx, { workspaceId })
      if (row === undefined || row.billing_subscription !== null) return
      const state = subscriptionAt({ ...toState(row), status: 'trialing' }, now, true)
      if (state.status === row.status || state.status === 'trialing') return
      await saveSubscription(tx, workspaceId, {
        status: state.status,
        current_period_start: state.periodStart,
        current_period_end: state.periodEnd,
        past_due_since: state.periodStart,
        updated_at: now,
      })
    })
}

/** Checks every open checkout with its provider. A failure does not stop the others. */
export async function checkOpenCheckouts(service: Service, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS)
  for (const handoff of await queries.listOpenCheckouts(service.db, { since })) {
    await logFailure(service, handoff.id, () => confirmAnyCheckout(service, handoff, undefined))
  }
}

export async function refreshStaleSubscriptions(service: Service, now: Date): Promise<void> {
  for (const id of await queries.listStaleSubscriptions(service.db, {
    now,
    readBefore: new Date(now.getTime() - DAY_MS),
  }))
    await logFailure(service, undefined, () => refreshSubscription(service, id))
}

async function logFailure(service: Service, handoffId: string | undefined, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (error) {
    service.log.warn('billing provider not reached; retried in the next run', {
      ...(handoffId && { handoff_id: handoffId }),
      error,
    })
  }
}

export async function createBillingPortalSession(context: WorkspaceContext) {
  const { billing, config } = context.service
  if (billing === undefined) throw notConfigured()
  const payer = await queries.findPayer(context.db, { workspaceId: context.workspaceId })
  const customer = payer?.billing_customer
  if (customer == null)
    throw new ApiError(
      'invalid_state',
      'This workspace has no payment yet; create a checkout session first.',
      {
        reason: 'no_payer',
      },
    )
  try {
    const returnUrl = config.BASE_URL
    const { account, http } = billing
    return { url: await createPortal(http.within(BUDGET_MS), account, { customer, returnUrl }) }
  } catch (error) {
    throw toProviderApiError(error)
  }
}

function notConfigured(): ApiError {
  return new ApiError('service_unavailable', 'Billing is not configured on this deployment.', {
    reason: 'billing_not_configured',
  })
}
