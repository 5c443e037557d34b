/** The part of an event that processing reads. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { StoredEvent } from './stored.ts'

/** True if both versions produce the same result, so the newer one need not be reprocessed. The receipt time never changes. */
export function hasEqualProcessedPart(stored: StoredEvent, later: StoredEvent): boolean {
  return isDeepStrictEqual(processedPart(stored), processedPart(later))
}

/** Members of the body that are stored but not processed. */
export const unprocessedMembers = ['page', 'device', 'utm', 'click_ids', 'ad', 'properties'] as const

function processedPart({ occurredAt, source, provider, externalId, name, isBot, body }: StoredEvent) {
  // Lists the excluded members, so that a new member counts as processed by default.
  const { page, device, utm, click_ids, ad, properties, ...read } = body
  const columns = { occurredAt: occurredAt.getTime(), source, provider, externalId, name, isBot }
  return { columns, read, conversationId: properties?.conversation_id, consent: properties?.consent }
}
