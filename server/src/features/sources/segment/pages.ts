/**
 * A collector compatible with the Segment HTTP tracking API. Servers write with an API key that has `events:write`.
 * Browsers write with the public tracking key, and the tracker's rules apply to their messages. These clients never retry
 * a refused batch, so an invalid message does not affect the others.
 */
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { checkStrings } from '../../../platform/http/json.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import type { Route } from '../../../platform/http/route.ts'
import { collect, siteOf } from '../tracking/collect.ts'
import {
  batchRouteOf,
  collectorPages,
  keyCallerOf,
  listOf,
  reply,
  storeEvents,
  withErrorReply,
} from './collector.ts'
import type { Json } from './members.ts'
import { toEvent } from './to-event.ts'
import { toWire } from './to-wire.ts'

const types = ['track', 'identify', 'page', 'screen', 'group', 'alias'] as const
type MessageType = (typeof types)[number]
const TRACKING_KEY_PREFIX = 'trk_'
/** Maximum batch size of the tracker's collector. */
const WIRE_BATCH = 50

/** Server libraries call `/v1/track`, the browser library `/v1/t`. */
export function segmentPages(eventRoutes: readonly Route[]): readonly PageRoute[] {
  const route = batchRouteOf(eventRoutes)
  const pagesOf = (path: string, type: MessageType | undefined) =>
    collectorPages(`/v1/${path}`, 'batch', (service, page, body) =>
      collectMessages(service, page, { route, type, body }),
    )
  return [
    ...pagesOf('batch', undefined),
    ...pagesOf('b', undefined),
    ...types.flatMap((type) => [...pagesOf(type, type), ...pagesOf(type[0]!, type)]),
    { method: 'GET', path: '/v1/projects/{writeKey}/settings', handle: settings },
  ]
}

async function collectMessages(
  service: Service,
  page: PageRequest,
  { route, type, body }: { route: Route; type: MessageType | undefined; body: Json },
): Promise<PageReply> {
  const key = writeKeyOf(page, body)
  const access = key.startsWith(TRACKING_KEY_PREFIX)
    ? { settings: (await siteOf(service, key)).settings }
    : { caller: await keyCallerOf(service, key) }
  const messages = type === undefined ? listOf(body, 'batch') : [{ ...body, type }]
  const sent = { now: service.clock.now(), sentAt: body.sentAt }
  const read = (to: (message: unknown) => Json | undefined) =>
    messages.map(to).filter((event) => event !== undefined)
  if (access.settings !== undefined) {
    const { consentMode } = access.settings
    const events = read((message) => toWire(message, { ...sent, consentMode }))
    // Decoding a URL can produce characters that the body reader refuses.
    const storable = events.filter((event) => checkStrings(event) === null)
    // A server with the key of a page: success would hide that nothing is ever stored.
    if (storable.length > 0 && storable.every((event) => event.anonymous_id === undefined))
      throw new ApiError(
        'validation_error',
        'The tracking key is for pages, whose messages have an anonymousId; none was stored. A server writes with an API key.',
      )
    for (let at = 0; at < storable.length; at += WIRE_BATCH)
      await collect(service, page, { key, events: storable.slice(at, at + WIRE_BATCH) })
  } else {
    const events = read((message) => toEvent(message, sent))
    await storeEvents(service, page, { caller: access.caller, route, events })
  }
  return reply(200, { success: true })
}

/** Settings that the browser client loads first: the collector's address, and no integrations. */
function settings(service: Service, page: PageRequest): Promise<PageReply> {
  return withErrorReply(service, page, async () => {
    const apiKey = page.params.writeKey ?? ''
    await siteOf(service, apiKey)
    const [protocol, address] = service.config.BASE_URL.split('://')
    const integrations = { 'Segment.io': { apiKey, apiHost: `${address}/v1`, protocol } }
    return reply(200, { integrations, plan: {}, metrics: { sampleRate: 0 } })
  })
}

/** The user of Basic authentication, a bearer token, or `writeKey` in the body. */
function writeKeyOf(page: PageRequest, body: Json): string {
  const [, scheme, value] = /^(Bearer|Basic) +(\S{1,4096})$/i.exec(page.headers.authorization ?? '') ?? []
  if (scheme?.toLowerCase() === 'bearer') return value!
  if (value !== undefined) return Buffer.from(value, 'base64').toString('utf8').split(':')[0]!
  return typeof body.writeKey === 'string' ? body.writeKey.slice(0, 200) : ''
}
