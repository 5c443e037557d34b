/**
 * What a sender may send now. Subscription, grant and person are read here, right before the
 * attempt, and never kept: what was withdrawn or erased a moment ago is not sent.
 */

import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Service } from '../../../../context.ts'
import { BoundedCache } from '../../../../platform/bounded-cache.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { toSigningKey } from '../../../../platform/outbound/standard-webhooks.ts'
import { openText } from '../../../../platform/secrets/seal.ts'
import { toContact } from '../../../facts/identity/contact.ts'
import type { OutcomeData } from '../../../facts/outbox/event-types.ts'
import { personEvents, redactOutcome, type Visibility, visibilityOf } from '../rules.ts'
import { secretCell } from '../subscriptions.ts'
import { type DueRow, type EventPerson, listDue, listEventPeople, type SubscriptionNow } from './due.ts'
import type { QueuePosition } from './lane.ts'
import type { ProfileTurn } from './lanes.ts'

export type ReadyDelivery = {
  id: string
  profileId: string
  subscriptionId: string
  number: number | null
  eventId: string
  eventType: string
  attempts: number
  dueAt: Date
  /** Of an outcome. */
  recordedAt: Date | null
  url: string
  keys: readonly KeyObject[]
  body: string
}
/** `held`: not now, but it stays; `closed`: never. */
export type QueueState =
  | { kind: 'open'; consecutiveFailures: number }
  | { kind: 'held' }
  | { kind: 'closed'; reason: string }

/** What one subscription's turn brought. */
export type Found = {
  state: QueueState
  /** How many were due, and the last of them. */
  count: number
  last: QueuePosition | null
}

export type Loaded = {
  found: Map<string, Found>
  ready: ReadyDelivery[]
  /** Due, but not to be sent to this subscription any more. */
  refused: { id: string; reason: string }[]
}

type Listener = {
  subscription: SubscriptionNow
  visibility: Visibility | undefined
  keys: readonly KeyObject[]
}
/** What of a profile may be sent, before its person is known. */
type Judged = {
  profileId: string
  loaded: Loaded
  listeners: ReadonlyMap<string, Listener>
  sendable: DueRow[]
}

/**
 * By profile. One query reads all profiles; if one profile's row cannot be used, for example because its secret
 * cannot be decrypted, only that profile gets an error.
 */
export async function loadDue(
  service: Pick<Service, 'db' | 'keyring'>,
  params: { load: readonly ProfileTurn[]; now: Date },
): Promise<Map<string, Loaded | Error>> {
  const { load, now } = params
  const { subscriptions, due } = await listDue(service.db, params)
  const rows = Map.groupBy(due, (row) => row.subscription_id)
  const results = new Map<string, Loaded | Error>()
  const judged: Judged[] = []
  for (const turn of load)
    try {
      judged.push(judge(service, turn, { subscriptions, rows, now }))
    } catch (error) {
      results.set(turn.profileId, error as Error)
    }
  const people = await listEventPeople(service.db, {
    load: judged.map((part) => ({ profileId: part.profileId, outcomes: outcomesIn(part) })),
  })
  for (const part of judged) {
    const answers = await loadAnswers(
      service.db,
      part.profileId,
      part.sendable.filter((row) => isOpen(part, row)),
    )
    part.loaded.ready = readyOf(part, people.get(part.profileId), answers)
    results.set(part.profileId, part.loaded)
  }
  return results
}

function judge(
  service: Pick<Service, 'keyring'>,
  { profileId, turns }: ProfileTurn,
  seen: {
    subscriptions: ReadonlyMap<string, SubscriptionNow>
    rows: ReadonlyMap<string, DueRow[]>
    now: Date
  },
): Judged {
  const listeners = new Map<string, Listener>()
  const loaded: Loaded = { found: new Map(), ready: [], refused: [] }
  const sendable: DueRow[] = []
  for (const { lane } of turns) {
    const subscription = seen.subscriptions.get(lane.id)
    const visibility = subscription?.profile
      ? visibilityOf(toListener(subscription), subscription.profile)
      : undefined
    const state = stateOf(subscription, visibility)
    const own = seen.rows.get(lane.id) ?? []
    const last = own.at(-1)
    loaded.found.set(lane.id, {
      state,
      count: own.length,
      last: last === undefined ? null : { dueAt: last.next_attempt_at, id: last.id },
    })
    if (subscription === undefined || state.kind !== 'open') continue
    const keys = liveKeys(service, { profileId, id: lane.id }, subscription, seen.now)
    listeners.set(lane.id, { subscription, visibility, keys })
    for (const row of own)
      if (personEvents.includes(row.event_type) && visibility?.receivesPersonEvents !== true)
        loaded.refused.push({ id: row.id, reason: 'not_permitted' })
      else sendable.push(row)
  }
  return { profileId, loaded, listeners, sendable }
}

