/**
 * What a sender may send now. Subscription, grant and person are read here, right before the
 * attempt, and never kept: what was withdrawn or erased a moment ago is not told.
 */
import { sql } from 'kysely'
import type { Service } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import { openText } from '../../secrets/seal.ts'
import { loadContacts } from '../identity/contact.ts'
import { loadListeners } from './audience.ts'
import type { OutcomeData } from './event-types.ts'
import type { SubscriptionRow } from './queries.ts'
import { personEvents, type Reach, reachOf, type ToldProfile, tellOutcome } from './rules.ts'
import { secretPlace } from './subscriptions.ts'

export type Ask = { id: string; limit: number }
export type ReadyDelivery = {
  id: string
  profileId: string
  subscriptionId: string
  number: number | null
  eventId: string
  eventType: string
  attempts: number
  recordedAt: Date
  url: string
  secrets: string[]
  body: string
}
/** `held`: not now, but it stays; `closed`: never. */
export type QueueState =
  | { kind: 'open'; consecutiveFailures: number }
  | { kind: 'held' }
  | { kind: 'closed'; reason: string }

export type Loaded = {
  states: Map<string, QueueState>
  /** How many due deliveries each queue gave. */
  found: Map<string, number>
  ready: ReadyDelivery[]
  /** Due, but not to be told to this subscription any more. */
  refused: { id: string; reason: string }[]
}

type DueRow = {
  id: string
  subscription_id: string
  number: number | null
  event_id: string
  event_type: string
  payload: string
  attempt_count: number
  recorded_at: Date
  /** Of an outcome: an identifier of the person, null once they are erased. */
  person_id: string | null
}

export async function loadDue(
  service: Pick<Service, 'db' | 'keyring'>,
  params: { profileId: string; asks: readonly Ask[]; busy: readonly string[]; now: Date },
): Promise<Loaded> {
  const { profileId, asks, now } = params
  const ids = asks.map((ask) => ask.id)
  const [{ profile, subscriptions }, due] = await Promise.all([
    loadListeners(service.db, { profileId, ids }),
    listDue(service.db, params),
  ])
  const reaches = new Map<string, Reach>()
  const states = new Map<string, QueueState>()
  for (const id of ids) {
    const row = subscriptions.get(id)
    const reach = row && profile && reachOf({ appId: row.app_id, opensContact: row.opens_contact }, profile)
    if (reach !== undefined) reaches.set(id, reach)
    states.set(id, stateOf(row, profile, reach))
  }
  const loaded: Loaded = { states, found: new Map(), ready: [], refused: [] }
  const sendable: DueRow[] = []
  for (const row of due) {
    const { subscription_id: id } = row
    loaded.found.set(id, (loaded.found.get(id) ?? 0) + 1)
    if (states.get(id)?.kind !== 'open') continue
    if (personEvents.includes(row.event_type) && reaches.get(id)?.hearsOfPeople !== true)
      loaded.refused.push({ id: row.id, reason: 'not_permitted' })
    else sendable.push(row)
  }
  const bodies = await fillBodies(service.db, profileId, sendable, reaches)
  loaded.ready = sendable.map((row) => {
    const subscription = subscriptions.get(row.subscription_id)!
    return {
      id: row.id,
      profileId,
      subscriptionId: row.subscription_id,
      number: row.number,
      eventId: row.event_id,
      eventType: row.event_type,
      attempts: row.attempt_count,
      recordedAt: row.recorded_at,
      url: subscription.url,
      secrets: liveSecrets(service, subscription, now),
      body: bodies.get(row.id) ?? row.payload,
    }
  })
  return loaded
}

function stateOf(
  row: SubscriptionRow | undefined,
  profile: ToldProfile | undefined,
  reach: Reach | undefined,
): QueueState {
  if (row === undefined || row.deleted_at !== null) return { kind: 'closed', reason: 'subscription_deleted' }
  if (row.status === 'failed') return { kind: 'closed', reason: 'subscription_failed' }
  if (row.status === 'paused' || profile === undefined) return { kind: 'held' }
  if (reach?.hears !== true) return { kind: 'closed', reason: 'grant_revoked' }
  return { kind: 'open', consecutiveFailures: row.consecutive_failures }
}

