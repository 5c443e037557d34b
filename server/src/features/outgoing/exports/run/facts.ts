/**
 * Loads the data of conversions that may be sent to an ad platform. It is read when they are sent and not stored; the
 * ledger contains no personal data. Queries force lookups by key, independent of the planner's statistics.
 */
import { sql } from 'kysely'
import type { ExportAddress } from '../../../../connectors/connector.ts'
import type { MessagingChannel } from '../../../../connectors/messaging.ts'
import { uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { type Consent, noConsent } from '../../../facts/consents/rules.ts'
import { loadConsents } from '../../../facts/consents/statements.ts'
import type { EventSource } from '../../../facts/events/stored.ts'
import { loadMembers } from '../../../facts/identity/members.ts'
import { loadCountry } from '../../../facts/identity/scope.ts'
import { addressOf, exportedTraits, phonesOf, type TraitRow } from './traits.ts'

export type ConversionRef = { conversionId: string; eventId: string }

export type ConversionFacts = {
  id: string
  goalId: string
  occurredAt: Date
  revenueType: string
  valueMinor: number | null
  currency: string | null
  /** A duplicate, or an unconfirmed payment. */
  isNotCounted: boolean
}

export type EventFacts = {
  occurredAt: Date
  source: EventSource
  url: string | null
  orderId: string | null
  /** Unvalidated. */
  consent: unknown
  signals: string[] | null
  country: string | null
  clickIds: Record<string, string> | null
  userAgent: string | null
  ip: string | null
  browserId: string | null
  /** Click and browser cookies of the platforms' scripts: `fbc`, `ttp`. */
  cookies: Record<string, string>
  /** The requested properties; null if none were requested. */
  properties: Record<string, unknown> | null
}

export type PersonFacts = {
  isErased: boolean
  /** The newest statement of the customer, over all identifiers. */
  consent: Consent
  /** Latest first. */
  emails: string[]
  /** E.164; numbers of unknown countries are omitted. */
  phones: string[]
  address: ExportAddress | null
  externalIds: string[]
  leadId: string | null
  clicks: { kind: string; id: string; seenAt: Date }[]
  /** Conversations that started from an ad, with a connected account that has a dataset. */
  conversations: {
    channel: MessagingChannel
    accountId: string
    personId: string
    datasetId: string
    startedAt: Date
  }[]
}

export type Facts = {
  conversion: ConversionFacts | null
  event: EventFacts | null
  person: PersonFacts
  refundedMinor: number
}

const noPerson: PersonFacts = {
  isErased: false,
  consent: noConsent,
  emails: [],
  phones: [],
  address: null,
  externalIds: [],
  leadId: null,
  clicks: [],
  conversations: [],
}

type FactOptions = {
  withLeads: boolean
  /** Properties that are used as event ids. */
  properties: readonly string[]
}

/** Facts by conversion id. */
export async function loadFacts(
  db: Db | Tx,
  profileId: string,
  refs: readonly ConversionRef[],
  options: FactOptions,
): Promise<Map<string, Facts>> {
  const eventIds = refs.map((ref) => ref.eventId)
  const [conversions, refunds] = await Promise.all([
    loadConversions(db, profileId, refs, options.properties),
    loadRefunds(db, profileId, eventIds),
  ])
  const missing = refs.filter((ref) => conversions.get(ref.conversionId)?.hasEvent !== true)
  const eventsByKey =
    missing.length === 0
      ? new Map<string, EventRow>()
      : await loadEvents(
          db,
          profileId,
          missing.map((ref) => ref.eventId),
          options.properties,
        )
  const eventOf = (ref: ConversionRef) => {
    const conversion = conversions.get(ref.conversionId)
    return conversion?.hasEvent === true ? conversion : eventsByKey.get(ref.eventId)
  }
  // The event of a deleted conversion still identifies its customer.
  const ownerOf = (ref: ConversionRef) =>
    conversions.has(ref.conversionId) ? null : (eventsByKey.get(ref.eventId)?.ownerId ?? null)
  const owners = refs.flatMap((ref) => ownerOf(ref) ?? [])
  const customers = owners.length === 0 ? new Map() : await loadCustomers(db, profileId, owners)
  const customerOf = (ref: ConversionRef): string =>
    conversions.get(ref.conversionId)?.customerId ?? customers.get(ownerOf(ref) ?? '') ?? ''
  const ownIds = new Set<string>()
  for (const { identifierId, customerId } of conversions.values())
    if (identifierId === customerId) ownIds.add(customerId)
  const people = await loadPeople(db, profileId, [...new Set(refs.map(customerOf))], options, ownIds)
  return new Map(
    refs.map((ref) => {
      const conversion = conversions.get(ref.conversionId) ?? null
      const facts: Facts = {
        conversion,
        event: eventOf(ref) ?? null,
        person: people.get(customerOf(ref)) ?? noPerson,
        refundedMinor: conversion?.revenueType === 'cash' ? (refunds.get(ref.eventId) ?? 0) : 0,
      }
      return [ref.conversionId, facts]
    }),
  )
}

type EventRow = EventFacts & { id: string; ownerId: string | null }
type ConversionRow = ConversionFacts &
  Omit<EventRow, 'id'> & { identifierId: string; customerId: string; hasEvent: boolean | null }

/** Conversions with their events, looked up by the conversion's time; not found if the event was moved to another time. */
async function loadConversions(
  db: Db | Tx,
  profileId: string,
  refs: readonly ConversionRef[],
  properties: readonly string[],
) {
  const { rows } = await sql<ConversionRow>`
    select owner.customer_id as "customerId", conversion.*, stored.*
    from unnest(${uuids(refs, (ref) => ref.conversionId)}::uuid[], ${uuids(refs, (ref) => ref.eventId)}::uuid[])
      as input(id, event_id)
    cross join lateral (
      select id, goal_id as "goalId", identifier_id as "identifierId", occurred_at as "occurredAt",
        revenue_type as "revenueType", value_minor as "valueMinor", currency,
        (duplicate_of is not null or unconfirmed) as "isNotCounted"
      from conversions where profile_id = ${profileId} and id = input.id offset 0) as conversion
    cross join lateral (
      select customer_id from identifiers where profile_id = ${profileId} and id = conversion."identifierId" offset 0) as owner
    left join lateral (
      select true as "hasEvent", ${eventColumns(properties)}
      from events
      left join event_agents agent on agent.profile_id = ${profileId} and agent.event_id = input.event_id
      where events.profile_id = ${profileId} and occurred_at = conversion."occurredAt" and id = input.event_id offset 0) as stored
      on true`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const eventColumns = (properties: readonly string[]) => sql`
  source, body->'page'->>'url' as url, body->>'order_id' as "orderId",
  body->'properties'->'consent' as consent, body->'consent_signals' as signals, body->'device'->>'country' as country, body->'click_ids' as "clickIds",
  coalesce(agent.user_agent,
    case when source <> 'tracker' then body->'properties'->>'client_user_agent' end) as "userAgent",
  coalesce(agent.ip, body->'properties'->>'client_ip_address') as ip,
  coalesce(agent.cookies->>'fbp', body->'properties'->>'fbp') as "browserId",
  jsonb_strip_nulls(jsonb_build_object('fbc', coalesce(agent.cookies->>'fbc', body->'properties'->>'fbc'),
    'ttp', coalesce(agent.cookies->>'ttp', body->'properties'->>'ttp'))) as cookies,
  ${properties.length === 0 ? sql`null::jsonb` : propertiesOf(properties)} as properties,
  coalesce(body->>'erased_as', body->'identifiers'->0->>'id') as "ownerId"`

const propertiesOf = (names: readonly string[]) => sql`(
  select jsonb_object_agg(name, body->'properties'->name) from unnest(${names}::text[]) as name)`

/** Events of conversions that were deleted, or whose event was moved to another time. */
async function loadEvents(
  db: Db | Tx,
  profileId: string,
  ids: readonly string[],
  properties: readonly string[],
) {
  const { rows } = await sql<EventRow>`
    select input.id, stored.* from unnest(${uuidList([...new Set(ids)])}::uuid[]) as input(id)
    cross join lateral (
      select occurred_at from event_keys where profile_id = ${profileId} and event_id = input.id offset 0) as key
    cross join lateral (
      select occurred_at as "occurredAt", ${eventColumns(properties)}
      from events
      left join event_agents agent on agent.profile_id = ${profileId} and agent.event_id = input.id
      where events.profile_id = ${profileId} and occurred_at = key.occurred_at and id = input.id offset 0) as stored`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** In the currency of each payment. */
async function loadRefunds(db: Db | Tx, profileId: string, eventIds: readonly string[]) {
  const { rows } = await sql<{ payment_id: string; minor: number }>`
    select payment_id, sum(coalesce(counted_minor, amount_minor))::bigint as minor from refunds
    where profile_id = ${profileId} and payment_id = any(${uuidList(eventIds)}::uuid[]) group by payment_id`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.payment_id, row.minor]))
}

