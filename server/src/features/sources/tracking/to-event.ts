/** A tracker event → the event that is kept. Pure. */
import { Refusal } from '../../../platform/contract/refusal.ts'
import { uuidv5, withTimeOf } from '../../../platform/secrets/uuid5.ts'
import { hashOf, moneyOf } from '../../facts/events/rules.ts'
import type { EventBody, NewEvent, Traits } from '../../facts/events/stored.ts'
import { toTouch } from '../../facts/events/touch.ts'
import { type IdentityScope, orderOf, toIdentifiers } from '../../facts/identity/identifiers.ts'
import type { WireEvent } from './wire.ts'

export type Visit = IdentityScope & {
  currency: string
  now: Date
  isBot: boolean
  device: Record<string, string | null>
  /** Domains of the business: a visit that comes from one of them goes on and is no referral. */
  ownDomains: readonly string[]
  userAgent: string
  /** Names of events that an ad platform is to be reported with their browser. */
  exportedNames: ReadonlySet<string>
}

/** Longer ones are made up. */
const MAX_AGENT = 1000

export type Reading = { ok: true; event: NewEvent } | { ok: false; message: string }

export function toTrackedEvent(wire: WireEvent, visit: Visit): Reading {
  const money = moneyOf(wire.properties, visit.currency)
  if (money instanceof Refusal) return { ok: false, message: money.message }
  const utm = present(wire.utm)
  const clickIds = present(wire.click_ids)
  const touch = toTouch({
    utm,
    clickIds,
    ad: wire.ad,
    referrer: isOnDomain(wire.referrer, visit.ownDomains) ? null : wire.referrer,
    url: wire.url,
    sessionStart: wire.session_start,
    origin: 'web',
  })
  const traits = present(wire.user_traits) as Traits
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
  const orderId = wire.properties.order_id
  if (typeof orderId === 'string' || typeof orderId === 'number')
    Object.assign(body, orderOf(orderId, visit.profileId, visit.pepper))
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
      contentHash: hashOf(wordsOf(wire)),
      body,
      ...agentOf(wire, visit),
    },
  }
}

export function isOnDomain(url: string, domains: readonly string[]): boolean {
  const host = URL.parse(url)?.hostname
  return host !== undefined && domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

function agentOf(
  wire: WireEvent,
  { exportedNames, userAgent, isBot }: Visit,
): Pick<NewEvent, 'userAgent' | 'cookies'> {
  const isSent = exportedNames.has(wire.event_name) && !isBot && userAgent !== ''
  if (!isSent) return {}
  const cookies = present(wire.cookies ?? {})
  return {
    userAgent: userAgent.slice(0, MAX_AGENT),
    ...(Object.keys(cookies).length === 0 ? {} : { cookies }),
  }
}

/** When it was sent and by which installation says nothing about what happened. */
function wordsOf(wire: WireEvent): unknown[] {
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

const RIGHT_WITHIN_MS = 5000

/**
 * The browser's clock may be wrong, but the time between happening and sending is right. A small
 * difference is the journey of the request; correcting by it would shuffle the events of a visit. Never before 1970:
 * two made-up times can be further apart than the database's first day is away.
 */
export function correctedTime(wire: Pick<WireEvent, 'occurred_at' | 'sent_at'>, now: Date): Date {
  const occurred = Date.parse(wire.occurred_at)
  const sent = Date.parse(wire.sent_at)
  const isRight = Math.abs(now.getTime() - sent) <= RIGHT_WITHIN_MS && occurred <= sent
  return new Date(isRight ? occurred : Math.max(0, now.getTime() - Math.max(0, sent - occurred)))
}

function present(values: Record<string, string | undefined>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined && value !== '') kept[name] = value
  }
  return kept
}
