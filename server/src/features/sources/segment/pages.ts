/**
 * A collector that speaks the Segment HTTP tracking API. Servers write with an API key that has `events:write`. Pages
 * write with the tracking key, which is public: their messages pass the rules of the tracker. A refused batch is lost for
 * ever at those clients, so one bad message refuses no other.
 */
import type { Service } from '../../../context.ts'
import { authenticateTrackingKey } from '../../../platform/access/authenticate.ts'
import { unauthorized } from '../../../platform/http/authorize.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import type { Route } from '../../../platform/http/route.ts'
import { collect } from '../tracking/collect.ts'
import {
  answering,
  batchRouteOf,
  collectorPages,
  keyCallerOf,
  listOf,
  reply,
  storeEvents,
} from './collector.ts'
import type { Json } from './members.ts'
import { toEvent } from './to-event.ts'
import { toWire } from './to-wire.ts'

const types = ['track', 'identify', 'page', 'screen', 'group', 'alias'] as const
type MessageType = (typeof types)[number]
const TRACKING_KEY_PREFIX = 'trk_'
/** The most that the tracker's collector takes at once. */
const WIRE_BATCH = 50

/** Servers use the whole word, browsers its first letter. */
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
  const caller = key.startsWith(TRACKING_KEY_PREFIX) ? undefined : await keyCallerOf(service, key)
  if (caller === undefined) await checkTrackingKey(service, key)
  const messages = type === undefined ? listOf(body, 'batch') : [{ ...body, type }]
  const sent = { now: service.clock.now(), sentAt: body.sentAt }
  const read = (to: typeof toEvent) =>
    messages.map((message) => to(message, sent)).filter((event) => event !== undefined)
  if (caller === undefined) {
    const events = read(toWire)
    for (let at = 0; at < events.length; at += WIRE_BATCH)
      await collect(service, page, { key, events: events.slice(at, at + WIRE_BATCH) })
  } else await storeEvents(service, page, { caller, route, events: read(toEvent) })
  return reply(200, { success: true })
}

async function checkTrackingKey(service: Service, key: string): Promise<void> {
  if ((await authenticateTrackingKey(service, key)) === undefined) throw unauthorized()
}

/** What the browser client loads first: where to send, and that there is nothing else to load. */
function settings(service: Service, page: PageRequest): Promise<PageReply> {
  return answering(service, page, async () => {
    const apiKey = page.params.writeKey ?? ''
    await checkTrackingKey(service, apiKey)
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
