/**
 * Loads deliveries that may be sent now. Subscription, grant and person are read immediately before the attempt and never
 * cached, so that data is not sent after a revocation or an erasure.
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
import { type DueRow, type EventPerson, listDue, listEventPeople, type SubscriptionState } from './due.ts'
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
  historical: boolean
  dueAt: Date
  /** Of an outcome. */
  recordedAt: Date | null
  url: string
  keys: readonly KeyObject[]
  body: string
}
/** `paused`: deliveries are kept; `closed`: deliveries are cancelled. */
export type QueueState =
  | { kind: 'open'; consecutiveFailures: number }
  | { kind: 'paused' }
  | { kind: 'closed'; reason: string }

/** What was read for one subscription. */
export type QueueRead = {
  state: QueueState
  /** Number of due deliveries, and the last of them. */
  count: number
  last: QueuePosition | null
}

export type Loaded = {
  /** By subscription id. */
  queues: Map<string, QueueRead>
  ready: ReadyDelivery[]
  /** Due, but the subscription may no longer receive them. */
  refused: { id: string; reason: string }[]
}

type Listener = {
  subscription: SubscriptionState
  visibility: Visibility | undefined
  keys: readonly KeyObject[]
}
/** A profile's permitted deliveries, before their people are loaded. */
type ProfileLoad = {
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
  const permitted: ProfileLoad[] = []
  for (const turn of load)
    try {
      permitted.push(filterPermitted(service, turn, { subscriptions, rows, now }))
    } catch (error) {
      results.set(turn.profileId, error as Error)
    }
  const people = await listEventPeople(service.db, {
    load: permitted.map((part) => ({ profileId: part.profileId, outcomes: outcomesIn(part) })),
  })
  for (const part of permitted) {
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

function filterPermitted(
  service: Pick<Service, 'keyring'>,
  { profileId, turns }: ProfileTurn,
  read: {
    subscriptions: ReadonlyMap<string, SubscriptionState>
    rows: ReadonlyMap<string, DueRow[]>
    now: Date
  },
): ProfileLoad {
  const listeners = new Map<string, Listener>()
  const loaded: Loaded = { queues: new Map(), ready: [], refused: [] }
  const sendable: DueRow[] = []
  for (const { lane } of turns) {
    const subscription = read.subscriptions.get(lane.id)
    const visibility = subscription?.profile
      ? visibilityOf(toListener(subscription), subscription.profile)
      : undefined
    const state = stateOf(subscription, visibility)
    const due = read.rows.get(lane.id) ?? []
    const last = due.at(-1)
    loaded.queues.set(lane.id, {
      state,
      count: due.length,
      last: last === undefined ? null : toPosition(last),
    })
    if (subscription === undefined || state.kind !== 'open') continue
    const keys = liveKeys(service, { profileId, id: lane.id }, subscription, read.now)
    listeners.set(lane.id, { subscription, visibility, keys })
    for (const row of due)
      if (personEvents.includes(row.event_type) && visibility?.receivesPersonEvents !== true)
        loaded.refused.push({ id: row.id, reason: 'not_permitted' })
      else sendable.push(row)
  }
  return { profileId, loaded, listeners, sendable }
}

function readyOf(
  part: ProfileLoad,
  people: ReadonlyMap<number, EventPerson> | undefined,
  answers: ReadonlyMap<string, unknown>,
): ReadyDelivery[] {
  return part.sendable.map((row) => {
    const { subscription, keys } = part.listeners.get(row.subscription_id)!
    const person = people?.get(row.number ?? 0)
    return {
      profileId: part.profileId,
      subscriptionId: row.subscription_id,
      number: row.number,
      eventId: row.event_id,
      eventType: row.event_type,
      attempts: row.attempt_count,
      ...toPosition(row),
      recordedAt: person?.recorded_at ?? null,
      url: subscription.url,
      keys,
      body: bodyOf(row, { open: isOpen(part, row), person, answers }),
    }
  })
}

const toPosition = ({ historical, next_attempt_at, id }: DueRow): QueuePosition => ({
  historical,
  dueAt: next_attempt_at,
  id,
})

const isOpen = (part: ProfileLoad, row: DueRow): boolean =>
  part.listeners.get(row.subscription_id)?.visibility?.opensContact === true

const toListener = (subscription: SubscriptionState) => ({
  appId: subscription.app_id,
  opensContact: subscription.opens_contact,
})

function stateOf(
  subscription: SubscriptionState | undefined,
  visibility: Visibility | undefined,
): QueueState {
  if (subscription === undefined || subscription.deleted)
    return { kind: 'closed', reason: 'subscription_deleted' }
  if (subscription.status === 'failed') return { kind: 'closed', reason: 'subscription_failed' }
  if (subscription.status === 'paused' || visibility === undefined) return { kind: 'paused' }
  if (!visibility.receivesEvents) return { kind: 'closed', reason: 'grant_revoked' }
  return { kind: 'open', consecutiveFailures: subscription.consecutive_failures }
}

function outcomesIn(part: ProfileLoad): Map<number, { open: boolean }> {
  const outcomes = new Map<number, { open: boolean }>()
  for (const row of part.sendable)
    if (row.event_type === 'outcome.recorded' && row.number !== null)
      outcomes.set(row.number, { open: isOpen(part, row) || outcomes.get(row.number)?.open === true })
  return outcomes
}

/** The payload. For events about people, adds their data if the subscription may receive it. */
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
  subscriptionRef: { profileId: string; id: string },
  subscription: SubscriptionState,
  now: Date,
): KeyObject[] {
  const { secret, previous_secret: previous, previous_secret_expires_at: expiresAt } = subscription
  const isLive = previous !== null && expiresAt !== null && Date.parse(expiresAt) > now.getTime()
  const cell = secretCell(subscriptionRef.profileId, subscriptionRef.id)
  return (isLive ? [secret, previous] : [secret]).map((sealed) =>
    openedKeys.recall(`${subscriptionRef.id} ${sealed}`, () =>
      toSigningKey(openText(service.keyring, cell, Buffer.from(sealed, 'hex'))),
    ),
  )
}
