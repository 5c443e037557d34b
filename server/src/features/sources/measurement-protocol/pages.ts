/**
 * A collector compatible with the Measurement Protocol of Google Analytics 4. `api_secret` is an API key with
 * `events:write`; `measurement_id` is ignored, because the key determines the profile. As in the original, the response
 * has no body and an event that cannot be stored does not affect the others.
 */
import type { PageRoute } from '../../../platform/http/page-route.ts'
import type { Route } from '../../../platform/http/route.ts'
import {
  batchRouteOf,
  collectorPages,
  keyCallerOf,
  listOf,
  reply,
  storeEvents,
} from '../segment/collector.ts'
import { toEvent } from './to-event.ts'

export function measurementProtocolPages(eventRoutes: readonly Route[]): readonly PageRoute[] {
  const route = batchRouteOf(eventRoutes)
  return collectorPages('/mp/collect', 'events', async (service, page, body) => {
    const caller = await keyCallerOf(service, page.query.api_secret ?? '')
    const events = listOf(body, 'events')
      .map((event, index) => toEvent(event, body, `${page.requestId} ${index}`))
      .filter((event) => event !== undefined)
    await storeEvents(service, page, { caller, route, events })
    return reply(204, null)
  })
}
