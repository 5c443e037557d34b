/** What processing reads of an event: all but the words that are only kept. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { StoredEvent } from './stored.ts'

/** Whether processing would make the same of both, so that the later one needs none. When an event was received never changes. */
export function isProcessedAlike(stored: StoredEvent, later: StoredEvent): boolean {
  return isDeepStrictEqual(processedPart(stored), processedPart(later))
}

/** Members of the body that are only kept. */
export const onlyKept = ['page', 'device', 'utm', 'click_ids', 'ad', 'properties'] as const

function processedPart({ occurredAt, source, provider, externalId, name, isBot, body }: StoredEvent) {
  // Named are the members that are left out: one that is added to an event is processed until it is named here.
  const { page, device, utm, click_ids, ad, properties, ...read } = body
  const columns = { occurredAt: occurredAt.getTime(), source, provider, externalId, name, isBot }
  return { columns, read, conversationId: properties?.conversation_id }
}
