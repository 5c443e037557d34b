/** Cancels unused subscriptions at the provider, so that they stop charging. */
import { z } from 'zod'
import { cancelSubscription } from '../../../connectors/cardpay/checkout.ts'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../platform/contract/job.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { isStoreSubscription } from './store-plans.ts'

const BUDGET_MS = 10_000

export const cancelPayment = job({
  name: 'billing.cancel_payment',
  payload: z.object({ subscription_id: z.string() }),
  async run({ service }: JobContext, { subscription_id }) {
    const { billing } = service
    if (billing !== undefined)
      await cancelSubscription(billing.http.within(BUDGET_MS), billing.account, subscription_id)
  },
})

/** Queues the cancellation in the caller's transaction. A store's subscription ends when the store removes the app. */
export async function endPayment(
  tx: Tx,
  { billing_subscription: id, status }: { billing_subscription: string | null; status: string },
): Promise<void> {
  if (id !== null && status !== 'canceled' && !isStoreSubscription(id))
    await enqueue(tx, cancelPayment, { subscription_id: id })
}
