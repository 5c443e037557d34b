import { identifierKinds } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Contact, Instant } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'identity'
const writes = { kind: 'profile', scopes: ['identity:write'] } as const
const text = z.string().nullable()

const PhoneRepair = z.object({
  id: z.uuid(),
  status: z.enum(['applying', 'applied', 'undoing', 'undone']),
  include_unresolved: z.boolean(),
  events: z.int().describe('Events that were read again so far'),
  created_at: Instant,
  finished_at: Instant.nullable(),
})

const body = z.strictObject({
  include_unresolved: z
    .boolean()
    .default(false)
    .describe('Also numbers that are not valid in their country; they then identify no one'),
})

const Part = z.object({
  customer_id: z.uuid(),
  identifier_kinds: z.array(z.enum(identifierKinds)),
  contact: Contact.nullable(),
  contact_withheld: z.boolean(),
  touches: z.int(),
  conversions: z.int(),
  payments: z.int(),
  money: z
    .array(z.object({ currency: z.string(), value: z.number() }))
    .describe('Payments that succeeded, per currency'),
})

export const previewPhoneRepair = endpoint({
  name: 'previewPhoneRepair',
  method: 'POST',
  path: '/identity/phone-repairs/preview',
  summary: 'Customers that a phone repair would split',
  description:
    'Customers who were merged because a number without a country code was read as a number of another country, and the customers they become. Nothing is changed.',
  tag,
  personLevel: 'withheld',
  access: writes,
  slow: true,
  idempotent: false,
  body,
  reply: z.object({
    events: z.int().describe('Events with a misread number'),
    customers: z.int().describe('Customers that would be split'),
    truncated: z.boolean().describe('True where there is more than the preview looks at'),
    people: z.array(
      z.object({
        customer_id: z.uuid(),
        misread: z.array(
          z.object({
            event_id: z.uuid(),
            typed: text
              .describe('The number as it was sent; null for callers who may not read people')
              .meta({ 'x-personal': true }),
            read_as_country: text.describe('Country of the number that it was taken for'),
            country: text.describe('Country that it is read in now; null where it identifies no one'),
          }),
        ),
        parts: z.array(Part).describe('The customers it becomes; one may keep the id'),
      }),
    ),
  }),
})

export const startPhoneRepair = endpoint({
  name: 'startPhoneRepair',
  method: 'POST',
  path: '/identity/phone-repairs',
  summary: 'Split customers that misread phone numbers merged',
  description:
    'Reads the events of the preview again in the background; customers, credit and reports follow. `undo` restores them.',
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
  summary: 'Phone repairs of the profile, the newest first',
  description: 'With their status and how many events each has read again.',
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
  summary: 'Undo a phone repair: its events get their earlier identifiers back',
  description:
    'Runs in the background. Events that were erased since, or have another number by now, are left as they are.',
  tag,
  access: writes,
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({}),
  reply: PhoneRepair,
  statuses: [202],
  errors: ['not_found', 'invalid_state'],
})
