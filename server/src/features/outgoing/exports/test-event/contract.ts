import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
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
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({}),
  reply: z.object({
    event_id: z.uuid(),
    event_name: z.string(),
    accepted: z.boolean(),
    code: z.string().nullable(),
    message: z.string().nullable(),
    provider_request_id: z.string().nullable(),
  }),
  errors: ['not_found', 'invalid_state', 'connection_not_ready', 'provider_error', 'service_unavailable'],
})
