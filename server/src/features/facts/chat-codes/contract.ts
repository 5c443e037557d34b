import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

export const resolveChatCode = endpoint({
  name: 'resolveChatCode',
  method: 'POST',
  path: '/conversations/chat-codes/resolve',
  summary: 'Report that a customer wrote a chat code',
  description:
    'For chatbots and messaging providers that are not connected. Links the visitor whose page put the code into the message with the customer; a code from a short link gives the customer the touch of that link. Each code works once. Two known people are never merged.',
  tag: 'conversations',
  access: { kind: 'profile', scopes: ['events:write'] },
  body: z.strictObject({
    code: z.string().min(1).max(20).describe('Such as `W7K3QX2M`'),
    customer: z
      .strictObject({
        phone: z.string().min(1).max(64).optional().describe('Phone number with country code'),
        email: z.string().min(1).max(320).optional().describe('Email address of the customer'),
        external_ref: z.string().min(1).max(320).optional().describe('The external_id of the customer'),
      })
      .describe('The person who wrote it, by at least one identifier'),
    occurred_at: Instant.describe('When the customer wrote it'),
  }),
  reply: z.object({
    linked: z.boolean().describe('Whether the code led to a visit or a short link'),
    reason: z
      .enum(['used', 'expired', 'unknown', 'known_person'])
      .nullable()
      .describe(
        'Null if something was linked. Otherwise why not: the code was used before, is older than 30 days, is no code of this profile, or both sides are known and different people',
      ),
  }),
  limit: 'ingest',
  example: {
    body: { code: 'W0000000', customer: { phone: '+34600111222' }, occurred_at: '2026-01-15T10:00:00Z' },
  },
})
