/** An event of Google's Measurement Protocol → an event of `POST /events`; pure. */
import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import { landingOf } from '../segment/landing.ts'
import { isoOf, type Json, objectOf, text, withoutMissing } from '../segment/members.ts'

/** developers.google.com/analytics/devguides/collection/protocol/ga4/reference/events, read 2026-11-18. */
const names = new Map([
  ['purchase', 'payment_received'],
  ['generate_lead', 'lead_created'],
  ['sign_up', 'lead_created'],
  ['campaign_details', 'visit'],
])

type Origin = { sender: readonly unknown[]; micros: unknown; unique: string }

/** Undefined without a name. `unique` distinguishes events that carry no time. */
export function toEvent(event: unknown, body: Json, unique: string): Json | undefined {
  const { name, params: given, timestamp_micros: ownMicros } = objectOf(event)
  const givenName = text(name, 100)
  if (givenName === undefined) return undefined
  const params = objectOf(given)
  const micros = ownMicros ?? body.timestamp_micros
  const url = text(params.page_location, 2048)
  const landing = landingOf(givenName === 'page_view' ? url : undefined)
  const ip =
    typeof body.ip_override === 'string' && isIP(body.ip_override) !== 0 ? body.ip_override : undefined
  return withoutMissing({
    event_name: names.get(givenName) ?? givenName,
    idempotency_key: keyOf(givenName, params, { sender: [body.client_id, body.user_id], micros, unique }),
    anonymous_id: text(body.client_id, 200),
    session_id: text(params.session_id, 200),
    timestamp: timeOf(micros),
    properties: propertiesOf(params, objectOf(body.consent)),
    user_traits: withoutMissing({ external_id: text(body.user_id, 320) }),
    ...landing,
    utm: givenName === 'campaign_details' ? utmOf(params) : landing.utm,
    page: pageOf(params, url),
    user_agent: text(body.user_agent, 1024),
    ip,
  })
}

export const purchaseKeyOf = (order: string): string => `ga4:purchase:${order}`

/**
 * An order counts once however often it is sent. Any other event is the same if all that it says is the same; for money
 * given back without a time this holds across requests, so that a repeated request gives nothing back twice.
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

const aboutTheVisit = /^(page_\w+|session_id|engagement_time_msec|debug_mode|transaction_id)$/

function propertiesOf(params: Json, consent: Json): Json {
  const kept = Object.entries(params).filter(([name]) => !aboutTheVisit.test(name))
  const choices = Object.entries(consent).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.toLowerCase()]] : [],
  )
  return withoutMissing({
    ...Object.fromEntries(kept),
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
