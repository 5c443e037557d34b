/**
 * The id by which a platform deduplicates a conversion. The shop's own pixel reports the same sale from the browser; the
 * platform counts both once if they have the same id, so a destination can name the value that the pixel uses. Pure.
 */
import type { PrivacyMode } from '../../../facts/export-queue/rules.ts'
import type { EventFacts } from './facts.ts'

export const OUR_ID = 'whence'
const ORDER = 'order_id'
const PROPERTY = 'properties.'
const MAX_LENGTH = 100

export const propertyOf = (source: string | null): string | null =>
  source?.startsWith(PROPERTY) === true ? source.slice(PROPERTY.length) : null

type DedupId = { id: string; source: string }

/**
 * Falls back to our id if the event has no such value or the privacy mode withholds it. Values for which `isPersonal`
 * is true may identify a person and are never sent.
 */
export function dedupIdOf(
  conversionId: string,
  source: string,
  event: Pick<EventFacts, 'orderId' | 'properties'> | null,
  privacyMode: PrivacyMode,
  isPersonal: (text: string) => boolean,
): DedupId {
  const ours = { id: conversionId, source: OUR_ID }
  const value = sourceValue(source, event, privacyMode)
  if (value === '' || value.length > MAX_LENGTH || isPersonal(value)) return ours
  return { id: value, source }
}

function sourceValue(
  source: string,
  event: Pick<EventFacts, 'orderId' | 'properties'> | null,
  privacyMode: PrivacyMode,
): string {
  if (source === ORDER) return privacyMode === 'hipaa' ? '' : (event?.orderId ?? '').trim()
  const name = propertyOf(source)
  if (name === null || privacyMode !== 'standard') return ''
  const value = event?.properties?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