/** Each step looks up the rows of the step before by their keys, whatever the statistics say of a new profile. */
async function listDue(
  db: Db,
  params: { profileId: string; asks: readonly Ask[]; busy: readonly string[]; now: Date },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select due.*, case when alive.id is not null then told.customer_id end as person_id
    from unnest(${params.asks.map((ask) => ask.id)}::uuid[], ${params.asks.map((ask) => ask.limit)}::integer[]) as asked(id, most)
    cross join lateral (
      select d.id, d.subscription_id, d.number, d.event_id, d.event_type, d.payload, d.attempt_count, d.recorded_at
      from webhook_deliveries d
      where d.profile_id = ${params.profileId} and d.subscription_id = asked.id and d.status = 'pending'
        and d.next_attempt_at <= ${params.now} and d.id <> all(${params.busy}::uuid[])
      order by d.next_attempt_at, d.id limit asked.most) as due
    left join lateral (
      select e.customer_id from outbox_events e
      where e.profile_id = ${params.profileId} and e.number = due.number and due.event_type = 'outcome.recorded'
      limit 1) as told on true
    left join lateral (
      select i.customer_id from identifiers i
      where i.profile_id = ${params.profileId} and i.id = told.customer_id limit 1) as person on true
    left join lateral (
      select c.id from customers c
      where c.profile_id = ${params.profileId} and c.id = person.customer_id and c.erased_at is null limit 1) as alive on true`.execute(
    db,
  )
  return rows
}

/** Payloads of person events, with the person where the subscription may know them. */
async function fillBodies(
  db: Db,
  profileId: string,
  rows: readonly DueRow[],
  reaches: ReadonlyMap<string, Reach>,
): Promise<Map<string, string>> {
  const isOpen = (row: DueRow) => reaches.get(row.subscription_id)?.opensContact === true
  const outcomes = rows.filter((row) => row.event_type === 'outcome.recorded' && row.number !== null)
  const leads = rows.filter((row) => row.event_type === 'leadgen.received')
  const contacts = await loadContacts(
    db,
    profileId,
    outcomes.filter(isOpen).flatMap((row) => row.person_id ?? []),
  )
  const answers = await loadAnswers(db, profileId, leads.filter(isOpen))
  const bodies = new Map<string, string>()
  for (const row of outcomes) {
    const open = isOpen(row)
    const erased = row.person_id === null
    const contact = open && !erased ? (contacts.get(row.person_id!) ?? null) : null
    bodies.set(
      row.id,
      completed(row.payload, (data) => tellOutcome(data as OutcomeData, { open, contact, erased })),
    )
  }
  for (const row of leads) {
    const field_data = answers.get(row.event_id) ?? []
    bodies.set(
      row.id,
      completed(row.payload, (data) => ({ ...data, field_data })),
    )
  }
  return bodies
}

function completed(payload: string, complete: (data: Record<string, unknown>) => unknown): string {
  const envelope = JSON.parse(payload) as { data: Record<string, unknown> }
  return JSON.stringify({ ...envelope, data: complete(envelope.data) })
}

async function loadAnswers(
  db: Db | Tx,
  profileId: string,
  rows: readonly DueRow[],
): Promise<Map<string, unknown>> {
  if (rows.length === 0) return new Map()
  const { rows: leads } = await sql<{ leadgen_id: string; field_data: unknown }>`
    select leadgen_id, field_data from provider_leads
    where profile_id = ${profileId} and leadgen_id = any(${rows.map((row) => row.event_id)}::text[])`.execute(
    db,
  )
  return new Map(leads.map((lead) => [lead.leadgen_id, lead.field_data]))
}

const openedSecrets = new Map<string, string>()
const MOST_REMEMBERED = 1000

/** The newest first; unsealing is paid once per secret, not once per delivery. */
function liveSecrets(service: Pick<Service, 'keyring'>, row: SubscriptionRow, now: Date): string[] {
  const expiresAt = row.previous_secret_expires_at
  const previous = expiresAt !== null && expiresAt > now ? row.previous_secret : null
  return [row.secret, ...(previous === null ? [] : [previous])].map((sealed) => {
    const key = `${row.id} ${sealed.toString('base64')}`
    const known = openedSecrets.get(key)
    if (known !== undefined) return known
    const secret = openText(service.keyring, secretPlace(row.profile_id, row.id), sealed)
    if (openedSecrets.size >= MOST_REMEMBERED) openedSecrets.clear()
    openedSecrets.set(key, secret)
    return secret
  })
}
