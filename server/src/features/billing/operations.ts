/** Paying for a plan: a checkout hand-off whose payment the provider itself confirms. */
import { createCheckout, createPortal, readCheckout } from '../../connectors/cardpay/checkout.ts'
import type { Service, WorkspaceContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { uuidv7 } from '../../contract/ids.ts'
import { type Db, databaseNow, type Tx } from '../../db/database.ts'
import { toProviderApiError } from '../connections/session.ts'
import { linksOf, mintCheckout, settleCheckout } from '../handoffs/operations.ts'
import type { HandoffRow } from '../handoffs/queries.ts'

type PaidPlan = 'growth' | 'agency'
export type OfferedCheckout = { id: string; url: string; expires_at: string }

const BUDGET_MS = 10_000

/** The payment page is made first, so that a hand-off always has somewhere to lead. */
export async function offerCheckout(
  service: Service,
  db: Db | Tx,
  offer: { workspaceId: string; plan: PaidPlan },
): Promise<OfferedCheckout> {
  const { billing } = service
  if (billing === undefined) throw notConfigured()
  const id = uuidv7()
  const { url } = linksOf(service, id)
  let destination: string | null
  try {
    const session = await createCheckout(billing.http.within(BUDGET_MS), billing.account, {
      plan: offer.plan,
      reference: id,
      successUrl: `${url}/paid?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${url}/cancelled`,
    })
    destination = session.url
  } catch (error) {
    throw toProviderApiError(error)
  }
  if (destination === null)
    throw new ApiError('provider_error', 'The payment provider gave no page to pay at.')
  const handoff = await mintCheckout(service, db, { id, ...offer, destination })
  return { id: handoff.id, url: handoff.url, expires_at: handoff.expires_at }
}

/** Believes the provider, not the visit: the session must be this hand-off's, and paid. */
export async function confirmCheckout(
  service: Service,
  handoff: HandoffRow,
  sessionId: string,
): Promise<boolean> {
  const { billing } = service
  if (billing === undefined) return false
  const session = await readCheckout(billing.http.within(BUDGET_MS), billing.account, sessionId)
  const isPaid = session.payment_status === 'paid' || session.payment_status === 'no_payment_required'
  if (session.client_reference_id !== handoff.id || !isPaid) return false
  const { plan } = handoff.detail as { plan: PaidPlan }
  return service.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    await tx
      .updateTable('workspaces')
      .set({ plan })
      .where('id', '=', handoff.workspace_id)
      .where('archived_at', 'is', null)
      .execute()
    await tx
      .updateTable('workspace_subscriptions')
      .set({
        plan,
        status: 'active',
        trial_ends_at: null,
        billing_customer: session.customer,
        updated_at: now,
      })
      .where('workspace_id', '=', handoff.workspace_id)
      .execute()
    await settleCheckout(tx, { handoffId: handoff.id, status: 'completed', result: { plan } })
    return true
  })
}

export async function openPortal(context: WorkspaceContext): Promise<string> {
  const { billing, config } = context.service
  if (billing === undefined) throw notConfigured()
  const row = await context.db
    .selectFrom('workspace_subscriptions')
    .select('billing_customer')
    .where('workspace_id', '=', context.workspaceId)
    .executeTakeFirst()
  const customer = row?.billing_customer
  if (customer == null)
    throw new ApiError('invalid_state', 'Nobody has paid for this workspace yet; start with a checkout.', {
      reason: 'no_payer',
    })
  try {
    const returnUrl = config.BASE_URL
    return await createPortal(billing.http.within(BUDGET_MS), billing.account, { customer, returnUrl })
  } catch (error) {
    throw toProviderApiError(error)
  }
}

function notConfigured(): ApiError {
  return new ApiError('service_unavailable', 'Billing is not configured on this deployment.', {
    reason: 'billing_not_configured',
  })
}
