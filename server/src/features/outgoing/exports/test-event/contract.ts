import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { EventId } from '../../../../platform/contract/fields.ts'
import { exportWrites } from '../destinations/contract.ts'

export const sendTestEvent = endpoint({
  name: 'sendTestEvent',
  method: 'POST',
  path: '/exports/destinations/{id}/test-event',
  summary: 'Send a synthetic conversion with the test event code',
  description:
    'The platform lists it under its test events and does not count it. The person is fictitious. The destination needs a `test_event_code`.',
  tag: 'exports',
  access: exportWrites,
  params: z.object({ id: z.uuid().describe('Id of the export destination') }),
  body: z.strictObject({}),
  reply: z.object({
    event_id: EventId,
    event_name: z.string().describe('Name of the event; goals select events by it'),
    accepted: z.boolean().describe('Whether the platform accepted the event'),
    code: z.string().nullable().describe('The platform’s error code; null if it accepted the event'),
    message: z.string().nullable().describe('The platform’s explanation; null if it accepted the event'),
    provider_request_id: z
      .string()
      .nullable()
      .describe('The provider’s request id, for its support; null if it sent none'),
  }),
  errors: ['not_found', 'invalid_state', 'connection_not_ready', 'provider_error', 'service_unavailable'],
})
