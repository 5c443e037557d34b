/** Applies the payer that the merchant chose to the payment and its credit. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Service } from '../../../context.ts'
import { job } from '../../../platform/contract/job.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { recomputeCustomers } from '../../attribution/crediting/incremental/recompute.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { recomputePayers } from '../../attribution/pipeline/refunds.ts'
import { applyPayer, findMarkedPayer, findPayment } from './queries.ts'

/** Does nothing if the payer is already applied. */
export async function creditPayer(
  service: Service,
  ref: { profileId: string; paymentId: string },
  lockWaitMs: number,
): Promise<void> {
  const { profileId, paymentId } = ref
  await service.db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(tx)
    await lockProfile(tx, profileId)
    const payment = await findPayment(tx, { profileId, id: paymentId })
    const marked = await findMarkedPayer(tx, ref)
    if (payment === undefined || marked === undefined || payment.payer_identifier_id === marked.payerId)
      return
    const profile = await loadAttributionProfile(tx, profileId)
    const now = service.clock.now()
    const reasonOf = () => ({ cause: 'payer_assigned', fact: { type: 'payment', id: paymentId } }) as const
    await applyPayer(tx, { profileId, payment, payerId: marked.payerId })
    await recomputeCustomers(tx, profile, [payment.customer_id], now, { reachIds: [], reasonOf })
    await recomputePayers(tx, profile, [paymentId], now, reasonOf)
  })
}

const JOB_LOCK_WAIT_MS = 60_000

export const completePayer = job({
  name: 'payments.complete_payer',
  payload: z.object({ profile_id: z.uuid(), payment_id: z.uuid() }),
  maxAttempts: 20,
  run: ({ service }, payload) =>
    creditPayer(service, { profileId: payload.profile_id, paymentId: payload.payment_id }, JOB_LOCK_WAIT_MS),
})
