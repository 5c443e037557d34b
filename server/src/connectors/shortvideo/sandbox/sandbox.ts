/** An imitation of the shortvideo Events API: it refuses what the platform refuses and keeps what it accepts. */

import { seededHex } from '../../../seeded-random.ts'
import { actInCommon } from '../../sandbox/actions.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { readJson, routedSandbox, type SandboxRoute } from '../../sandbox/routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../../sandbox/sandbox.ts'

type Json = Record<string, unknown>

const pixelCode = /^[A-Z0-9]{8,32}$/
const sha256Hex = /^[0-9a-f]{64}$/

export function createShortvideoSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const received: Json[] = []
  let revoked = false
  let serial = 0

  const reply = (code: number, message: string): SandboxReply => {
    const requestId = seededHex(32, 'request', options.now().getTime(), ++serial)
    return { status: 200, body: { code, message, request_id: requestId, data: {} } }
  }

  function problemOf(event: Json, index: number): string | null {
    const user = (event.user ?? {}) as Json
    if (typeof event.event !== 'string' || event.event === '') return `data.${index}.event: Missing data`
    if (typeof event.event_time !== 'number') return `data.${index}.event_time: Missing data`
    if (Object.keys(user).length === 0) return `data.${index}.user: Missing data`
    const hashed = ['email', 'phone', 'external_id'].filter((name) => user[name] !== undefined)
    const plain = hashed.find((name) => ![user[name]].flat().every((value) => sha256Hex.test(String(value))))
    return plain === undefined ? null : `data.${index}.user.${plain}: Value is not hashed`
  }

  function track(request: SandboxRequest): SandboxReply {
    if (revoked || !request.headers['access-token'])
      return reply(40105, 'Access token is incorrect or has been revoked')
    const body = readJson(request) as { event_source_id?: unknown; data?: Json[] }
    if (!pixelCode.test(String(body.event_source_id)))
      return reply(40002, 'event_source_id: Invalid pixel code')
    const events = Array.isArray(body.data) ? body.data : []
    if (events.length === 0 || events.length > 1000)
      return reply(40002, 'data: Length must be between 1 and 1000')
    const problem = events.map(problemOf).find((found) => found !== null)
    if (problem) return reply(40002, problem)
    for (const event of events) {
      // The platform counts one event once, however often it is sent.
      const known = received.some(
        ({ event_id, event: name }) => event_id === event.event_id && name === event.event,
      )
      if (!known) {
        received.push({
          ...event,
          pixel_code: body.event_source_id,
          received_at: options.now().toISOString(),
        })
      }
    }
    return reply(0, 'OK')
  }

  const routes: SandboxRoute[] = [{ on: 'POST /open_api/v1.3/event/track/', answer: track }]

  return routedSandbox({
    name: 'shortvideo',
    routes,
    faults,
    otherwise: reply(40404, 'Path not found'),
    exports: () => [...received],
    async act(action, args) {
      const reset = () => {
        revoked = false
      }
      const done = actInCommon({ faults, reset }, action, args)
      if (done !== null) return done
      if (action !== 'revoke' && action !== 'restore')
        throw new Error(`Shortvideo's sandbox knows no action ${action}`)
      revoked = action === 'revoke'
      return {}
    },
  })
}
