import type { ProfileContext } from '../../../context.ts'
import { recordInProfile } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { databaseNow, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { recomputeCustomers } from '../../attribution/crediting/incremental/recompute.ts'
import { type AttributionProfile, loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { isRefundable } from '../../attribution/pipeline/refund-rules.ts'
import { recalculateRefunds, recomputePayers, saveRefunds } from '../../attribution/pipeline/refunds.ts'
import { identifierId, normaliseEmail, phoneIdOf } from '../../facts/identity/identifiers.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import type { Cause } from '../../facts/restatements/causes.ts'
import { completePayer, creditPayer } from './payer.ts'
import { deleteManualRefund, findPayment, markInstallment, markPayer, type PaymentRow } from './queries.ts'
import { readRefundAmount, readRefundTime } from './rules.ts'

/** The request recomputes credit itself; the job does so if the request failed. */
const COMPLETE_AFTER_MS = 5000
const CREDIT_LOCK_WAIT_MS = 5000

const noPayment = () => new ApiError('not_found', 'No such payment.')

/** Returns the detail of the audit entry. */
type Change = (tx: Tx, payment: PaymentRow, profile: AttributionProfile) => Promise<Record<string, unknown>>

/** Applies a change under the profile's lock, recomputes credit, writes the audit entry and returns the new payment. */
async function changePayment(
  context: ProfileContext,
  paymentId: string,
  { action, cause }: { action: string; cause: Cause },
  apply: Change,
): Promise<PaymentRow> {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const payment = await findPayment(tx, { profileId, id: paymentId })
    if (payment === undefined) throw noPayment()
    const profile = await loadAttributionProfile(tx, profileId)
    const detail = await apply(tx, payment, profile)
    const reasonOf = () => ({ cause, fact: { type: 'payment' as const, id: paymentId } })
    await recomputeCustomers(tx, profile, [payment.customer_id], context.now, { reachIds: [], reasonOf })
    await recomputePayers(tx, profile, [paymentId], context.now, reasonOf)
    const after = (await findPayment(tx, { profileId, id: paymentId }))!
    await recordInProfile(tx, context, {
      action,
      subject: paymentId,
      detail: { ...detail, before: toAuditValues(payment), after: toAuditValues(after) },
    })
    return after
  })
}

/** The values of a payment that the merchant can change. */
function toAuditValues(payment: PaymentRow) {
  return {
    is_installment: payment.is_installment,
    payer_id: payment.payer_identifier_id,
    refund_minor: payment.manual_minor,
  }
}

export function setInstallment(context: ProfileContext, paymentId: string, isInstallment: boolean) {
  return changePayment(
    context,
    paymentId,
    { action: 'payment.installment', cause: 'updated_event' },
    async (tx, payment) => {
      await markInstallment(tx, { profileId: context.profile.id, id: payment.id, isInstallment })
      return { is_installment: isInstallment }
    },
  )
}

export type PayerChoice = {
  customer_id?: string | null | undefined
  email?: string | undefined
  phone?: string | undefined
}

/** Records the payer first and recomputes credit in a second transaction; a job completes that if it fails. */
export async function setPayer(
  context: ProfileContext,
  paymentId: string,
  choice: PayerChoice,
): Promise<PaymentRow> {
  const { service, profile } = context
  const ref = { profileId: profile.id, paymentId }
  await service.db.transaction().execute(async (tx) => {
    if ((await findPayment(tx, { profileId: profile.id, id: paymentId })) === undefined) throw noPayment()
    const payerId = await choosePayer(tx, context, choice)
    await markPayer(tx, { ...ref, payerId })
    const runAt = new Date((await databaseNow(tx)).getTime() + COMPLETE_AFTER_MS)
    const payload = { profile_id: profile.id, payment_id: paymentId }
    await enqueue(tx, completePayer, payload, { profileId: profile.id, dedupeKey: paymentId, runAt })
    await recordInProfile(tx, context, {
      action: 'payment.payer',
      subject: paymentId,
      detail: { customer_id: payerId },
    })
  })
  try {
    await creditPayer(service, ref, CREDIT_LOCK_WAIT_MS)
  } catch (error) {
    throw new ApiError(
      'payment_assignment_incomplete',
      'The payer is saved; reports will show it within a minute.',
      { cause: error, retryAfter: 30 },
    )
  }
  const payment = await findPayment(service.db, { profileId: profile.id, id: paymentId })
  if (payment === undefined) throw noPayment()
  return payment
}

/** Refuses the id of a customer that was merged into another. */
async function choosePayer(tx: Tx, context: ProfileContext, choice: PayerChoice): Promise<string | null> {
  const profileId = context.profile.id
  if (choice.customer_id === null) return null
  const id = choice.customer_id ?? identifierOf(context, choice)
  const customer = id === undefined ? undefined : await findLiveCustomer(tx, { profileId, identifierId: id })
  if (customer === undefined || (choice.customer_id !== undefined && customer !== id))
    throw new ApiError('customer_not_in_profile', 'No such customer in this profile.')
  return customer
}

function identifierOf(context: ProfileContext, choice: PayerChoice): string | undefined {
  const { service, profile } = context
  const email = choice.email === undefined ? undefined : normaliseEmail(choice.email)
  if (email !== undefined) return identifierId('email', email, profile.id, service.identityPepper)
  return choice.phone === undefined ? undefined : phoneIdOf(choice.phone, identityScope(service, profile))
}

export function recordRefund(
  context: ProfileContext,
  paymentId: string,
  body: { amount: number | string; reason?: string | undefined; refunded_at?: string | undefined },
) {
  return changePayment(
    context,
    paymentId,
    { action: 'payment.refunded', cause: 'refund' },
    async (tx, payment, profile) => {
      if (payment.manual_minor !== null)
        throw new ApiError('manual_refund_exists', 'This payment has a manual refund; delete it first.')
      if (!isRefundable(payment.status))
        throw new ApiError('invalid_state', `A payment with status ${payment.status} cannot be refunded.`, {
          reason: 'payment_not_settled',
        })
      const refundableMinor = payment.value_minor - payment.provider_refunds_minor
      const amountMinor = accepted(readRefundAmount(body.amount, payment.currency, refundableMinor))
      const occurredAt = accepted(readRefundTime(body.refunded_at, payment.occurred_at, context.now))
      const refund = {
        id: uuidv5(payment.id, 'manual refund'),
        paymentId: payment.id,
        kind: 'manual' as const,
        externalId: null,
        occurredAt,
        amountMinor,
        currency: payment.currency,
        reason: body.reason ?? null,
      }
      await saveRefunds(tx, profile, [refund], context.now)
      return { amount_minor: amountMinor, currency: payment.currency }
    },
  )
}

export function deleteRefund(context: ProfileContext, paymentId: string) {
  return changePayment(
    context,
    paymentId,
    { action: 'payment.refund_undone', cause: 'refund_undone' },
    async (tx, payment, profile) => {
      const deleted = await deleteManualRefund(tx, { profileId: context.profile.id, paymentId: payment.id })
      if (!deleted) throw new ApiError('not_found', 'This payment has no manual refund.')
      await recalculateRefunds(tx, profile, [payment.id])
      return {}
    },
  )
}
