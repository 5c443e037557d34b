/** Converts an event of Google's Measurement Protocol to an event of `POST /events`. Pure. */
import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import { landingOf } from '../segment/landing.ts'
import { isoOf, type Json, objectOf, text, withoutMissing } from '../segment/members.ts'

/** developers.google.com/analytics/devguides/collection/protocol/ga4/reference/events, read 2026-11-18. */
const eventNames = new Map([
  ['purchase', 'payment_received'],
  ['generate_lead', 'lead_created'],
  ['sign_up', 'lead_created'],
  ['campaign_details', 'visit'],
])

type Origin = { sender: readonly unknown[]; micros: unknown; unique: string }

/** Undefined without a name. `unique` distinguishes events without a time. */
export function toEvent(event: unknown, body: Json, unique: string): Json | undefined {
  const { name, params: rawParams, timestamp_micros: eventMicros } = objectOf(event)
  const eventName = text(name, 100)
  if (eventName === undefined) return undefined
  const params = objectOf(rawParams)
  const micros = eventMicros ?? body.timestamp_micros
  const url = text(params.page_location, 2048)
  const landing = landingOf(eventName === 'page_view' ? url : undefined)
  const ip =
    typeof body.ip_override === 'string' && isIP(body.ip_override) !== 0 ? body.ip_override : undefined
  return withoutMissing({
    event_name: eventNames.get(eventName) ?? eventName,
    idempotency_key: keyOf(eventName, params, { sender: [body.client_id, body.user_id], micros, unique }),
    anonymous_id: text(body.client_id, 200),
    session_id: text(params.session_id, 200),
    timestamp: timeOf(micros),
    properties: propertiesOf(params, objectOf(body.consent)),
    user_traits: withoutMissing({ external_id: text(body.user_id, 320) }),
    ...landing,
    utm: eventName === 'campaign_details' ? utmOf(params) : landing.utm,
    page: pageOf(params, url),
    user_agent: text(body.user_agent, 1024),
    ip,
  })
}

const purchaseKeyOf = (order: string): string => `ga4:purchase:${order}`

/**
 * A purchase is deduplicated by its order. Other events are duplicates if their whole content is equal. For refunds
 * without a time this applies across requests, so that a retried request does not refund twice.
 */
function keyOf(name: string, params: Json, { sender, micros, unique }: Origin): string {
  const order = text(params.transaction_id, 200)
  if (name === 'purchase' && order !== undefined) return purchaseKeyOf(order)
  const time = micros ?? (name === 'refund' && order !== undefined ? null : unique)
  return `ga4:${hash('sha256', JSON.stringify([name, params, ...sender, time]))}`
}

function timeOf(micros: unknown): string | undefined {
  const isTime = typeof micros === 'number' || typeof micros === 'string'
  return isTime ? isoOf(Number(micros) / 1000) : undefined
}

const visitParams = /^(page_\w+|session_id|engagement_time_msec|debug_mode|transaction_id)$/

function propertiesOf(params: Json, consent: Json): Json {
  const otherParams = Object.entries(params).filter(([name]) => !visitParams.test(name))
  const choices = Object.entries(consent).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.toLowerCase()]] : [],
  )
  return withoutMissing({
    ...Object.fromEntries(otherParams),
    order_id: text(params.transaction_id, 200),
    consent: choices.length === 0 ? undefined : Object.fromEntries(choices),
  })
}

const utmOf = (params: Json): Json =>
  withoutMissing({
    source: text(params.source, 512),
    medium: text(params.medium, 512),
    campaign: text(params.campaign, 512),
    term: text(params.term, 512),
    content: text(params.content, 512),
  })

function pageOf(params: Json, url: string | undefined): Json | undefined {
  if (url === undefined) return undefined
  return withoutMissing({
    url,
    referrer: text(params.page_referrer, 2048),
    title: text(params.page_title, 512),
  })
}
