import { identifierKinds, models } from '@whence/engine'
import { z } from 'zod'
import { amountForm } from '../../../platform/contract/amounts.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  Contact,
  Country,
  Currency,
  Instant,
  NamedEntity,
  REQUIRED,
} from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'payments'
const reads = { kind: 'profile', scopes: ['payments:read'] } as const
const writes = { kind: 'profile', scopes: ['payments:write'] } as const
const byId = z.object({ payment_id: z.uuid() })
const amount = z.union([z.number(), z.string().max(40)])

const text = z.string().nullable()

export const Payment = z.object({
  payment_id: z.uuid(),
  occurred_at: Instant,
  provider: z.string(),
  value: z.number(),
  currency: z.string(),
  /** All that went back, by the provider, by dispute and by hand. */
  refunded_value: z.number(),
  net_value: z
    .number()
    .nullable()
    .describe('Null for a payment that failed or has not arrived, and while a refund waits for a rate'),
  refunds_waiting: z
    .boolean()
    .describe(
      'A refund is in another currency than the payment and no exchange rate between the two is known for its day: it is not subtracted yet',
    ),
  /** The reported refunds are more than the payment is worth now; only as much as it is worth counts. */
  refunds_capped: z.boolean(),
  status: z.string(),
  customer_id: z.uuid().nullable(),
  /** Null where no one was named. The person is withheld from credentials that may not read people. */
  payer: z
    .object({
      customer_id: z.uuid(),
      assigned: z.boolean(),
      contact: Contact.nullable(),
      contact_withheld: z.boolean(),
    })
    .nullable(),
  is_first_payment: z.boolean(),
  is_installment: z.boolean(),
  /** The refund recorded by hand. */
  refund: z
    .object({
      value: z.number(),
      currency: z.string().describe('That of the payment; its own while it waits for a rate'),
      reason: text,
      refunded_at: Instant,
    })
    .nullable(),
})

const amountBound = z.string().regex(amountForm, 'not a plain decimal such as 129.90').optional()

const instant = (text: string) =>
  z
    .string()
    .max(64)
    .optional()
    .meta({ description: text, [REQUIRED]: true })

/** Checked by the operation, because each has a code of its own. */
const listQuery = {
  from: instant('Not before this time; ISO 8601, or a day'),
  to: instant('Not after this time; ISO 8601, or a day'),
  ...pageQuery,
}

export const listPayments = endpoint({
  name: 'listPayments',
  mcp: {
    description: 'Payments, newest first, with refunds and payer (status unidentified: without one).',
    concise: 'payment_id occurred_at provider value currency net_value status customer_id is_first_payment',
  },
  method: 'GET',
  path: '/payments',
  summary: 'Payments with manual corrections',
  description:
    'Between `from` and `to`, newest first, with refunds and first-payment flags. `search` takes an amount, an order or payment id and, with `customers:read`, the payer: name, email, phone. `amount_min` and `amount_max` are in the currency of each payment.',
  tag,
  personLevel: 'withheld',
  access: reads,
  query: z.object({
    status: z.string().max(40).optional(),
    search: z.string().trim().min(1).max(320).optional(),
    amount_min: amountBound,
    amount_max: amountBound,
    ...listQuery,
  }),
  reply: z.array(Payment),
  extra: { pagination: Pagination },
  errors: ['status_invalid', 'range_invalid'],
})

export const setInstallment = endpoint({
  name: 'setInstallment',
  method: 'PUT',
  path: '/payments/{payment_id}/installment',
  summary: 'Mark or unmark a later installment, which is never a first payment',
  description: 'First-payment flags of the customer are derived again at once.',
  tag,
  personLevel: 'withheld',
  access: writes,
  params: byId,
  body: z.strictObject({ is_installment: z.boolean() }),
  reply: Payment,
  errors: ['not_found'],
})

export const setPayer = endpoint({
  name: 'setPayer',
  mcp: {
    description:
      'Assign a payment to a customer (one of customer_id, email, phone; customer_id null removes it).',
    preview: 'listPayments',
  },
  method: 'PUT',
  path: '/payments/{payment_id}/payer',
  summary: 'Set the payer by customer id, email or phone; customer_id null removes it',
  description: "The payment moves to that customer's journey and is credited again.",
  tag,
  personLevel: 'withheld',
  access: writes,
  params: byId,
  body: z
    .strictObject({
      customer_id: z.uuid().nullable().optional(),
      email: z.string().min(3).max(320).optional(),
      phone: z.string().min(3).max(64).optional(),
    })
    .refine(
      (body) =>
        [body.customer_id, body.email, body.phone].filter((value) => value !== undefined).length === 1,
      'give one of customer_id, email and phone',
    ),
  reply: Payment,
  errors: ['not_found', 'customer_not_in_profile', 'payment_assignment_incomplete'],
  example: { body: { email: 'ana@example.com' } },
})

