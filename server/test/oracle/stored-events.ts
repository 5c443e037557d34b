/** Events as the oracle stores them, independent of their route, and their identifiers. */
import { toMinor } from './decimal.ts'
import type {
  CardPayment,
  Identifier,
  IdentifierKind,
  Page,
  PaymentStatus,
  Referral,
  ServerEvent,
} from './history.ts'
import type { Link, Node } from './people.ts'

export type StoredEvent = {
  id: string
  recordedAt: number
  at: number
  name: string
  source: 'events' | 'web' | 'cardgateway' | 'partner'
  body: ServerEvent
  page: Page | null
  /** The channel reported by a partner. */
  channel: Referral['channel'] | null
  status: PaymentStatus
  /** The anonymous person after an erasure. */
  erasedAs: Node | null
  /** The sender's content in canonical form, to detect unchanged repetitions. */
  canonicalText: string
  retracted: boolean
}

/** An event before it has an id; without a time it happened when it was first reported. */
export type Reported = Omit<StoredEvent, 'id' | 'recordedAt' | 'at' | 'retracted'> & { at: number | null }

const plain = { page: null, channel: null, status: 'succeeded', erasedAs: null } as const

export function reportedByServer(event: ServerEvent): Reported {
  return {
    ...plain,
    at: event.timestamp === undefined ? null : Date.parse(event.timestamp),
    name: event.event_name,
    source: 'events',
    body: event,
    canonicalText: JSON.stringify(sorted(event)),
  }
}

export function reportedByBrowser(page: Page): Reported {
  const { email, anonymous_id, utm, click_ids, ad, purchase } = page
  const name = purchase === undefined ? 'page_view' : 'payment_received'
  const traits = email === undefined ? {} : { user_traits: { email } }
  return {
    ...plain,
    at: page.occurredAt,
    name,
    source: 'web',
    body: {
      event_name: name,
      anonymous_id,
      ...traits,
      utm,
      click_ids,
      ad,
      ...(purchase === undefined ? {} : { properties: purchase }),
    },
    page,
    canonicalText: JSON.stringify(sorted(page)),
  }
}

export function reportedByGateway(card: CardPayment): Reported {
  const { value, currency, occurred_at, status = 'succeeded', customer = {}, order_id } = card
  const { anonymous_id, external_ref, ...contact } = customer
  const traits = { ...contact, ...(external_ref === undefined ? {} : { external_id: external_ref }) }
  const amount = String(toMinor(value, currency))
  const fields = { at: occurred_at, amount, currency, status, customer, order_id }
  return {
    ...plain,
    at: occurred_at === undefined ? null : Date.parse(occurred_at),
    name: 'payment_received',
    source: 'cardgateway',
    body: {
      event_name: 'payment_received',
      ...(anonymous_id === undefined ? {} : { anonymous_id }),
      ...(Object.keys(traits).length === 0 ? {} : { user_traits: traits }),
      properties: { value, currency, ...(order_id === undefined ? {} : { order_id }) },
    },
    status,
    canonicalText: JSON.stringify(sorted(occurred_at === undefined ? { ...card, status } : fields)),
  }
}

export function reportedByPartner({ idempotency_key: _, ...referral }: Referral): Reported {
  const { external_ref, ...contact } = referral.customer
  return {
    ...plain,
    at: Date.parse(referral.occurred_at),
    name: 'ad_referral',
    source: 'partner',
    body: {
      event_name: 'ad_referral',
      user_traits: { ...contact, ...(external_ref === undefined ? {} : { external_id: external_ref }) },
      ad: { ad_id: referral.ad_id },
    },
    channel: referral.channel,
    canonicalText: JSON.stringify(sorted(referral)),
  }
}

/** The service's normalised spelling of an identifier, which the oracle cannot compute. */
export type Spelling = (kind: IdentifierKind, value: string) => string

const ranks: Record<IdentifierKind, number> = { external_id: 0, email: 3, phone: 4, anonymous_id: 5 }
const UNKNOWN_RANK = 6
const ERASED_RANK = 7

export const erasedNode = (name: string): Node => `${ERASED_RANK}:${name}`
export const isErased = (node: Node): boolean => node.startsWith(`${ERASED_RANK}:`)

export function nodeOf({ kind, value }: Identifier, spelling: Spelling): Node {
  return `${ranks[kind]}:${spelling(kind, normal(kind, value))}`
}

export function idOf(node: Node): string {
  return node.slice(2)
}

/** Null for an event without identifiers. */
export function kindOf(node: Node): IdentifierKind | null {
  const kinds = Object.keys(ranks) as IdentifierKind[]
  return kinds.find((kind) => ranks[kind] === Number(node[0])) ?? null
}

/** Strongest first. */
export function nodesOf(event: StoredEvent, spelling: Spelling): Node[] {
  if (event.erasedAs !== null) return [event.erasedAs]
  const { anonymous_id, user_traits = {} } = event.body
  const identifiers: Identifier[] = []
  if (user_traits.external_id !== undefined)
    identifiers.push({ kind: 'external_id', value: user_traits.external_id })
  if (user_traits.email !== undefined) identifiers.push({ kind: 'email', value: user_traits.email })
  if (user_traits.phone !== undefined) identifiers.push({ kind: 'phone', value: user_traits.phone })
  if (anonymous_id !== undefined) identifiers.push({ kind: 'anonymous_id', value: anonymous_id })
  const nodes = identifiers.map((identifier) => nodeOf(identifier, spelling))
  return nodes.length === 0 ? [`${UNKNOWN_RANK}:${event.id}`] : nodes
}

export function linksOf(event: StoredEvent, spelling: Spelling): Link[] {
  const [strong, ...weaker] = nodesOf(event, spelling)
  return weaker.map((weak) => ({ weak, strong: strong!, at: event.at }))
}

/** The event after the erasure of its person. */
export function withoutPerson(event: StoredEvent, erasedAs: Node): StoredEvent {
  const { anonymous_id: _visitor, user_traits: _traits, ...body } = event.body
  return { ...event, body, erasedAs }
}

/** Applies a new version to an erased event: time, name, amount and status may change; also returns whether they did. */
export function reportAgain(
  event: StoredEvent,
  reported: Reported,
  ownCurrency: string,
): { event: StoredEvent; isSame: boolean } {
  const { value, currency } = reported.body.properties ?? {}
  const { value: _value, currency: _currency, ...otherProperties } = event.body.properties ?? {}
  const properties = {
    ...otherProperties,
    ...(value === undefined ? {} : { value }),
    ...(currency === undefined ? {} : { currency }),
  }
  const after = { ...event, at: reported.at ?? event.at, name: reported.name, status: reported.status }
  after.body = { ...event.body, event_name: reported.name, properties }
  return { event: after, isSame: factsOf(after, ownCurrency) === factsOf(event, ownCurrency) }
}

function factsOf({ at, name, status, body }: StoredEvent, ownCurrency: string): string {
  const { value, currency = ownCurrency } = body.properties ?? {}
  return JSON.stringify([at, name, status, value === undefined ? null : [Number(value), currency]])
}

function normal(kind: IdentifierKind, value: string): string {
  switch (kind) {
    case 'email':
      return value.trim().toLowerCase()
    case 'phone':
      return `+${value.replace(/^00/, '').replace(/\D/g, '')}`
    case 'external_id':
    case 'anonymous_id':
      return value.trim()
  }
}

/** Sorts keys at every depth, so that equal bodies have equal text. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
