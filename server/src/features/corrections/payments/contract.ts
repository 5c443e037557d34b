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
  /** Refunds of the provider, disputes, and the refund recorded by hand. */
  refunded_value: z.number(),
  net_value: z
    .number()
    .nullable()
    .describe('Null for failed and pending payments, and while a refund lacks an exchange rate'),
  refunds_waiting: z
    .boolean()
    .describe(
      'A refund is in another currency than the payment and lacks an exchange rate for its day, so it is not subtracted yet',
    ),
  /** The reported refunds exceed the value of the payment; only that value is subtracted. */
  refunds_capped: z.boolean(),
  status: z.string(),
  customer_id: z.uuid().nullable(),
  /** Null for payments without an identified payer. `contact` is withheld from credentials that may not read people. */
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
      currency: z
        .string()
        .describe("The payment's currency; the refund's own currency while it lacks an exchange rate"),
      reason: text,
      refunded_at: Instant,
    })
    .nullable(),
})

const amountBound = z.string().regex(amountForm, 'must be a plain decimal such as 129.90').optional()

const instant = (text: string) =>
  z
    .string()
    .max(64)
    .optional()
    .meta({ description: text, [REQUIRED]: true })

/** The operation validates these, because each has its own error code. */
const listQuery = {
  from: instant('Start of the range, inclusive: a time with a time zone; a day is its start in UTC'),
  to: instant('End of the range, inclusive: a time with a time zone; a day is its start in UTC'),
  ...pageQuery,
}

export const listPayments = endpoint({
  name: 'listPayments',
  mcp: {
    description: 'Payments, newest first, with refunds and payer.',
    concise: 'payment_id occurred_at provider value currency net_value status customer_id is_first_payment',
  },
  method: 'GET',
  path: '/payments',
  summary: 'List payments with manual corrections',
  description:
    'Payments between `from` and `to`, newest first, with refunds and first-payment flags. `search` matches an amount, an order id, a payment id or, with `customers:read`, the name, email or phone of the payer. `amount_min` and `amount_max` are in the currency of each payment.',
  tag,
  personLevel: 'withheld',
  access: reads,
  query: z.object({
    status: z
      .string()
      .max(40)
      .optional()
      .describe('`all` (default), or `unidentified` for payments without a payer'),
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
  summary: 'Mark or unmark a payment as a later installment',
  description:
    "An installment is never a first payment. The customer's first-payment flags are recomputed before the response.",
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
  summary: 'Set or remove the payer of a payment',
  description:
    "By customer id, email or phone; `customer_id: null` removes the payer. The payment moves to that customer's journey and its credit is recomputed.",
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
      'send exactly one of customer_id, email and phone',
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
    'Counts as negative revenue on the day of the refund. Refunds that a provider reports are recorded automatically.',
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

const nullableEntity = NamedEntity.nullable()

export const listPaymentLinkage = endpoint({
  name: 'listPaymentLinkage',
  method: 'GET',
  path: '/payments/linkage',
  summary: 'List how payments are linked to ads',
  description:
    'For each payment: the customer, the touch that the model credits most, and the ad of that touch, if any. The payment of a goal that is not credited has no touch.',
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
      /** The most precise level that the credited touch identifies, or why there is none. */
      linkage: z.enum([
        'ad',
        'ad_set',
        'campaign',
        'paid_click',
        'other_touch',
        'direct',
        'no_touch',
        'not_creditable',
      ]),
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
      campaign: nullableEntity,
      ad_set: nullableEntity,
      ad: nullableEntity,
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
    'Identified by `merchant_id` and `payment_id`: sending them again with another status or value updates the payment. `external_ref` alone never creates a customer.',
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
          "ISO 3166 code of the country of `phone`; default: the profile's country",
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
