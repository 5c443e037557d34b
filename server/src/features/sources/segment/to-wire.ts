/** Converts a message of Segment's browser client to the tracker's wire format. Pure. */
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { landingOf } from './landing.ts'
import { instantOf, isoOf, type Json, objectOf, text } from './members.ts'
import { type Sent, toEvent } from './to-event.ts'

/** UUID namespace, so that a retry of a message has the same event id. */
const MESSAGE_NAMESPACE = '6f1c1f5e-2a67-4a7c-9d0e-5b7f3c1f9a42'

/**
 * Only page views create touches, because the client repeats the referrer on every message. The client has no sessions,
 * so the visitor id serves as the session id, and a visit without referrer and tags creates no touch.
 */
export function toWire(message: unknown, sent: Sent & { consentMode: string }): Json | undefined {
  const event = toEvent(message, sent)
  const fields = objectOf(message)
  const context = objectOf(fields.context)
  if (event === undefined || !isGranted(context, sent.consentMode)) return undefined
  const page = objectOf(event.page)
  const screen = objectOf(context.screen)
  const now = sent.now.toISOString()
  const isArrival = event.event_name === 'page_view'
  const isSale = event.event_name === 'payment_received'
  const landing = landingOf(isArrival ? text(page.url, 2048) : undefined)
  return {
    event_id: uuidv5(MESSAGE_NAMESPACE, String(event.idempotency_key ?? `${now} ${JSON.stringify(message)}`)),
    type: isArrival
      ? 'page_view'
      : event.event_name === 'identify'
        ? 'identify'
        : isSale
          ? 'purchase'
          : 'track',
    // Same name as from the tracker: a browser cannot confirm the payment.
    event_name: isSale ? 'order_placed' : event.event_name,
    occurred_at: isoOf(instantOf(fields.timestamp ?? fields.originalTimestamp)) ?? now,
    sent_at: isoOf(instantOf(sent.sentAt)) ?? now,
    anonymous_id: event.anonymous_id,
    session_id: event.anonymous_id,
    session_start: false,
    url: page.url ?? '',
    referrer: isArrival ? (page.referrer ?? '') : '',
    title: page.title ?? '',
    ...landing,
    properties: event.properties ?? {},
    user_traits: event.user_traits ?? {},
    consent: 'granted',
    screen: { w: numberOf(screen.width), h: numberOf(screen.height) },
    language: text(context.locale, 35) ?? '',
    tz: text(context.timezone, 64) ?? '',
  }
}

/**
 * The visitor's choices, or without any the profile's default consent. Merchants name the categories freely, so a single
 * refused category means no consent (twilio.com/docs/segment/privacy/consent-management, read 2026-11-18).
 */
function isGranted(context: Json, consentMode: string): boolean {
  const choices = Object.values(objectOf(objectOf(context.consent).categoryPreferences))
  return choices.length === 0 ? consentMode === 'granted' : choices.every((choice) => choice === true)
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
