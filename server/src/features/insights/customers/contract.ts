import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
import { AppliedConsent } from '../../../platform/contract/consent.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Contact, Instant, RevenueType } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'
import { ExplainedTouch } from '../../attribution/crediting/contract.ts'

const tag = 'customers'
const access = { kind: 'profile', scopes: ['customers:read'] } as const
const text = z.string().nullable()
const Kind = z.enum(identifierKinds)

export const Customer = z.object({
  customer_id: z.uuid(),
  identifier_kinds: z.array(Kind).describe('Strongest first; one entry per identifier'),
  contact: Contact.nullable(),
  first_seen_at: Instant.nullable(),
  first_channel: text.describe(
    'Channel of the first visit, before applying the profile’s channel rules; null without a visit',
  ),
  last_seen_at: Instant.nullable(),
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
  last_conversion_at: Instant.nullable(),
})

const common = { occurred_at: Instant }
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
    kind: z.literal('touch'),
    ...common,
    ...touchFields,
    identifier_id: z.uuid().describe('The device or account of the touch'),
    landing_path: text,
    referrer_host: text,
    utm_source: text,
    utm_medium: text,
    utm_campaign: text,
  }),
  z.object({
    kind: z.literal('conversion'),
    ...common,
    conversion_id: z.uuid(),
    outcome_type: z.string(),
    revenue_type: RevenueType,
    value: z.number().nullable(),
    currency: text,
    attribution_eligible: z.boolean(),
    duplicate_of: z.uuid().nullable(),
    unconfirmed: z.boolean(),
  }),
  z.object({
    kind: z.literal('payment'),
    ...common,
    payment_id: z.uuid(),
    provider: z.string(),
    status: z.string(),
    value: z.number(),
    refunded_value: z.number(),
    currency: z.string(),
    is_first_payment: z.boolean(),
  }),
  z.object({
    kind: z.literal('reply').describe('A reply of the business in a conversation'),
    ...common,
    conversation_id: z.uuid(),
    message_id: z.uuid(),
    template: text.describe('Name of the template, if one was sent'),
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
    search: z.string().trim().min(1).max(320).optional(),
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
  params: z.object({ id: z.uuid() }),
  reply: Customer.extend({
    identifiers: z.array(z.object({ identifier_id: z.uuid(), kind: Kind })),
    consent: z
      .object({ ...AppliedConsent.shape, told_at: Instant })
      .omit({ stated_at: true })
      .nullable()
      .describe('The newest statement over all devices and identifiers; null if there is none'),
    excluded_from_audiences: z.boolean().describe('Excluded from all customer lists sent to platforms'),
    merged_customer_ids: z.array(z.uuid()).describe('Customers who were merged into this one'),
    journey: z.array(JourneyEntry).describe('Oldest first'),
    journey_truncated: z.boolean(),
  }),
  errors: ['not_found'],
})