function readyOf(
  part: Judged,
  people: ReadonlyMap<number, EventPerson> | undefined,
  answers: ReadonlyMap<string, unknown>,
): ReadyDelivery[] {
  return part.sendable.map((row) => {
    const { subscription, keys } = part.listeners.get(row.subscription_id)!
    const person = people?.get(row.number ?? 0)
    return {
      id: row.id,
      profileId: part.profileId,
      subscriptionId: row.subscription_id,
      number: row.number,
      eventId: row.event_id,
      eventType: row.event_type,
      attempts: row.attempt_count,
      dueAt: row.next_attempt_at,
      recordedAt: person?.recorded_at ?? null,
      url: subscription.url,
      keys,
      body: bodyOf(row, { open: isOpen(part, row), person, answers }),
    }
  })
}

const isOpen = (part: Judged, row: DueRow): boolean =>
  part.listeners.get(row.subscription_id)?.visibility?.opensContact === true

const toListener = (subscription: SubscriptionNow) => ({
  appId: subscription.app_id,
  opensContact: subscription.opens_contact,
})

function stateOf(subscription: SubscriptionNow | undefined, visibility: Visibility | undefined): QueueState {
  if (subscription === undefined || subscription.deleted)
    return { kind: 'closed', reason: 'subscription_deleted' }
  if (subscription.status === 'failed') return { kind: 'closed', reason: 'subscription_failed' }
  if (subscription.status === 'paused' || visibility === undefined) return { kind: 'held' }
  if (!visibility.hears) return { kind: 'closed', reason: 'grant_revoked' }
  return { kind: 'open', consecutiveFailures: subscription.consecutive_failures }
}

function outcomesIn(part: Judged): Map<number, { open: boolean }> {
  const outcomes = new Map<number, { open: boolean }>()
  for (const row of part.sendable)
    if (row.event_type === 'outcome.recorded' && row.number !== null)
      outcomes.set(row.number, { open: isOpen(part, row) || outcomes.get(row.number)?.open === true })
  return outcomes
}

/** The payload, of a person event with the person where the subscription may know them. */
function bodyOf(
  row: DueRow,
  context: { open: boolean; person: EventPerson | undefined; answers: ReadonlyMap<string, unknown> },
): string {
  const { open, person } = context
  switch (row.event_type) {
    case 'outcome.recorded': {
      const erased = (person?.customer_id ?? null) === null
      const contact = open && !erased ? toContact(person!.contact) : null
      return completed(row.payload, (data) => redactOutcome(data as OutcomeData, { open, contact, erased }))
    }
    case 'leadgen.received': {
      const field_data = open ? (context.answers.get(row.event_id) ?? []) : []
      return completed(row.payload, (data) => ({ ...data, field_data, contact_withheld: !open }))
    }
    default:
      return row.payload
  }
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
  const ids = rows.flatMap((row) => (row.event_type === 'leadgen.received' ? row.event_id : []))
  if (ids.length === 0) return new Map()
  const { rows: leads } = await sql<{ leadgen_id: string; field_data: unknown }>`
    select leadgen_id, field_data from provider_leads
    where profile_id = ${profileId} and leadgen_id = any(${ids}::text[])`.execute(db)
  return new Map(leads.map((lead) => [lead.leadgen_id, lead.field_data]))
}

const MAX_REMEMBERED = 1000
const openedKeys = new BoundedCache<string, KeyObject>(MAX_REMEMBERED)

/** The newest first; unsealing is paid once per secret, not once per delivery. */
function liveKeys(
  service: Pick<Service, 'keyring'>,
  of: { profileId: string; id: string },
  subscription: SubscriptionNow,
  now: Date,
): KeyObject[] {
  const { secret, previous_secret: previous, previous_secret_expires_at: expiresAt } = subscription
  const isLive = previous !== null && expiresAt !== null && Date.parse(expiresAt) > now.getTime()
  const place = secretCell(of.profileId, of.id)
  return (isLive ? [secret, previous] : [secret]).map((sealed) =>
    openedKeys.recall(`${of.id} ${sealed}`, () =>
      toSigningKey(openText(service.keyring, place, Buffer.from(sealed, 'hex'))),
    ),
  )
}
