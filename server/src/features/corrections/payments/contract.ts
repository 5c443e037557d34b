import { identifierKinds, models } from '@whence/engine'
import { z } from 'zod'
import { amountForm } from '../../../platform/contract/amounts.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  Contact,
  Country,
  Currency,
  CurrencyCode,
  CustomerId,
  Instant,
  NamedEntity,
  OccurredAt,
  PaymentId,
  ProviderName,
  REQUIRED,
} from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'payments'
const reads = { kind: 'profile', scopes: ['payments:read'] } as const
const writes = { kind: 'profile', scopes: ['payments:write'] } as const
const byId = z.object({ payment_id: PaymentId })
const amount = z.union([z.number(), z.string().max(40)])

const text = z.string().nullable()

export const Payment = z.object({
  payment_id: PaymentId,
  occurred_at: OccurredAt,
  provider: ProviderName,
  value: z.number().describe('Amount in `currency`'),
  currency: CurrencyCode,
  /** Refunds of the provider, disputes, and the refund recorded by hand. */
  refunded_value: z.number().describe('Value refunded so far'),
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
  refunds_capped: z
    .boolean()
    .describe(
      'True if a reported refund is not fully counted, because it exceeds the payment or the payment has not arrived',
    ),
  status: z.string().describe('State of the payment'),
  customer_id: z
    .uuid()
    .nullable()
    .describe('Id of the customer; null after an erasure, or if no customer is known'),
  /** Null for payments without an identified payer. `contact` is withheld from credentials that may not read people. */
  payer: z
    .object({
      customer_id: CustomerId,
      assigned: z.boolean().describe('Whether a person assigned the payer'),
      contact: Contact.nullable().describe('Name, email and phone; null if the caller may not see people'),
      contact_withheld: z.boolean().describe('True if the caller may not see people'),
    })
    .nullable()
    .describe('Customer who paid; null if it is not known, or the caller may not see people'),
  is_first_payment: z.boolean().describe('The customer’s first payment'),
  is_installment: z.boolean().describe('A later instalment of a purchase'),
  /** The refund recorded by hand. */
  refund: z
    .object({
      value: z.number().describe('Amount in `currency`'),
      currency: z
        .string()
        .describe("The payment's currency; the refund's own currency while it lacks an exchange rate"),
      reason: text.describe('Why it was refunded, as entered; null if no reason was given'),
      refunded_at: Instant.describe('When it was refunded'),
    })
    .nullable()
    .describe('The manual refund; null if there is none'),
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
  from: instant('Start of the range, inclusive: a time with a time zone; a day is its start in UTC').describe(
    'Start of the range',
  ),
  to: instant('End of the range, inclusive: a time with a time zone; a day is its start in UTC').describe(
    'End of the range',
  ),
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
    search: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .optional()
      .describe('Payer’s email, phone or id, an order id, or an amount'),
    amount_min: amountBound.describe('Lowest amount to find, as a decimal in the currency of the payment'),
    amount_max: amountBound.describe('Highest amount to find, as a decimal in the currency of the payment'),
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
  body: z.strictObject({ is_installment: z.boolean().describe('A later instalment of a purchase') }),
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
      customer_id: z
        .uuid()
        .nullable()
        .optional()
        .describe('Id of the customer who paid; null removes the payer'),
      email: z.string().min(3).max(320).optional().describe('Email address of the customer'),
      phone: z.string().min(3).max(64).optional().describe('Phone number with country code'),
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
    amount: amount.describe('Amount in `currency`'),
    reason: z.string().trim().max(500).optional().describe('Why it was refunded, as entered'),
    refunded_at: z.iso.datetime({ offset: true }).optional().describe('When it was refunded'),
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
  query: z.object({
    model: z.enum(models).default('last_touch').describe('Attribution model that splits the credit'),
    ...listQuery,
  }),
  reply: z.array(
    z.object({
      payment_id: PaymentId,
      occurred_at: OccurredAt,
      provider: ProviderName,
      value: z.number().describe('Amount in `currency`'),
      currency: CurrencyCode,
      customer_id: z
        .uuid()
        .nullable()
        .describe('Id of the customer; null after an erasure, or if no customer is known'),
      /** The most precise level that the credited touch identifies, or why there is none. */
      linkage: z
        .enum([
          'ad',
          'ad_set',
          'campaign',
          'paid_click',
          'other_touch',
          'direct',
          'no_touch',
          'not_creditable',
        ])
        .describe('How closely the last touch is linked to an ad'),
      /** The kind of identifier that the touch carried. */
      matched_by: z
        .enum(identifierKinds)
        .nullable()
        .describe('Identifier type that matched the touch; null without a touch'),
      touch: z
        .object({
          touch_id: z.uuid().describe('Id of the visit or click'),
          occurred_at: OccurredAt,
          channel: z.string().describe('Channel, for example paid_social'),
          origin: z.string().describe('How the visit was recorded, for example web or conversation_referral'),
          platform: text.describe('Ad platform, for example social_ads; null if it is none'),
        })
        .nullable()
        .describe('Last touch before the payment; null if there is none'),
      campaign: nullableEntity.describe('Campaign of the touch; null if it is not known'),
      ad_set: nullableEntity.describe('Ad set of the touch; null if it is not known'),
      ad: nullableEntity.describe('Ad of the touch; null if it is not known'),
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
  noPage: 'programs',
  access: writes,
  body: z.strictObject({
    merchant_id: z.string().max(300).default('default').describe('Your id of the merchant'),
    payment_id: z.string().max(300).describe('Id of the payment'),
    value: amount.describe('Amount in `currency`'),
    currency: Currency,
    occurred_at: z.iso.datetime({ offset: true }).optional().describe('When it happened'),
    status: z
      .enum(['succeeded', 'pending', 'failed', 'disputed'])
      .default('succeeded')
      .describe('Status of the payment at the gateway'),
    order_id: z.string().max(200).nullish().describe('The shop’s order number; null if there is none'),
    customer: z
      .strictObject({
        external_ref: z
          .string()
          .min(1)
          .max(320)
          .nullish()
          .describe('The sender’s own id of the customer; null if there is none'),
        email: z.string().max(320).nullish().describe('Email address of the person; null if it is not known'),
        phone: z
          .string()
          .max(64)
          .nullish()
          .describe('Phone number with country code; null if it is not known'),
        country: Country.nullish().describe(
          'ISO 3166 code of the country of `phone`; null or absent: the profile’s country',
        ),
        first_name: z
          .string()
          .max(200)
          .nullish()
          .describe('First name of the person; null if it is not known'),
        last_name: z.string().max(200).nullish().describe('Last name of the person; null if it is not known'),
        anonymous_id: z
          .string()
          .max(200)
          .nullish()
          .describe('The visitor’s id in the browser or app; null if none was sent'),
      })
      .optional()
      .describe('The customer who paid, by at least one identifier'),
  }),
  reply: z.object({
    payment_id: PaymentId,
    status: z
      .enum(['accepted', 'updated', 'unchanged'])
      .describe('Whether the payment was stored or already known'),
  }),
  statuses: [202],
  errors: ['payment_ref_invalid', 'unknown_customer_ref', 'service_unavailable'],
  example: {
    body: { payment_id: 'tx-1042', value: 129.9, currency: 'EUR', customer: { email: 'ana@example.com' } },
  },
})
