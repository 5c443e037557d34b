/** Validates and normalises server-side events: returns a refusal or the event to store. Pure. */

import { hash } from 'node:crypto'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { findCurrency, parseMoney, roundDecimal } from '../../../platform/contract/money.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { type IdentityScope, orderOf, toIdentifiers } from '../identity/identifiers.ts'
import type { EventInput } from './contract.ts'
import { REFUND_EVENT } from './name-rules.ts'
import type { EventBody, NewEvent, Traits } from './stored.ts'
import { subjectRefProblem } from './subject-ref.ts'
import { toTouch } from './touch.ts'

/** Longer user agents are truncated, as in the tracker. */
const MAX_AGENT = 1000
const MAX_AHEAD_MS = DAY_MS

export type EventSetting = IdentityScope & {
  currency: string
  now: Date
  /** Names whose conversions are exported with browser data; default: none. */
  exportedNames?: ReadonlySet<string>
}

/** The event id of an idempotency key: one event per profile and key, permanently. */
export function eventIdOf(profileId: string, idempotencyKey: string): string {
  return uuidv5(profileId, `api:${idempotencyKey}`)
}

export function toNewEvent(input: EventInput, setting: EventSetting): NewEvent | Refusal {
  const name = nameOf(input)
  if (name instanceof Refusal) return name
  const money = moneyOf(input.properties, setting.currency, { isRefund: name === REFUND_EVENT })
  if (money instanceof Refusal) return money
  const key = input.idempotency_key
  if (money !== undefined && key === undefined)
    return invalid('idempotency_key', 'required when the event carries money.')
  const { timestamp = input.occurred_at } = input
  if (input.occurred_at !== undefined && timestamp !== input.occurred_at)
    return invalid('occurred_at', 'differs from timestamp; send timestamp only.')
  const occurredAt = timestamp === undefined ? null : new Date(timestamp)
  if (occurredAt !== null && occurredAt.getTime() > setting.now.getTime() + MAX_AHEAD_MS)
    return invalid('timestamp', 'is more than 24 hours in the future.')
  const body = bodyOf(name, input, setting, money)
  if (body instanceof Refusal) return body
  return {
    id: key === undefined ? uuidv7(setting.now) : eventIdOf(setting.profileId, key),
    occurredAt,
    receivedAt: setting.now,
    source: 'api',
    provider: null,
    externalId: key ?? null,
    name,
    anonymousId: input.anonymous_id ?? null,
    sessionId: input.session_id ?? null,
    isBot: false,
    contentHash: hashOf([
      name,
      input.anonymous_id,
      input.session_id,
      timestamp,
      input.properties,
      input.user_traits,
      input.utm,
      input.click_ids,
      input.ad,
      // Only if present, so that hashes of older events, which lack these fields, do not change.
      ...(input.page == null && input.session_start == null ? [] : [input.page, input.session_start]),
    ]),
    body,
    ...agentOf(name, input, setting),
  }
}

/** Id of an event without a key, from the Idempotency-Key of its request. The same content in a repeated request is the same event. */
export function inKeyedBatch(
  event: NewEvent,
  request: { profileId: string; owner: string; headerKey: string; index: number },
): NewEvent {
  const { profileId, owner, headerKey, index } = request
  const content = event.contentHash.toString('hex')
  return { ...event, id: uuidv5(profileId, `batch:${[owner, headerKey, index, content].join('\n')}`) }
}

/** Browser data, only if a destination exports the event. */
function agentOf(
  name: string,
  { user_agent, ip }: EventInput,
  { exportedNames }: EventSetting,
): Pick<NewEvent, 'userAgent' | 'ip'> {
  if (exportedNames?.has(name) !== true || !user_agent) return {}
  return { userAgent: user_agent.slice(0, MAX_AGENT), ...(ip ? { ip } : {}) }
}

/**
 * Simultaneous touches are ordered by their receipt. All events of a request are received at the same time, so
 * simultaneous ones get receipts a millisecond apart, in request order. The last one keeps the real time: no receipt is
 * in the future, where an erasure requested at this moment would miss it.
 */
export function inRequestOrder<Event extends Pick<NewEvent, 'occurredAt' | 'receivedAt'>>(
  events: readonly Event[],
): Event[] {
  const instantOf = (event: Event) => event.occurredAt?.getTime() ?? null
  const remaining = new Map<number | null, number>()
  for (const event of events) remaining.set(instantOf(event), (remaining.get(instantOf(event)) ?? 0) + 1)
  return events.map((event) => {
    const later = remaining.get(instantOf(event))! - 1
    remaining.set(instantOf(event), later)
    return later === 0 ? event : { ...event, receivedAt: new Date(event.receivedAt.getTime() - later) }
  })
}

const invalid = (field: string, problem: string) => new Refusal('validation_error', problem, { field })

function nameOf(input: EventInput): string | Refusal {
  const name = input.event_name ?? input.event_type
  if (name === undefined) return invalid('event_name', 'required.')
  if (input.event_type !== undefined && input.event_type !== name)
    return invalid('event_type', 'differs from event_name; send event_name only.')
  return name
}

