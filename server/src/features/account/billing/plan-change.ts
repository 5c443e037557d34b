/** Changes the plan of an existing paid subscription; the provider charges the difference. */
import {
  type BillingAccount,
  createPlanChange,
  type PaidPlan,
  type PaidSubscription,
  readSubscription,
} from '../../../connectors/cardpay/checkout.ts'
import { ProviderError } from '../../../connectors/connector.ts'
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { toProviderApiError } from '../../sources/connections/session.ts'
import { linksOf, mintCheckout, settleCheckout } from '../../sources/handoffs/operations.ts'
import type { HandoffRow } from '../../sources/handoffs/queries.ts'
import { isStoreSubscription } from './store-plans.ts'

const BUDGET_MS = 10_000

type Payer = {
  plan: string
  status: string
  billing_customer: string | null
  billing_subscription: string | null
}

/** True if the subscription still charges, so that a second one would charge twice. */
export const isPaid = ({ billing_subscription: id, status }: Payer): boolean =>
  id !== null && status !== 'canceled'

/** Hand-offs for a plan change store the subscription's id in place of a checkout session's. */
export const isPlanChange = (id: string | undefined): boolean => id?.startsWith('sub_') === true

/** Undefined if the account does not have the subscription: it was deleted, or belongs to another account. */
export async function findSubscription(
  http: Outbound,
  account: BillingAccount,
  id: string,
): Promise<PaidSubscription | undefined> {
  try {
    return await readSubscription(http, account, id)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'not_found') return undefined
    throw error
  }
}

/** A subscription that is canceled at the provider, or does not exist there. */
export type EndedSubscription = { endedId: string; existsAtProvider: boolean }

export async function changePlan(
  service: Service,
  db: Db | Tx,
  { workspaceId, plan, payer }: { workspaceId: string; plan: PaidPlan; payer: Payer },
): Promise<{ id: string; url: string; expires_at: string | Date } | EndedSubscription> {
  const { billing_customer: customer, billing_subscription: subscriptionId } = payer
  if (isStoreSubscription(subscriptionId ?? undefined))
    throw new ApiError('invalid_state', 'The store platform bills this workspace; choose the plan there.', {
      reason: 'billed_by_store',
    })
  const id = uuidv7()
  const { url } = linksOf(service, id)
  let destination: string
  try {
    const { account, http } = service.billing!
    const within = http.within(BUDGET_MS)
    const current = await findSubscription(within, account, subscriptionId!)
    if (current === undefined || current.status === 'canceled')
      return { endedId: subscriptionId!, existsAtProvider: current !== undefined }
    if ((current.plan ?? payer.plan) === plan)
      throw new ApiError('invalid_state', `This workspace already pays for the ${plan} plan.`, {
        reason: 'already_on_plan',
      })
    destination = await createPlanChange(within, account, {
      customer: customer!,
      subscriptionId: subscriptionId!,
      itemId: current.itemId ?? '',
      plan,
      returnUrl: `${url}/paid`,
      cancelUrl: `${url}/cancelled`,
    })
  } catch (error) {
    throw error instanceof ApiError ? error : toProviderApiError(error)
  }
  const sessionId = subscriptionId!
  const handoff = await mintCheckout(service, db, { id, workspaceId, plan, destination, sessionId })
  return { id: handoff.id, url: handoff.url, expires_at: handoff.expires_at }
}

/** True once the provider reports the subscription on the chosen plan; returning from its page is not enough. */
export async function confirmPlanChange(
  service: Service,
  handoff: HandoffRow,
  refresh: () => Promise<void>,
): Promise<boolean> {
  if (handoff.status === 'completed') return true
  if (service.billing === undefined) return false
  const { plan, session_id: id } = handoff.detail as { plan: PaidPlan; session_id: string }
  const { account, http } = service.billing
  const current = await readSubscription(http.within(BUDGET_MS), account, id)
  if (current.plan !== plan || current.status === 'canceled') return false
  await refresh()
  await settleCheckout(service.db, { handoffId: handoff.id, status: 'completed', result: { plan } })
  return true
}
