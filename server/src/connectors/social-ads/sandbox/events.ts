/** Imitates how the platform takes server events: one bad event discards the whole request. */
import { z } from 'zod'
import { createReceivedEvents } from '../../sandbox/received-events.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../../sandbox/sandbox.ts'
import { graphError, readJson } from './replies.ts'

const maxAgeDays = 7
const hashes = z.array(z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 hash'))

const UserData = z.strictObject({
  em: hashes.optional(),
  ph: hashes.optional(),
  external_id: z.array(z.string().min(1)).optional(),
  country: hashes.optional(),
  // https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters
  fn: hashes.optional(),
  ln: hashes.optional(),
  ct: hashes.optional(),
  st: hashes.optional(),
  zp: hashes.optional(),
  fbc: z
    .string()
    .regex(/^fb\.\d\.\d{13}\..+$/, 'is not a click id with its time in milliseconds')
    .optional(),
  fbp: z.string().optional(),
  lead_id: z
    .union([z.string(), z.number()])
    .transform(String)
    .refine((value) => /^\d{15,17}$/.test(value), 'is not a lead id')
    .optional(),
  client_ip_address: z.string().optional(),
  client_user_agent: z.string().optional(),
})

const ServerEvent = z.strictObject({
  event_name: z.string().min(1),
  event_time: z.int(),
  event_id: z.string().min(1).optional(),
  action_source: z.enum([
    'website',
    'app',
    'phone_call',
    'chat',
    'email',
    'physical_store',
    'system_generated',
    'business_messaging',
    'other',
  ]),
  event_source_url: z.url().optional(),
  opt_out: z.boolean().optional(),
  data_processing_options: z.array(z.enum(['LDU'])).optional(),
  data_processing_options_country: z.int().optional(),
  data_processing_options_state: z.int().optional(),
  user_data: UserData,
  custom_data: z.looseObject({
    value: z.number().optional(),
    currency: z.string().length(3).optional(),
    order_id: z.string().optional(),
  }),
})
type ServerEvent = z.infer<typeof ServerEvent>

const Body = z.strictObject({
  data: z.array(z.unknown()).min(1).max(1000),
  test_event_code: z.string().min(1).optional(),
})

const notPersonal = new Set(['client_ip_address', 'client_user_agent'])

export function createEvents(options: SandboxOptions) {
  const received = createReceivedEvents(options.now, 48)

  function problemOf(event: ServerEvent): [subcode: number, words: string] | null {
    const age = options.now().getTime() / 1000 - event.event_time
    if (age > maxAgeDays * 86_400) return [2804003, 'The timestamp for this event is too far in the past.']
    if (age < -60) return [2804019, 'The timestamp for this event is in the future.']
    const keys = Object.keys(event.user_data).filter((name) => !notPersonal.has(name))
    if (keys.length === 0) return [2804050, 'There is not enough customer information in this event.']
    if (event.action_source === 'website' && !(event.event_source_url && event.user_data.client_user_agent))
      return [2804019, 'A website event needs event_source_url and client_user_agent.']
    if (event.data_processing_options && event.data_processing_options_country === undefined)
      return [2804019, 'Limited data use needs a country.']
    if (event.user_data.lead_id !== undefined && !event.custom_data.lead_event_source)
      return [2804019, 'A lead needs lead_event_source.']
    return null
  }

  return {
    receive(request: SandboxRequest, datasetId: string): SandboxReply {
      const body = Body.safeParse(readJson(request))
      if (!body.success) return graphError(400, 100, 'Invalid parameter', 2804009, 'Send 1 to 1,000 events.')
      const events: ServerEvent[] = []
      for (const [index, sent] of body.data.data.entries()) {
        const parsed = ServerEvent.safeParse(sent)
        if (!parsed.success) {
          const [issue] = parsed.error.issues
          const where = `data[${index}].${issue!.path.join('.')}`
          return graphError(400, 100, 'Invalid parameter', 2804019, `${where}: ${issue!.message}`)
        }
        const problem = problemOf(parsed.data)
        if (problem) return graphError(400, 100, 'Invalid parameter', problem[0], problem[1])
        events.push(parsed.data)
      }
      const { test_event_code: testCode } = body.data
      for (const [index, event] of events.entries()) {
        // The platform counts an event with the same name and id once within its window.
        const key = `${datasetId} ${event.event_name} ${event.event_id ?? `${options.now().getTime()} ${index}`}`
        received.add(key, {
          pixel_id: datasetId,
          ...event,
          ...(testCode ? { test_event_code: testCode } : {}),
        })
      }
      return { status: 200, body: { events_received: events.length, messages: [], fbtrace_id: 'Asandbox' } }
    },
    held: received.list,
  }
}
