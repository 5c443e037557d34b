/**
 * Everything that may be said of conversions to an ad platform, read when they are sent and kept nowhere: the ledger
 * holds no one. Rows are looked up key by key, whatever the statistics say.
 */
import { sql } from 'kysely'
import type { ExportAddress } from '../../../../connectors/connector.ts'
import type { MessagingChannel } from '../../../../connectors/messaging.ts'
import { uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { loadMembers } from '../../../facts/identity/members.ts'
import { loadCountry } from '../../../facts/identity/scope.ts'
import { addressOf, exportedTraits, phonesOf, type TraitRow } from './traits.ts'

export type Wanted = { conversionId: string; eventId: string }

export type ConversionFacts = {
  id: string
  goalId: string
  occurredAt: Date
  revenueType: string
  valueMinor: number | null
  currency: string | null
  /** Another's duplicate, or money that no one confirmed. */
  isSetAside: boolean
}

export type EventFacts = {
  occurredAt: Date
  source: string
  url: string | null
  orderId: string | null
  /** As the sender wrote it. */
  consent: unknown
  country: string | null
  clickIds: Record<string, string> | null
  userAgent: string | null
  ip: string | null
  browserId: string | null
  /** Cookies of the platforms' scripts that hold a click or a browser: `fbc`, `ttp`. */
  cookies: Record<string, string>
  /** Those that were asked for; null where none was. */
  properties: Record<string, unknown> | null
}

export type PersonFacts = {
  isErased: boolean
  /** Latest first. */
  emails: string[]
  /** E.164; those of no known country are left out. */
  phones: string[]
  address: ExportAddress | null
  externalIds: string[]
  leadId: string | null
  clicks: { kind: string; id: string; seenAt: Date }[]
  /** Those that an ad began, with an account that is connected and has a dataset. */
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
  /** Names of properties that hold an event id. */
  properties: readonly string[]
}

/** Facts by conversion id. */
export async function loadFacts(
  db: Db | Tx,
  profileId: string,
  wanted: readonly Wanted[],
  options: FactOptions,
): Promise<Map<string, Facts>> {
  const eventIds = wanted.map((row) => row.eventId)
  const [conversions, refunds] = await Promise.all([
    loadConversions(db, profileId, wanted, options.properties),
    loadRefunds(db, profileId, eventIds),
  ])
  const missing = wanted.filter((row) => conversions.get(row.conversionId)?.hasEvent !== true)
  const others =
    missing.length === 0
      ? new Map<string, EventRow>()
      : await loadEvents(
          db,
          profileId,
          missing.map((row) => row.eventId),
          options.properties,
        )
  const eventOf = (row: Wanted) => {
    const own = conversions.get(row.conversionId)
    return own?.hasEvent === true ? own : others.get(row.eventId)
  }
  // Of a conversion that is gone its event still shows whose it was.
  const ownerOf = (row: Wanted) =>
    conversions.has(row.conversionId) ? null : (others.get(row.eventId)?.ownerId ?? null)
  const owners = wanted.flatMap((row) => ownerOf(row) ?? [])
  const customers = owners.length === 0 ? new Map() : await loadCustomers(db, profileId, owners)
  const customerOf = (row: Wanted): string =>
    conversions.get(row.conversionId)?.customerId ?? customers.get(ownerOf(row) ?? '') ?? ''
  const ownIds = new Set<string>()
  for (const { identifierId, customerId } of conversions.values())
    if (identifierId === customerId) ownIds.add(customerId)
  const people = await loadPeople(db, profileId, [...new Set(wanted.map(customerOf))], options, ownIds)
  return new Map(
    wanted.map((row) => {
      const conversion = conversions.get(row.conversionId) ?? null
      const facts: Facts = {
        conversion,
        event: eventOf(row) ?? null,
        person: people.get(customerOf(row)) ?? noPerson,
        refundedMinor: conversion?.revenueType === 'cash' ? (refunds.get(row.eventId) ?? 0) : 0,
      }
      return [row.conversionId, facts]
    }),
  )
}

type EventRow = EventFacts & { id: string; ownerId: string | null }
type ConversionRow = ConversionFacts &
  Omit<EventRow, 'id'> & { identifierId: string; customerId: string; hasEvent: boolean | null }

/** With its event, which happened at the same time: of one that has been moved meanwhile the event is not found. */
async function loadConversions(
  db: Db | Tx,
  profileId: string,
  wanted: readonly Wanted[],
  properties: readonly string[],
) {
  const { rows } = await sql<ConversionRow>`
    select owner.customer_id as "customerId", found.*, stored.*
    from unnest(${uuids(wanted, (row) => row.conversionId)}::uuid[], ${uuids(wanted, (row) => row.eventId)}::uuid[])
      as asked(id, event_id)
    cross join lateral (
      select id, goal_id as "goalId", identifier_id as "identifierId", occurred_at as "occurredAt",
        revenue_type as "revenueType", value_minor as "valueMinor", currency,
        (duplicate_of is not null or unconfirmed) as "isSetAside"
      from conversions where profile_id = ${profileId} and id = asked.id offset 0) as found
    cross join lateral (
      select customer_id from identifiers where profile_id = ${profileId} and id = found."identifierId" offset 0) as owner
    left join lateral (
      select true as "hasEvent", ${eventColumns(properties)}
      from events
      left join event_agents agent on agent.profile_id = ${profileId} and agent.event_id = asked.event_id
      where events.profile_id = ${profileId} and occurred_at = found."occurredAt" and id = asked.event_id offset 0) as stored
      on true`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const eventColumns = (properties: readonly string[]) => sql`
  source, body->'page'->>'url' as url, body->>'order_id' as "orderId",
  body->'properties'->'consent' as consent, body->'device'->>'country' as country, body->'click_ids' as "clickIds",
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

/** Of conversions that are gone, or whose event was moved. */
async function loadEvents(
  db: Db | Tx,
  profileId: string,
  ids: readonly string[],
  properties: readonly string[],
) {
  const { rows } = await sql<EventRow>`
    select asked.id, stored.* from unnest(${uuidList([...new Set(ids)])}::uuid[]) as asked(id)
    cross join lateral (
      select occurred_at from event_keys where profile_id = ${profileId} and event_id = asked.id offset 0) as key
    cross join lateral (
      select occurred_at as "occurredAt", ${eventColumns(properties)}
      from events
      left join event_agents agent on agent.profile_id = ${profileId} and agent.event_id = asked.id
      where events.profile_id = ${profileId} and occurred_at = key.occurred_at and id = asked.id offset 0) as stored`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** In each payment's own currency. */
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

/** People by customer id; `ownIds` are customers just seen to hold the identifier of their own id. */
export async function loadPeople(
  db: Db | Tx,
  profileId: string,
  customerIds: readonly string[],
  options: { withLeads: boolean },
  ownIds?: ReadonlySet<string>,
): Promise<Map<string, PersonFacts>> {
  const members = await loadMembers(db, profileId, customerIds, ownIds)
  const identifierIds = [...members.keys()]
  const [traits, clicks, leads, conversations, erased, country] = await Promise.all([
    loadTraits(db, profileId, identifierIds),
    loadClicks(db, profileId, identifierIds),
    options.withLeads ? loadLeads(db, profileId, identifierIds) : [],
    options.withLeads ? loadConversations(db, profileId, identifierIds) : [],
    loadErased(db, profileId, customerIds),
    loadCountry(db, profileId),
  ])
  const ofCustomer = <Row extends { identifier_id: string }>(rows: readonly Row[]) =>
    Map.groupBy(rows, (row) => members.get(row.identifier_id)!)
  const traitsOf = ofCustomer(traits)
  const clicksOf = ofCustomer(clicks)
  const leadsOf = ofCustomer(leads)
  const conversationsOf = ofCustomer(conversations)
  return new Map(
    customerIds.map((id) => {
      const own = traitsOf.get(id) ?? []
      const said = (trait: string) => [
        ...new Set(own.filter((row) => row.trait === trait).map((row) => row.value)),
      ]
      const person: PersonFacts = {
        isErased: erased.has(id),
        emails: said('email'),
        phones: phonesOf(own, country),
        address: addressOf(own),
        externalIds: said('external_id'),
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

/** The index is read once for a person, not once for each kind of trait: few others are stored. */
async function loadTraits(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<TraitRow>`
    select asked.id as identifier_id, said.event_id, said.trait, said.value from unnest(${uuidList(identifierIds)}::uuid[]) as asked(id)
    cross join lateral (
      select event_id, trait, value, observed_at from identity_traits
      where profile_id = ${profileId} and identifier_id = asked.id offset 0) as said
    where said.trait = any(${exportedTraits}::text[])
    order by said.observed_at desc`.execute(db)
  return rows
}

/** Each click once, at the time it was first seen. */
async function loadClicks(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<ClickRow>`
    select asked.id as identifier_id, seen.click_id_kind as kind, seen.click_id, min(seen.occurred_at) as seen_at
    from unnest(${uuidList(identifierIds)}::uuid[]) as asked(id)
    cross join lateral (
      select click_id_kind, click_id, occurred_at from touches
      where profile_id = ${profileId} and identifier_id = asked.id and click_id is not null offset 0) as seen
    group by 1, 2, 3`.execute(db)
  return rows
}

/** The latest instant-form lead of the platform. */
async function loadLeads(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<{ identifier_id: string; lead_id: string }>`
    select asked.id as identifier_id, made.external_id as lead_id
    from unnest(${uuidList(identifierIds)}::uuid[]) as asked(id)
    cross join lateral (
      select external_id, occurred_at from conversions
      where profile_id = ${profileId} and identifier_id = asked.id and provider = 'social_ads'
        and external_id ~ '^[0-9]{15,17}$' offset 0) as made
    order by made.occurred_at desc`.execute(db)
  return rows
}

type ConversationFact = PersonFacts['conversations'][number] & { identifier_id: string }

async function loadConversations(db: Db | Tx, profileId: string, identifierIds: readonly string[]) {
  const { rows } = await sql<ConversationFact>`
    select asked.id as identifier_id, c.channel, c.account_id as "accountId",
      substr(c.external_id, length(c.account_id) + 2) as "personId", k.dataset_id as "datasetId",
      c.started_at as "startedAt"
    from unnest(${uuidList(identifierIds)}::uuid[]) as asked(id)
    cross join lateral (
      select channel, account_id, external_id, started_at from conversations
      where profile_id = ${profileId} and identifier_id = asked.id and referral->>'adId' is not null offset 0) as c
    join connections k on k.profile_id = ${profileId} and k.provider = c.channel and k.external_id = c.account_id
      and k.status = 'connected' and k.dataset_id is not null`.execute(db)
  return rows
}

/** About to be erased. After the erasure nothing is left that could match a person. */
async function loadErased(db: Db | Tx, profileId: string, customerIds: readonly string[]) {
  const { rows } = await sql<{ id: string }>`
    select id from erased_customers
    where profile_id = ${profileId} and id = any(${uuidList(customerIds)}::uuid[])`.execute(db)
  return new Set(rows.map((row) => row.id))
}
