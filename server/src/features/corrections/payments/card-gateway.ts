/** Card-gateway payments that the merchant reports directly. They create the same event as a connection does. */

import type { z } from 'zod'
import { emptyPerson } from '../../../connectors/person.ts'
import type { ProfileContext } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { parseMoney } from '../../../platform/contract/money.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { toIntegrationEvents } from '../../facts/events/integrations.ts'
import { isIdentifierQueued } from '../../facts/events/queue.ts'
import { hashOf } from '../../facts/events/rules.ts'
import { identifierId } from '../../facts/identity/identifiers.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import type * as contract from './contract.ts'
import { gatewayRef } from './rules.ts'

const MAX_AHEAD_MS = DAY_MS

type Body = z.output<NonNullable<(typeof contract.reportCardGatewayPayment)['body']>>

/** Validates the report without reading the database. */
export function readReport(body: Body, now: Date) {
  const externalId = accepted(gatewayRef(body.merchant_id, body.payment_id))
  const parsed = parseMoney(body.value, body.currency)
  if (!parsed.ok) throw new ApiError('validation_error', `${parsed.message}.`, { field: 'value' })
  if (parsed.amountMinor < 0)
    throw new ApiError('validation_error', 'must not be negative.', { field: 'value' })
  const occurredAt = body.occurred_at === undefined ? now : new Date(body.occurred_at)
  if (occurredAt.getTime() > now.getTime() + MAX_AHEAD_MS)
    throw new ApiError('validation_error', 'must be at most 24 hours in the future.', {
      field: 'occurred_at',
    })
  return { externalId, amountMinor: parsed.amountMinor, occurredAt }
}

export async function reportCardGatewayPayment(context: ProfileContext, body: Body) {
  const { service, profile, now } = context
  const { externalId, amountMinor, occurredAt } = readReport(body, now)
  await checkCustomerRef(context, body.customer)
  const [event] = toIntegrationEvents(
    [
      {
        type: 'payment',
        externalId,
        occurredAt: occurredAt.toISOString(),
        amount: { amountMinor, currency: body.currency },
        status: body.status,
        person: toPerson(body.customer),
        orderId: body.order_id ?? null,
      },
    ],
    { ...identityScope(service, profile), provider: 'cardgateway', now },
  )
  // Without `occurred_at`, a retry keeps the time of the first report.
  const reportedEvent =
    body.occurred_at === undefined ? { ...event!, occurredAt: null, contentHash: hashOf(body) } : event!
  const [status] = await service.ingest.add(profile.id, [reportedEvent])
  if (status === 'retracted')
    throw new ApiError('invalid_state', 'This payment was retracted.', { reason: 'event_retracted' })
  return { payment_id: reportedEvent.id, status: status! }
}

function toPerson(customer: Body['customer']) {
  return {
    ...emptyPerson(),
    email: customer?.email ?? null,
    phone: customer?.phone ?? null,
    country: customer?.country ?? null,
    firstName: customer?.first_name ?? null,
    lastName: customer?.last_name ?? null,
    externalId: customer?.external_ref ?? null,
    anonymousId: customer?.anonymous_id ?? null,
  }
}

type CustomerRef = {
  external_ref?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
}

/** Without email and phone, external_ref must identify an existing customer or one in a queued event. */
export async function checkCustomerRef(
  context: ProfileContext,
  customer: CustomerRef | undefined,
): Promise<void> {
  const ref = customer?.external_ref?.trim()
  if (ref === undefined || ref === '' || customer?.email || customer?.phone) return
  const { service, profile } = context
  const reference = {
    profileId: profile.id,
    identifierId: identifierId('external_id', ref, profile.id, service.identityPepper),
  }
  const exists = async () => (await findLiveCustomer(context.db, reference)) !== undefined
  // The customer is looked up twice: the queued event may be processed between the first two queries.
  if (!(await exists()) && !(await isIdentifierQueued(context.db, reference)) && !(await exists()))
    throw new ApiError(
      'unknown_customer_ref',
      'No customer of this profile has this customer.external_ref; send customer.email or customer.phone with it.',
    )
}
