/** An imitation of the shortvideo Events API: validates like the platform and stores accepted events. */
import { z } from 'zod'
import { actInCommon } from '../actions.ts'
import { createFaults } from '../faults.ts'
import { createReceivedEvents } from '../received-events.ts'
import { readJson, routedSandbox, type SandboxRoute } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex } from '../seeded-random.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'Value is not hashed')
const hashes = z.union([hash, z.array(hash).min(1)], { error: 'Value is not hashed' })

/** All members of the platform's SDK and its own tag template; others are refused. */
const TrackRequest = z.strictObject({
  event_source: z.literal('web'),
  event_source_id: z.string().regex(/^[A-Z0-9]{8,32}$/, 'Invalid pixel code'),
  test_event_code: z.string().min(1).optional(),
  data: z
    .array(
      z.strictObject({
        event: z.string().min(1, 'Missing data'),
        event_time: z.int('Missing data'),
        event_id: z.string().optional(),
        user: z
          .strictObject({
            email: hashes.optional(),
            phone: hashes.optional(),
            external_id: hashes.optional(),
            // segmentio/action-destinations, tiktok-conversions/formatter.ts (read 2026-11-17): one hash each.
            first_name: hash.optional(),
            last_name: hash.optional(),
            zip_code: hash.optional(),
            ttclid: z.string().optional(),
            ttp: z.string().optional(),
            ip: z.string().optional(),
            user_agent: z.string().optional(),
          })
          .refine((user) => Object.keys(user).length > 0, 'Missing data'),
        page: z.strictObject({ url: z.url(), referrer: z.string().optional() }).optional(),
        properties: z
          .strictObject({
            value: z.number().optional(),
            currency: z.string().length(3).optional(),
            order_id: z.string().optional(),
          })
          .optional(),
        limited_data_use: z.boolean().optional(),
      }),
    )
    .min(1, 'Length must be between 1 and 1000')
    .max(1000, 'Length must be between 1 and 1000'),
})

export function createShortvideoSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const received = createReceivedEvents(options.now, 48)
  let revoked = false
  /** The platform accepts the events but reports unreadable fields. */
  let isPartial = false
  let serial = 0

  const reply = (code: number, message: string): SandboxReply => {
    const requestId = seededHex(32, 'request', options.now().getTime(), ++serial)
    return { status: 200, body: { code, message, request_id: requestId, data: {} } }
  }

  function track(request: SandboxRequest): SandboxReply {
    if (revoked || !request.headers['access-token'])
      return reply(40105, 'Access token is incorrect or has been revoked')
    const parsed = TrackRequest.safeParse(readJson(request))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return reply(40002, `${issue!.path.join('.')}: ${issue!.message}`)
    }
    const { event_source_id: pixel, test_event_code: testCode, data } = parsed.data
    for (const event of data) {
      const receivedEvent = {
        ...event,
        pixel_code: pixel,
        ...(testCode === undefined ? {} : { test_event_code: testCode }),
      }
      // The platform deduplicates events within its window.
      received.add(
        `${pixel} ${event.event} ${event.event_id ?? seededHex(16, 'event', ++serial)}`,
        receivedEvent,
      )
    }
    return isPartial ? reply(20001, 'Partially successful') : reply(0, 'OK')
  }

  const routes: SandboxRoute[] = [{ on: 'POST /open_api/v1.3/event/track/', answer: track }]

  return routedSandbox({
    name: 'shortvideo',
    routes,
    faults,
    otherwise: reply(40404, 'Path not found'),
    exports: received.list,
    async act(action, args) {
      const reset = () => {
        revoked = false
        isPartial = false
      }
      const done = actInCommon({ faults, reset }, action, args)
      if (done !== null) return done
      switch (action) {
        case 'revoke':
        case 'restore':
          revoked = action === 'revoke'
          return {}
        case 'partial_success':
          isPartial = args.on !== false
          return {}
        default:
          throw new Error(`Shortvideo's sandbox has no action ${action}`)
      }
    },
  })
}