async function loadCustomers(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from identifiers
    where profile_id = ${profileId} and id = any(${uuidList(identifierIds)}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.customer_id]))
}

type ClickRow = { identifier_id: string; kind: string; click_id: string; seen_at: Date }

/** People by customer id. `ownIds`: customers for which the query already showed that they own the identifier with their id. */
export async function loadPeople(
  db: Db | Tx,
  profileId: string,
  customerIds: readonly string[],
  options: { withLeads: boolean },
  ownIds?: ReadonlySet<string>,
): Promise<Map<string, PersonFacts>> {
  const members = await loadMembers(db, profileId, customerIds, ownIds)
  const identifierIds = [...members.keys()]
  const [traits, clicks, leads, conversations, erased, country, consents] = await Promise.all([
    loadTraits(db, profileId, identifierIds),
    loadClicks(db, profileId, identifierIds),
    options.withLeads ? loadLeads(db, profileId, identifierIds) : [],
    options.withLeads ? loadConversations(db, profileId, identifierIds) : [],
    loadErased(db, profileId, customerIds),
    loadCountry(db, profileId),
    loadConsents(db, { profileId, customerIds }),
  ])
  const ofCustomer = <Row extends { identifier_id: string }>(rows: readonly Row[]) =>
    Map.groupBy(rows, (row) => members.get(row.identifier_id)!)
  const traitsOf = ofCustomer(traits)
  const clicksOf = ofCustomer(clicks)
  const leadsOf = ofCustomer(leads)
  const conversationsOf = ofCustomer(conversations)
  return new Map(
    customerIds.map((id) => {
      const personTraits = traitsOf.get(id) ?? []
      const valuesOf = (trait: string) => [
        ...new Set(personTraits.filter((row) => row.trait === trait).map((row) => row.value)),
      ]
      const person: PersonFacts = {
        isErased: erased.has(id),
        consent: consents.get(id) ?? noConsent,
        emails: valuesOf('email'),
        phones: phonesOf(personTraits, country),
        address: addressOf(personTraits),
        externalIds: valuesOf('external_id'),
        leadId: leadsOf.get(id)?.[0]?.lead_id ?? null,
        clicks: (clicksOf.get(id) ?? []).map((row) => ({
          kind: row.kind,
          id: row.click_id,
          seenAt: row.seen_at,
        })),
        conversations: conversationsOf.get(id) ?? [],
      }
      return [id, person]
    }),
  )
}

