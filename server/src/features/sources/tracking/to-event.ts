/** Converts a tracker event to a stored event. Pure. */
import { consentMarks, consentSignals } from '../../../platform/contract/consent.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'
import { uuidv5, withTimeOf } from '../../../platform/secrets/uuid5.ts'
import { REFUND_EVENT } from '../../facts/events/name-rules.ts'
import { eventIdOf, hashOf, moneyOf } from '../../facts/events/rules.ts'
import type { EventBody, NewEvent, Traits } from '../../facts/events/stored.ts'
import { toTouch } from '../../facts/events/touch.ts'
import { type IdentityScope, orderOf, toIdentifiers } from '../../facts/identity/identifiers.ts'
import type { WireEvent } from './wire.ts'

export type Visit = IdentityScope & {
  currency: string
  now: Date
  isBot: boolean
  device: Record<string, string | null>
  /** Domains of the business. A referrer on one of them continues the visit and is not a referral. */
  ownDomains: readonly string[]
  userAgent: string
  /** The browser sent Global Privacy Control. */
  isOptedOut?: boolean
  /** A later grant on the site lifts it. */
  mayLiftOptOut?: boolean
  /** Names of events that are exported to an ad platform together with browser data. */
  exportedNames: ReadonlySet<string>
}

/** Real user agents are shorter. */
const MAX_USER_AGENT = 1000

export type Reading = { ok: true; event: NewEvent } | { ok: false; message: string }

export function toTrackedEvent(wire: WireEvent, visit: Visit): Reading {
  const isRefund = wire.event_name === REFUND_EVENT
  const money = moneyOf(wire.properties, visit.currency, { rounds: true, isRefund })
  if (money instanceof Refusal) return { ok: false, message: money.message }
  // Without a value everything is refunded, so one that is not an amount is refused.
  if (isRefund && money === undefined && wire.properties.value != null)
    return { ok: false, message: 'properties.value: must be an amount.' }
  const utm = nonEmpty(wire.utm)
  const clickIds = nonEmpty(wire.click_ids)
  const touch = toTouch({
    utm,
    clickIds,
    ad: wire.ad,
    referrer: isOnDomain(wire.referrer, visit.ownDomains) ? null : wire.referrer,
    url: wire.url,
    sessionStart: wire.session_start,
    origin: 'web',
  })
  const traits = nonEmpty(wire.user_traits) as Traits
  const body: EventBody = {
    identifiers: toIdentifiers(
      {
        anonymousId: wire.anonymous_id,
        email: traits.email ?? null,
        phone: traits.phone ?? null,
        country: traits.country ?? null,
        externalId: traits.external_id ?? null,
      },
      visit,
    ),
    properties: wire.properties,
    page: { url: wire.url, referrer: wire.referrer, title: wire.title },
    device: { ...visit.device, language: wire.language, time_zone: wire.tz },
    utm,
    click_ids: clickIds,
  }
  if (Object.keys(traits).length > 0) body.traits = traits
  if (touch !== null) body.touch = touch
  if (money !== undefined) body.money = money
  const signals = signalsOf(wire, visit)
  if (signals.length > 0) body.consent_signals = signals
  if (wire.session_start) body.session_start = true
  const orderId = wire.properties.order_id
  if (typeof orderId === 'string' || typeof orderId === 'number')
    Object.assign(body, orderOf(orderId, visit.profileId, visit.pepper))
  if (isRefund && body.order_id !== undefined) body.refund_of = eventIdOf(visit.profileId, body.order_id)
  return {
    ok: true,
    event: {
      id: withTimeOf(wire.event_id, uuidv5(visit.profileId, `web:${wire.event_id}`)),
      occurredAt: correctedTime(wire, visit.now),
      receivedAt: visit.now,
      source: 'tracker',
      provider: null,
      externalId: wire.event_id,
      name: wire.event_name,
      anonymousId: wire.anonymous_id,
      sessionId: wire.session_id,
      isBot: visit.isBot,
      contentHash: hashOf(contentOf(wire)),
      body,
      ...(signals.includes('gpc') ? {} : browserData(wire, visit)),
    },
  }
}

/** The header counts also for scripts that do not report it. Not part of the content: another proxy makes no new version. */
function signalsOf(wire: WireEvent, { isOptedOut = false, mayLiftOptOut = false }: Visit): string[] {
  const sent = new Set(wire.signals)
  if (!mayLiftOptOut) sent.delete('gpc_lifted')
  if (isOptedOut && !sent.has('gpc_lifted')) sent.add('gpc')
  return [...consentSignals, ...consentMarks].filter((name) => sent.has(name))
}

export function isOnDomain(url: string, domains: readonly string[]): boolean {
  const host = URL.parse(url)?.hostname
  return host !== undefined && domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

function browserData(
  wire: WireEvent,
  { exportedNames, userAgent, isBot }: Visit,
): Pick<NewEvent, 'userAgent' | 'cookies'> {
  const isExported = exportedNames.has(wire.event_name) && !isBot && userAgent !== ''
  if (!isExported) return {}
  const cookies = nonEmpty(wire.cookies ?? {})
  return {
    userAgent: userAgent.slice(0, MAX_USER_AGENT),
    ...(Object.keys(cookies).length === 0 ? {} : { cookies }),
  }
}

/** The content that two versions of an event are compared by: without the send time and the installation. */
function contentOf(wire: WireEvent): unknown[] {
  return [
    wire.type,
    wire.event_name,
    wire.occurred_at,
    wire.anonymous_id,
    wire.session_id,
    wire.session_start,
    wire.url,
    wire.referrer,
    wire.title,
    wire.utm,
    wire.click_ids,
    wire.ad,
    wire.properties,
    wire.user_traits,
    wire.screen,
    wire.language,
    wire.tz,
  ]
}

const CLOCK_TOLERANCE_MS = 5000

/**
 * The browser's clock may be wrong, but the time between occurrence and sending is right. Small differences are network
 * latency and are not corrected, because that would reorder the events of a visit. The result is never before 1970:
 * forged times could be far enough apart to leave the database's date range.
 */
export function correctedTime(wire: Pick<WireEvent, 'occurred_at' | 'sent_at'>, now: Date): Date {
  const occurred = Date.parse(wire.occurred_at)
  const sent = Date.parse(wire.sent_at)
  const isAccurate = Math.abs(now.getTime() - sent) <= CLOCK_TOLERANCE_MS && occurred <= sent
  return new Date(isAccurate ? occurred : Math.max(0, now.getTime() - Math.max(0, sent - occurred)))
}

function nonEmpty(values: Record<string, string | undefined>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined && value !== '') result[name] = value
  }
  return result
}
