import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'

export const retractEvent = endpoint({
  name: 'retractEvent',
  method: 'POST',
  path: '/events/retractions',
  summary: 'Retract an event that was sent by mistake',
  description:
    'Deletes the event, its conversions and their credit in one transaction and records a recompute. An event with the same key is then refused with `event_retracted`.',
  tag: 'events',
  noPage: 'programs',
  access: { kind: 'profile', scopes: ['events:write'] },
  body: z.strictObject({
    idempotency_key: z.string().min(1).max(255).describe('Key under which the event was sent'),
    reason: z.string().max(1000).optional().describe('Why it is retracted, for the audit log'),
  }),
  reply: z.object({
    status: z.enum(['retracted', 'already_retracted']).describe('Whether the event was retracted'),
    events: z.int().describe('Number of events that were retracted'),
    conversions: z.int().describe('Number of conversions that no longer count'),
    credits: z.int().describe('Number of changed credits'),
  }),
  errors: ['event_not_found', 'event_already_exported', 'event_linked_to_conversation'],
})
