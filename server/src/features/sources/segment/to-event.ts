/** Converts a message of the Segment tracking API to an event of `POST /events`. Pure. */
import { isIP } from 'node:net'
import { landingOf } from './landing.ts'
import { instantOf, isoOf, type Json, objectOf, text, withoutMissing } from './members.ts'

const MAX_CLOCK_ERROR_MS = 5 * 60_000

/** Segment's “order completed” is a payment here. */
const eventNames = new Map([
  ['order completed', 'payment_received'],
  ['order refunded', 'refund'],
  ['signed up', 'lead_created'],
  ['lead generated', 'lead_created'],
])

export type Sent = { now: Date; sentAt: unknown }

/** Undefined for types without information about a visit, a person or an outcome. */
export function toEvent(message: unknown, sent: Sent): Json | undefined {
  const fields = objectOf(message)
  const context = objectOf(fields.context)
  const name = nameOf(fields)
  if (name === undefined) return undefined
  const page = pageOf(fields, context)
  const userAgent = text(context.userAgent, 1024)
  const landing = landingOf(fields.type === 'page' ? text(page?.url, 2048) : undefined)
  const ip = typeof context.ip === 'string' && isIP(context.ip) !== 0 ? context.ip : undefined
  return withoutMissing({
    event_name: name,
    idempotency_key: keyOf(fields),
    anonymous_id: text(fields.type === 'alias' ? fields.previousId : fields.anonymousId, 200),
    timestamp: timeOf(fields, sent),
    properties: withConsent(
      fields.type === 'track' ? propertiesOf(objectOf(fields.properties)) : undefined,
      objectOf(objectOf(context.consent).categoryPreferences),
    ),
    user_traits: traitsOf(fields, context),
    ...landing,
    utm: { ...landing.utm, ...utmOf(objectOf(context.campaign)) },
    page,
    user_agent: userAgent,
    ip,
  })
}

/**
 * Merchants name the categories freely, so a single refused one is a refusal
 * (twilio.com/docs/segment/privacy/consent-management, read 2026-11-18). A grant of all is not read as a grant for ads.
 */
function withConsent(properties: Json | undefined, preferences: Json): Json | undefined {
  if (Object.values(preferences).every((choice) => choice !== false)) return properties
  return { ...properties, consent: { ad_user_data: 'denied', ad_personalization: 'denied' } }
}

function nameOf({ type, event }: Json): string | undefined {
  switch (type) {
    case 'track': {
      const eventName = text(event, 100)
      return eventName === undefined
        ? undefined
        : (eventNames.get(eventName.toLowerCase()) ?? eventName.trim().toLowerCase().replace(/\W+/g, '_'))
    }
    case 'page':
      return 'page_view'
    case 'screen':
      return 'screen_view'
    case 'identify':
    case 'alias':
      return 'identify'
    default:
      return undefined
  }
}

/** Deduplicates retries of the same message. */
const keyOf = ({ messageId }: Json) => {
  const id = text(messageId, 240)
  return id === undefined ? undefined : `segment:${id}`
}

/** If the sender's clock is minutes off, its `sentAt` is used to correct the time. */
function timeOf({ timestamp, originalTimestamp }: Json, { now, sentAt }: Sent): string | undefined {
  const at = instantOf(timestamp ?? originalTimestamp)
  const error = instantOf(sentAt) - now.getTime()
  return isoOf(Number.isNaN(error) || Math.abs(error) <= MAX_CLOCK_ERROR_MS ? at : at - error)
}

/** `revenue` and `total` are the names of Segment's commerce events. */
function propertiesOf(properties: Json): Json {
  const value = properties.value ?? properties.revenue ?? properties.total
  return value === undefined ? properties : { ...properties, value }
}

function traitsOf(message: Json, context: Json): Json | undefined {
  const traits = { ...objectOf(context.traits), ...objectOf(message.traits) }
  const address = objectOf(traits.address)
  return withoutMissing({
    external_id: text(message.userId, 320),
    email: text(traits.email, 320),
    phone: text(traits.phone, 64),
    first_name: text(traits.firstName ?? traits.first_name, 200),
    last_name: text(traits.lastName ?? traits.last_name, 200),
    city: text(address.city, 200),
    region: text(address.state, 200),
    postal_code: text(address.postalCode, 32),
  })
}

function utmOf(campaign: Json): Json {
  return withoutMissing({
    source: text(campaign.source, 512),
    medium: text(campaign.medium, 512),
    campaign: text(campaign.name, 512),
    term: text(campaign.term, 512),
    content: text(campaign.content, 512),
  })
}

function pageOf(message: Json, context: Json): Json | undefined {
  const page = { ...objectOf(context.page), ...(message.type === 'page' ? objectOf(message.properties) : {}) }
  const url = text(page.url, 2048)
  if (url === undefined) return undefined
  return withoutMissing({ url, referrer: text(page.referrer, 2048), title: text(page.title, 512) })
}
