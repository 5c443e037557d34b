import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  Contact,
  CreatedAt,
  CurrencyCode,
  CustomerId,
  EventId,
  Instant,
} from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'identity'
const writes = { kind: 'profile', scopes: ['identity:write'] } as const
const text = z.string().nullable()

const PhoneRepair = z.object({
  id: z.uuid().describe('Id of the phone repair'),
  status: z.enum(['applying', 'applied', 'undoing', 'undone']).describe('State of the phone repair'),
  include_unresolved: z.boolean().describe('Whether numbers without a known country are also repaired'),
  events: z.int().describe('Events reprocessed so far'),
  created_at: CreatedAt,
  finished_at: Instant.nullable().describe('When it ended; null until then'),
})

const body = z.strictObject({
  include_unresolved: z
    .boolean()
    .default(false)
    .describe('Also repair numbers that are not valid in their country; they then identify no customer'),
})

const Part = z.object({
  customer_id: CustomerId,
  identifier_kinds: z.array(z.enum(identifierKinds)).describe('Kinds of identifiers'),
  contact: Contact.nullable().describe('Name, email and phone; null if the caller may not see people'),
  contact_withheld: z.boolean().describe('True if the caller may not see people'),
  touches: z.int().describe('Number of visits and clicks concerned'),
  conversions: z.int().describe('Number of conversions concerned'),
  payments: z.int().describe('Number of payments concerned'),
  money: z
    .array(z.object({ currency: CurrencyCode, value: z.number().describe('Amount in `currency`') }))
    .describe('Payments that succeeded, per currency'),
})

export const previewPhoneRepair = endpoint({
  name: 'previewPhoneRepair',
  method: 'POST',
  path: '/identity/phone-repairs/preview',
  summary: 'Preview which customers a phone repair would split',
  description:
    'Returns customers who were merged because a number without a country code was read as a number of another country, and the customers that each would be split into. Nothing is changed.',
  tag,
  personLevel: 'withheld',
  access: writes,
  slow: true,
  idempotent: false,
  body,
  reply: z.object({
    events: z.int().describe('Events with a misread number'),
    customers: z.int().describe('Customers that would be split'),
    truncated: z.boolean().describe('True if the preview does not cover all events or customers'),
    people: z
      .array(
        z.object({
          customer_id: CustomerId,
          misread: z
            .array(
              z.object({
                event_id: EventId,
                typed: text
                  .describe('Number as sent; null for callers who may not read people')
                  .meta({ 'x-personal': true }),
                read_as_country: text.describe(
                  'Country that the number was wrongly read in; null if it is not known',
                ),
                country: text.describe(
                  'Country that the number is read in now; null if it identifies no customer',
                ),
              }),
            )
            .describe('Phone numbers that were parsed with the wrong country'),
          parts: z.array(Part).describe('Customers after the split; one of them may keep the id'),
        }),
      )
      .describe('The people whose numbers would change'),
  }),
})

export const startPhoneRepair = endpoint({
  name: 'startPhoneRepair',
  method: 'POST',
  path: '/identity/phone-repairs',
  summary: 'Split customers that were merged by misread phone numbers',
  description:
    'Reprocesses the events of the preview in the background, which updates customers, credit and reports. `undo` restores them.',
  tag,
  access: writes,
  body,
  reply: PhoneRepair,
  statuses: [202],
  errors: ['invalid_state'],
})

export const listPhoneRepairs = endpoint({
  name: 'listPhoneRepairs',
  method: 'GET',
  path: '/identity/phone-repairs',
  summary: 'List phone repairs of the profile, newest first',
  description: 'Includes the status and the number of reprocessed events.',
  tag,
  access: { kind: 'profile', scopes: ['identity:read'] },
  query: z.object(pageQuery),
  reply: z.array(PhoneRepair),
  extra: { pagination: Pagination },
})

export const undoPhoneRepair = endpoint({
  name: 'undoPhoneRepair',
  method: 'POST',
  path: '/identity/phone-repairs/{id}/undo',
  summary: 'Undo a phone repair and restore the earlier identifiers of its events',
  description:
    'Runs in the background. Skips events that were erased or got another number since the repair.',
  tag,
  access: writes,
  params: z.object({ id: z.uuid().describe('Id of the repair') }),
  body: z.strictObject({}),
  reply: PhoneRepair,
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
})
