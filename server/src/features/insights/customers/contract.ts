import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
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
    'Channel of the first visit, before channel rules of the profile; null without a visit',
  ),
  last_seen_at: Instant.nullable(),
  conversions: z
    .int()
    .describe('Those that reports count: no duplicates, no unconfirmed money; cash of every goal included'),
  payments: z.int().describe('Payments that arrived'),
  revenue: z
    .number()
    .nullable()
    .describe(
      'Cash in the reporting currency, refunds subtracted, as far as it has exchange rates; null where none of it has',
    ),
  fx_missing: z.int().describe('Payments and refunds that revenue leaves out, for want of an exchange rate'),
  last_conversion_at: Instant.nullable(),
})

const common = { occurred_at: Instant }
const seen = ExplainedTouch.pick({
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
    ...seen,
    identifier_id: z.uuid().describe('The device or account that was seen'),
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
    kind: z.literal('reply').describe('An answer of the business in a conversation'),
    ...common,
    conversation_id: z.uuid(),
    message_id: z.uuid(),
    template: text.describe('Name of the template that was sent'),
  }),
])
export type JourneyEntry = z.output<typeof JourneyEntry>

export const CustomerSort = z.enum(['last_conversion', 'revenue', 'last_seen', 'first_channel'])
export type CustomerSort = z.output<typeof CustomerSort>

const Consent = z.enum(['granted', 'denied', 'unspecified'])

export const listCustomers = endpoint({
  name: 'listCustomers',
  method: 'GET',
  path: '/customers',
  summary: 'Find customers, or list those who converted',
  description:
    'With `search`: customers by name or the beginnings of its words, email, phone, order id, amount paid (`129.90`), or any id of theirs. Names and identifiers are found by keyed hashes, so other parts of an address are not searched. Without it: customers with a conversion.',
  tag,
  personLevel: 'refused',
  access,
  query: z.object({
    search: z.string().trim().min(1).max(320).optional(),
    sort: CustomerSort.default('last_conversion').describe('Customers without the value come last'),
    order: z.enum(['desc', 'asc']).default('desc').describe('Largest and latest first, or the reverse'),
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
    'Touches of all devices, conversions and payments in the order of time, the newest 500 of each. A customer who was merged into another is answered as the other; one who was erased is not found.',
  tag,
  personLevel: 'refused',
  access,
  params: z.object({ id: z.uuid() }),
  reply: Customer.extend({
    identifiers: z.array(z.object({ identifier_id: z.uuid(), kind: Kind })),
    consent: z
      .object({ ad_user_data: Consent, ad_personalization: Consent, told_at: Instant })
      .nullable()
      .describe('From the newest conversion that states it; null if none does'),
    excluded_from_audiences: z.boolean().describe('Excluded from every customer list that is sent'),
    merged_customer_ids: z.array(z.uuid()).describe('Customers who were merged into this one'),
    journey: z.array(JourneyEntry).describe('The oldest first'),
    journey_truncated: z.boolean(),
  }),
  errors: ['not_found'],
})
