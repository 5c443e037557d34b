/** Imitates the platform's server events: one bad event fails the whole request. */
import { z } from 'zod'
import { createReceivedEvents } from '../received-events.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
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
  /** For conversations; not hashed. */
  whatsapp_business_account_id: z.string().optional(),
  ctwa_clid: z.string().min(1).optional(),
  page_id: z.string().optional(),
  page_scoped_user_id: z.string().optional(),
  ig_account_id: z.string().optional(),
  ig_sid: z.string().optional(),
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
  messaging_channel: z.enum(['whatsapp', 'messenger', 'instagram']).optional(),
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

/** Members that identify a conversation in each channel: the account, and the person or click. */
const conversationKeys = {
  whatsapp: ['whatsapp_business_account_id', 'ctwa_clid'],
  messenger: ['page_id', 'page_scoped_user_id'],
  instagram: ['ig_account_id', 'ig_sid'],
} as const

const notPersonal = new Set(['client_ip_address', 'client_user_agent'])

/** `linkedAccounts`: messaging accounts of the dataset. */
export function createEvents(options: SandboxOptions, linkedAccounts: (datasetId: string) => string[]) {
  const received = createReceivedEvents(options.now, 48)

  function conversationProblem(event: ServerEvent, datasetId: string): string | null {
    if (event.action_source !== 'business_messaging') return null
    if (event.messaging_channel === undefined) return 'A messaging event needs messaging_channel.'
    const [account, person] = conversationKeys[event.messaging_channel]
    if (!event.user_data[account] || !event.user_data[person])
      return `A ${event.messaging_channel} event needs ${account} and ${person}.`
    return linkedAccounts(datasetId).includes(event.user_data[account])
      ? null
      : 'The dataset is not linked to this account.'
  }

  function problemOf(event: ServerEvent, datasetId: string): [subcode: number, words: string] | null {
    const conversation = conversationProblem(event, datasetId)
    if (conversation !== null) return [2804019, conversation]
    // Reported by integrators; not in the platform's documentation.
    if (event.action_source === 'business_messaging' && event.event_name === 'Lead')
      return [2804066, 'The event name Lead is not allowed for business messaging.']
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
          const path = `data[${index}].${issue!.path.join('.')}`
          return graphError(400, 100, 'Invalid parameter', 2804019, `${path}: ${issue!.message}`)
        }
        const problem = problemOf(parsed.data, datasetId)
        if (problem) return graphError(400, 100, 'Invalid parameter', problem[0], problem[1])
        events.push(parsed.data)
      }
      const { test_event_code: testCode } = body.data
      for (const [index, event] of events.entries()) {
        // The platform deduplicates events by name and id within its window.
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
