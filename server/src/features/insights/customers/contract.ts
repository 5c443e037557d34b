import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
import { AppliedConsent } from '../../../platform/contract/consent.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  Contact,
  ConversionId,
  CurrencyCode,
  CustomerId,
  Instant,
  OccurredAt,
  OutcomeType,
  PaymentId,
  ProviderName,
  RevenueType,
} from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'
import { ExplainedTouch } from '../../attribution/crediting/contract.ts'

const tag = 'customers'
const access = { kind: 'profile', scopes: ['customers:read'] } as const
const text = z.string().nullable()
const Kind = z.enum(identifierKinds)

export const Customer = z.object({
  customer_id: CustomerId,
  identifier_kinds: z.array(Kind).describe('Strongest first; one entry per identifier'),
  contact: Contact.nullable().describe('Name, email and phone; null if the caller may not see people'),
  first_seen_at: Instant.nullable().describe('Time of the first visit; null without a visit'),
  first_channel: text.describe(
    'Channel of the first visit, before applying the profile’s channel rules; null without a visit',
  ),
  last_seen_at: Instant.nullable().describe('Time of the last visit; null without a visit'),
  conversions: z
    .int()
    .describe(
      'Conversions counted in reports: without duplicates and unconfirmed money, with cash of every goal',
    ),
  payments: z.int().describe('Payments, without failed and pending ones'),
  revenue: z
    .number()
    .nullable()
    .describe(
      'Cash less refunds in the reporting currency, without amounts that lack an exchange rate; null if all lack one',
    ),
  fx_missing: z.int().describe('Payments and refunds not included in revenue for lack of an exchange rate'),
  last_conversion_at: Instant.nullable().describe('Time of the last conversion; null without one'),
})

const common = { occurred_at: OccurredAt }
const touchFields = ExplainedTouch.pick({
  touch_id: true,
  channel: true,
  origin: true,
  platform: true,
  is_direct: true,
  reported: true,
  campaign: true,
  ad_set: true,
  ad: true,
}).shape

export const JourneyEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('touch').describe('What happened: a touch, a conversion, a payment or a reply'),
    ...common,
    ...touchFields,
    identifier_id: z.uuid().describe('The device or account of the touch'),
    landing_path: text.describe('Path of the first page; null if it is not known'),
    referrer_host: text.describe('Host of the page that linked here; null if there is none'),
    utm_source: text.describe('Source of the link, for example newsletter; null if it names none'),
    utm_medium: text.describe('Medium of the link, for example email; null if it names none'),
    utm_campaign: text.describe('Campaign of the link; null if it names none'),
  }),
  z.object({
    kind: z.literal('conversion').describe('What happened: a touch, a conversion, a payment or a reply'),
    ...common,
    conversion_id: ConversionId,
    outcome_type: OutcomeType,
    revenue_type: RevenueType,
    value: z.number().nullable().describe('Value in `currency`; null if it has none'),
    currency: text.describe('ISO 4217 code of the currency; null if there is no amount'),
    attribution_eligible: z.boolean().describe('Whether conversions of this goal get credit'),
    duplicate_of: z
      .uuid()
      .nullable()
      .describe('Id of the conversion that counts instead; null if this one counts'),
    unconfirmed: z.boolean().describe('True until the payment is confirmed'),
  }),
  z.object({
    kind: z.literal('payment').describe('What happened: a touch, a conversion, a payment or a reply'),
    ...common,
    payment_id: PaymentId,
    provider: ProviderName,
    status: z.string().describe('Status of the payment'),
    value: z.number().describe('Value in `currency`'),
    refunded_value: z.number().describe('Value refunded so far'),
    currency: CurrencyCode,
    is_first_payment: z.boolean().describe('The customer’s first payment'),
  }),
  z.object({
    kind: z.literal('reply').describe('A reply of the business in a conversation'),
    ...common,
    conversation_id: z.uuid().describe('Id of the conversation'),
    message_id: z.uuid().describe('Id of the message'),
    template: text.describe('Name of the template; null if none was sent'),
  }),
])
export type JourneyEntry = z.output<typeof JourneyEntry>

export const CustomerSort = z.enum(['last_conversion', 'revenue', 'last_seen', 'first_channel'])
export type CustomerSort = z.output<typeof CustomerSort>

export const listCustomers = endpoint({
  name: 'listCustomers',
  method: 'GET',
  path: '/customers',
  summary: 'Search customers, or list those with a conversion',
  description:
    'With `search`: customers by name (prefixes of its words), email, phone, order id, amount paid (`129.90`), or any of their ids. Names and identifiers are matched by keyed hashes, so partial addresses are not found. Without it: customers with a conversion.',
  tag,
  personLevel: 'refused',
  access,
  query: z.object({
    search: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .optional()
      .describe('Name, email, phone, order id, amount, or id'),
    sort: CustomerSort.default('last_conversion').describe('Customers without the value are last'),
    order: z.enum(['desc', 'asc']).default('desc').describe('desc: largest or latest first'),
    ...pageQuery,
  }),
  reply: z.array(Customer),
  extra: { pagination: Pagination },
})

export const getCustomer = endpoint({
  name: 'getCustomer',
  method: 'GET',
  path: '/customers/{id}',
  summary: 'One customer with the whole journey',
  description:
    'Touches of all devices, conversions and payments in chronological order, the newest 500 of each. The id of a merged customer returns the customer it was merged into; an erased customer is not found.',
  tag,
  personLevel: 'refused',
  access,
  params: z.object({ id: z.uuid().describe('Id of the customer') }),
  reply: Customer.extend({
    identifiers: z
      .array(
        z.object({
          identifier_id: z.uuid().describe('Id of the identifier'),
          kind: Kind.describe('Identifier type, for example email'),
        }),
      )
      .describe('Identifiers of the customer'),
    consent: z
      .object({ ...AppliedConsent.shape, told_at: Instant.describe('When the decision was made') })
      .omit({ stated_at: true })
      .nullable()
      .describe('The newest statement over all devices and identifiers; null if there is none'),
    excluded_from_audiences: z.boolean().describe('Excluded from all customer lists sent to platforms'),
    merged_customer_ids: z.array(z.uuid()).describe('Customers who were merged into this one'),
    journey: z.array(JourneyEntry).describe('Touches, conversions, payments and replies, oldest first'),
    journey_truncated: z.boolean().describe('Whether the oldest steps were omitted'),
  }),
  errors: ['not_found'],
})