/** Reads the index once per person instead of once per kind of trait, because few other kinds are stored. */
async function loadTraits(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<TraitRow>`
    select input.id as identifier_id, traits.event_id, traits.trait, traits.value from unnest(${uuidList(identifierIds)}::uuid[]) as input(id)
    cross join lateral (
      select event_id, trait, value, observed_at from identity_traits
      where profile_id = ${profileId} and identifier_id = input.id offset 0) as traits
    where traits.trait = any(${exportedTraits}::text[])
    order by traits.observed_at desc`.execute(db)
  return rows
}

/** Distinct clicks, each with the time of its first touch. */
async function loadClicks(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<ClickRow>`
    select input.id as identifier_id, touch.click_id_kind as kind, touch.click_id, min(touch.occurred_at) as seen_at
    from unnest(${uuidList(identifierIds)}::uuid[]) as input(id)
    cross join lateral (
      select click_id_kind, click_id, occurred_at from touches
      where profile_id = ${profileId} and identifier_id = input.id and click_id is not null offset 0) as touch
    group by 1, 2, 3`.execute(db)
  return rows
}

/** Instant-form leads of the platform, latest first. */
async function loadLeads(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<{ identifier_id: string; lead_id: string }>`
    select input.id as identifier_id, conversion.external_id as lead_id
    from unnest(${uuidList(identifierIds)}::uuid[]) as input(id)
    cross join lateral (
      select external_id, occurred_at from conversions
      where profile_id = ${profileId} and identifier_id = input.id and provider = 'social_ads'
        and external_id ~ '^[0-9]{15,17}$' offset 0) as conversion
    order by conversion.occurred_at desc`.execute(db)
  return rows
}

type ConversationFact = PersonFacts['conversations'][number] & { identifier_id: string }

async function loadConversations(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<ConversationFact>`
    select input.id as identifier_id, c.channel, c.account_id as "accountId",
      substr(c.external_id, length(c.account_id) + 2) as "personId", k.dataset_id as "datasetId",
      c.started_at as "startedAt"
    from unnest(${uuidList(identifierIds)}::uuid[]) as input(id)
    cross join lateral (
      select channel, account_id, external_id, started_at from conversations
      where profile_id = ${profileId} and identifier_id = input.id and referral->>'adId' is not null offset 0) as c
    join connections k on k.profile_id = ${profileId} and k.provider = c.channel and k.external_id = c.account_id
      and k.status = 'connected' and k.dataset_id is not null`.execute(db)
  return rows
}

/** Customers whose erasure is pending. After it, no data is left that could match a person. */
async function loadErased(db: Db | Tx, profileId: string, customerIds: readonly string[]) {
  const { rows } = await sql<{ id: string }>`
    select id from erased_customers
    where profile_id = ${profileId} and id = any(${uuidList(customerIds)}::uuid[])`.execute(db)
  return new Set(rows.map((row) => row.id))
}