/**
 * The money of an event from its properties, for any source. `rounds`: the sender is a page or a client of another
 * service, which cannot correct an amount that is refused. The sign of a refund does not matter.
 */
export function moneyOf(
  { value, currency }: { value?: unknown; currency?: unknown },
  profileCurrency: string,
  { rounds = false, isRefund = false }: { rounds?: boolean; isRefund?: boolean } = {},
): EventBody['money'] | Refusal {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const code = findCurrency(typeof currency === 'string' ? currency : profileCurrency)
  if (code === undefined) return invalid('properties.currency', `${currency} is not an ISO 4217 currency.`)
  const rounded = rounds ? roundDecimal(value, code) : undefined
  const parsed = parseMoney(rounded ?? value, code)
  if (!parsed.ok) return invalid('properties.value', parsed.message)
  if (parsed.amountMinor < 0 && !isRefund)
    return invalid(
      'properties.value',
      'must not be negative. To refund a payment, send the event refund with its order_id.',
    )
  const money = { minor: Math.abs(parsed.amountMinor), currency: code }
  return rounded === undefined ? money : { ...money, reported: String(value) }
}

const noOrder = () =>
  invalid(
    'properties.order_id',
    'required for a refund: the order_id of the payment, or the idempotency_key that it was sent with.',
  )

function bodyOf(
  name: string,
  input: EventInput,
  setting: EventSetting,
  money: EventBody['money'],
): EventBody | Refusal {
  const { order_id: orderId, subject_ref: subjectRef, ...properties } = input.properties
  const problem = typeof subjectRef === 'string' ? subjectRefProblem(subjectRef) : null
  if (problem !== null)
    return new Refusal('invalid_parameter', `${problem}; send an opaque id, such as a UUID.`, {
      field: 'properties.subject_ref',
    })
  const traits = input.user_traits
  const touch = toTouch({
    utm: input.utm,
    clickIds: input.click_ids,
    ad: input.ad,
    referrer: input.page?.referrer ?? null,
    url: input.page?.url ?? null,
    sessionStart: input.session_start ?? false,
  })
  const body: EventBody = {
    identifiers: toIdentifiers(
      {
        anonymousId: input.anonymous_id ?? null,
        email: traits.email ?? null,
        phone: traits.phone ?? null,
        country: traits.country ?? null,
        externalId: traits.external_id ?? null,
      },
      setting,
    ),
  }
  const storedTraits = nonEmptyTraits(traits)
  if (storedTraits !== undefined) body.traits = storedTraits
  if (touch !== null) body.touch = touch
  if (money !== undefined) body.money = money
  if (typeof subjectRef === 'string') body.subject_ref = subjectRef
  Object.assign(body, orderOf(orderId, setting.profileId, setting.pepper))
  if (name === REFUND_EVENT) {
    if (body.order_id === undefined) return noOrder()
    body.refund_of = eventIdOf(setting.profileId, body.order_id)
  }
  const { page } = input
  if (page !== null && page !== undefined)
    body.page = { url: page.url, referrer: page.referrer ?? '', title: page.title ?? '' }
  if (!isEmpty(properties)) body.properties = properties
  if (!isEmpty(input.utm)) body.utm = input.utm
  if (!isEmpty(input.click_ids)) body.click_ids = input.click_ids
  return body
}

function nonEmptyTraits(traits: EventInput['user_traits']): Traits | undefined {
  const nonEmpty: Traits = {}
  for (const name in traits) {
    const value = traits[name as keyof Traits]
    if (typeof value === 'string' && value !== '') nonEmpty[name as keyof Traits] = value
  }
  return isEmpty(nonEmpty) ? undefined : nonEmpty
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false
  return true
}

/** SHA-256 of the JSON with sorted members, so that their order does not matter. */
export function hashOf(content: unknown): Buffer {
  // The encoding 'binary' costs half as much as a buffer result.
  return Buffer.from(hash('sha256', JSON.stringify(sortMembers(content)), 'binary'), 'latin1')
}

/** Caches the sorted members of list items, which mostly have the same members. */
type Shape = { members: readonly string[]; sorted: readonly string[] }

function sortMembers(value: unknown, shape?: Shape): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) {
    const shared: Shape = { members: [], sorted: [] }
    return value.map((item) => sortMembers(item, shared))
  }
  const ordered: Record<string, unknown> = {}
  for (const key of sortedMembers(value, shape))
    ordered[key] = sortMembers((value as Record<string, unknown>)[key])
  return ordered
}

function sortedMembers(value: object, shape: Shape | undefined): readonly string[] {
  const members = Object.keys(value)
  if (shape === undefined) return members.sort()
  const isSame =
    members.length === shape.members.length && members.every((key, at) => key === shape.members[at])
  if (!isSame) {
    shape.members = members
    shape.sorted = members.toSorted()
  }
  return shape.sorted
}

/** The event time; by default the time of receipt. */
export function timeOf(event: Pick<NewEvent, 'occurredAt' | 'receivedAt'>): Date {
  return event.occurredAt ?? event.receivedAt
}
