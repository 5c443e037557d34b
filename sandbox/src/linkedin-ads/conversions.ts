/** Conversions API: rules of the account and received events; the same event id counts once. */
import { DAY_MS } from '../days.ts'
import { createReceivedEvents } from '../received-events.ts'
import type { SandboxOptions, SandboxReply } from '../sandbox.ts'
import { refuse } from './refusals.ts'

type Json = Record<string, unknown>
const MAX_EVENTS = 5000
const MAX_AGE_DAYS = 90
const DEDUPLICATION_HOURS = 48
const idTypes = new Set([
  'SHA256_EMAIL',
  'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID',
  'ACXIOM_ID',
  'ORACLE_MOAT_ID',
])

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function createConversions(options: SandboxOptions) {
  const received = createReceivedEvents(options.now, DEDUPLICATION_HOURS)
  /** Rules that were deleted in Campaign Manager. */
  const deletedRules = new Set<string>()

  function problemOf(event: Json): string | null {
    if (!/^urn:lla:llaPartnerConversion:\d+$/.test(String(event.conversion))) return 'Invalid conversion'
    const at = event.conversionHappenedAt
    const now = options.now().getTime()
    // Also refuses times in seconds, which would be in 1970.
    if (typeof at !== 'number' || at < now - MAX_AGE_DAYS * DAY_MS || at > now + DAY_MS)
      return 'Invalid conversionHappenedAt'
    const ids = isRecord(event.user) ? event.user.userIds : undefined
    if (!Array.isArray(ids)) return 'userIds is required'
    for (const id of ids) {
      if (!isRecord(id) || !idTypes.has(String(id.idType))) return 'Invalid idType'
      if (id.idType === 'SHA256_EMAIL' && !/^[0-9a-f]{64}$/.test(String(id.idValue)))
        return 'Invalid SHA256_EMAIL'
    }
    if (ids.length === 0 && !isRecord((event.user as Json).userInfo)) return 'No user identifier'
    const value = event.conversionValue
    if (value !== undefined && (!isRecord(value) || typeof value.amount !== 'string')) return 'Invalid amount'
    return null
  }

  return {
    list: received.list,
    deleteRule: (id: string) => void deletedRules.add(`urn:lla:llaPartnerConversion:${id}`),
    receive(method: string | undefined, body: Json): SandboxReply {
      const events = body.elements
      if (method !== 'BATCH_CREATE' || !Array.isArray(events) || !events.every(isRecord))
        return refuse(400, 'ILLEGAL_ARGUMENT', 'BATCH_CREATE with elements is expected')
      if (events.length > MAX_EVENTS) return refuse(400, 'ILLEGAL_ARGUMENT', 'At most 5000 events')
      if (events.some((event) => deletedRules.has(String(event.conversion))))
        return refuse(404, 'RESOURCE_NOT_FOUND', 'Conversion rule not found')
      const elements = events.map((event) => {
        const problem = problemOf(event)
        if (problem !== null) return { status: 400, error: { status: 400, message: problem } }
        received.add(`${event.conversion} ${event.eventId}`, event)
        return { status: 201 }
      })
      return { status: 200, body: { elements } }
    },
  }
}