export const recordRefund = endpoint({
  name: 'recordRefund',
  method: 'POST',
  path: '/payments/{payment_id}/refund',
  summary: 'Record a refund made outside the provider; at most one per payment',
  description:
    'Counts as negative revenue on the day of the refund. Refunds that a provider reports come by themselves.',
  tag,
  personLevel: 'withheld',
  access: writes,
  params: byId,
  body: z.strictObject({
    amount,
    reason: z.string().trim().max(500).optional(),
    refunded_at: z.iso.datetime({ offset: true }).optional(),
  }),
  reply: Payment,
  statuses: [201],
  errors: ['not_found', 'amount_invalid', 'manual_refund_exists', 'invalid_state'],
})

export const deleteRefund = endpoint({
  name: 'deleteRefund',
  method: 'DELETE',
  path: '/payments/{payment_id}/refund',
  summary: 'Undo a refund that was recorded by hand',
  description: 'Refunds that a provider reported cannot be undone here.',
  tag,
  personLevel: 'withheld',
  access: writes,
  params: byId,
  reply: Payment,
  errors: ['not_found'],
})

const named = NamedEntity.nullable()

export const listPaymentLinkage = endpoint({
  name: 'listPaymentLinkage',
  method: 'GET',
  path: '/payments/linkage',
  summary: 'How each sale reached an ad',
  description: 'For each payment: the customer, the first and the last touch, and whether the ad is known.',
  tag,
  access: reads,
  query: z.object({ model: z.enum(models).default('last_touch'), ...listQuery }),
  reply: z.array(
    z.object({
      payment_id: z.uuid(),
      occurred_at: Instant,
      provider: z.string(),
      value: z.number(),
      currency: z.string(),
      customer_id: z.uuid().nullable(),
      /** The nearest thing to an ad that the credited touch names; or why there is none. */
      linkage: z.enum(['ad', 'ad_set', 'campaign', 'paid_click', 'other_touch', 'direct', 'no_touch']),
      /** The kind of identifier that the touch carried. */
      matched_by: z.enum(identifierKinds).nullable(),
      touch: z
        .object({
          touch_id: z.uuid(),
          occurred_at: Instant,
          channel: z.string(),
          origin: z.string(),
          platform: text,
        })
        .nullable(),
      campaign: named,
      ad_set: named,
      ad: named,
    }),
  ),
  extra: { pagination: Pagination },
  errors: ['range_invalid'],
})

export const reportCardGatewayPayment = endpoint({
  name: 'reportCardGatewayPayment',
  method: 'POST',
  path: '/payments/cardgateway',
  summary: 'Report a card-gateway payment directly, without a connection',
  description:
    'Kept by merchant_id and payment_id: sending it again with another status or value updates it. A customer is never made from external_ref alone.',
  tag,
  access: writes,
  body: z.strictObject({
    merchant_id: z.string().max(300).default('default'),
    payment_id: z.string().max(300),
    value: amount,
    currency: Currency,
    occurred_at: z.iso.datetime({ offset: true }).optional(),
    status: z.enum(['succeeded', 'pending', 'failed', 'disputed']).default('succeeded'),
    order_id: z.string().max(200).nullish(),
    customer: z
      .strictObject({
        external_ref: z.string().min(1).max(320).nullish(),
        email: z.string().max(320).nullish(),
        phone: z.string().max(64).nullish(),
        country: Country.nullish().describe(
          'ISO 3166 code of the country of `phone`; default: of the profile',
        ),
        first_name: z.string().max(200).nullish(),
        last_name: z.string().max(200).nullish(),
        anonymous_id: z.string().max(200).nullish(),
      })
      .optional(),
  }),
  reply: z.object({ payment_id: z.uuid(), status: z.enum(['accepted', 'updated', 'unchanged']) }),
  statuses: [202],
  errors: ['payment_ref_invalid', 'unknown_customer_ref', 'service_unavailable'],
  example: {
    body: { payment_id: 'tx-1042', value: 129.9, currency: 'EUR', customer: { email: 'ana@example.com' } },
  },
})
