/** A message of Segment's browser client → an event as the tracker sends it; pure. */
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { landingOf } from './landing.ts'
import { type Json, objectOf, text } from './members.ts'
import { type Sent, toEvent } from './to-event.ts'

/** A message that is sent again has the same id again. */
const MESSAGES = '6f1c1f5e-2a67-4a7c-9d0e-5b7f3c1f9a42'

/**
 * Only a page view makes a touch: the client repeats the referrer on every message. It has no sessions, so the session is
 * the visitor, and a visit without referrer and tags makes no touch.
 */
export function toWire(message: unknown, sent: Sent): Json | undefined {
  const event = toEvent(message, sent)
  if (event === undefined) return undefined
  const own = objectOf(message)
  const context = objectOf(own.context)
  const page = objectOf(event.page)
  const screen = objectOf(context.screen)
  const now = sent.now.toISOString()
  const isArrival = event.event_name === 'page_view'
  const isSale = event.event_name === 'payment_received'
  const landing = landingOf(isArrival ? text(page.url, 2048) : undefined)
  return {
    event_id: uuidv5(MESSAGES, String(event.idempotency_key ?? `${now} ${JSON.stringify(message)}`)),
    type: isArrival
      ? 'page_view'
      : event.event_name === 'identify'
        ? 'identify'
        : isSale
          ? 'purchase'
          : 'track',
    // As the tracker reports a sale: a browser cannot know that it was paid.
    event_name: isSale ? 'order_placed' : event.event_name,
    occurred_at: instantOf(own.timestamp ?? own.originalTimestamp) ?? now,
    sent_at: instantOf(sent.sentAt) ?? now,
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

function instantOf(value: unknown): string | undefined {
  const at = Date.parse(String(value ?? ''))
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
