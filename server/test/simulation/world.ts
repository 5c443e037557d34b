/** Users of the simulated deployment: senders that repeat until acknowledged, readers of the replay, and the true facts. */

import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { emptyPerson } from '../../src/connectors/person.ts'
import { toIntegrationEvents } from '../../src/features/facts/events/integrations.ts'
import { listRecordedOutcomes } from '../../src/features/outgoing/webhooks/replay/replay.ts'
import { secretCell } from '../../src/features/outgoing/webhooks/subscriptions.ts'
import { DAY_MS } from '../../src/platform/contract/dates.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { tableKinds } from '../../src/platform/db/tables.ts'
import { enqueue } from '../../src/platform/jobs/enqueue.ts'
import { mintWebhookSecret } from '../../src/platform/outbound/standard-webhooks.ts'
import type { Keyring } from '../../src/platform/secrets/keyring.ts'
import { seal } from '../../src/platform/secrets/seal.ts'
import type { Random } from '../oracle/random.ts'
import type { Mood, Receivers } from './scripted-receivers.ts'
import { type countingJob, replayContext, type SimulatedProcess } from './simulated-process.ts'

export type Fact = {
  key: string
  profileId: string
  occurredAt: string
  campaignId: string | null
  person: string
  /** The sender's latest amount. */
  amountMinor: number
  /** Whether its sender received the acknowledgement. */
  isAcknowledged: boolean
  inFlight: number
}
export type Reader = { profileId: string; cursor: string | undefined; seen: string[]; isReading: boolean }
export type Subscription = { id: string; profileId: string; mood: Mood }

export type World = {
  profileIds: string[]
  facts: Fact[]
  readers: Reader[]
  subscriptions: Subscription[]
}

const PROFILES = 3
const moods: readonly Mood[] = ['steady', 'moody', 'broken', 'leaving']
const appId = '0198f6a2-7c1e-7b7e-9d3c-00000000a001'
const workspaceId = '0198f6a2-7c1e-7b7e-9d3c-00000000a002'

/** Replaces the database's clock functions by ones that the simulation controls, in a schema earlier in the search path. */
export async function prepareDatabase(admin: pg.Client): Promise<void> {
  for (const statement of [
    'create schema simulation',
    'create table simulation.clock (at timestamptz not null)',
    `insert into simulation.clock values ('2026-01-01')`,
    'create table simulation.wanted (note text primary key)',
    'create table simulation.effects (note text not null, attempt integer not null)',
    `create function simulation.clock_timestamp() returns timestamptz language sql volatile as 'select at from simulation.clock'`,
    `create function simulation.now() returns timestamptz language sql stable as 'select at from simulation.clock'`,
    `insert into workspaces (id, name, timezone, plan, acquisition_source, created_at)
     values ('${workspaceId}', 'W', 'UTC', 'starter', 'direct', '2026-01-01')`,
    `insert into apps (id, workspace_id, client_id, name, redirect_uris, allowed_return_origins, allowed_scopes, created_at, updated_at)
     values ('${appId}', '${workspaceId}', 'app_simulation', 'Partner', '{}', '{}', '{}', '2026-01-01', '2026-01-01')`,
  ])
    await admin.query(statement)
  // Autovacuum and statistics run at real times and would change plans and so the order of rows.
  for (const table of Object.keys(tableKinds).filter((name) => name !== 'events'))
    await admin.query(`alter table public.${table} set (autovacuum_enabled = false)`)
}

export function createWorld(parts: {
  admin: pg.Client
  keyring: Keyring
  pepper: KeyObject
  random: Random
  receivers: Receivers
  countJob: ReturnType<typeof countingJob>
}) {
  const { admin, random, receivers } = parts
  const world: World = { profileIds: [], facts: [], readers: [], subscriptions: [] }
  const calls = new Set<{ process: SimulatedProcess; giveUp(): void }>()
  let keys = 0

  async function addProfile(): Promise<void> {
    const id = uuidv7()
    await admin.query(
      `insert into profiles (id, workspace_id, name, timezone, currency, provisioned_by_app_id, created_at)
       values ($1, $2, 'P', 'UTC', 'EUR', $3, '2026-01-01')`,
      [id, workspaceId, appId],
    )
    await admin.query(
      `insert into goals (profile_id, id, display_name, conversion_key, source_event_names, outcome_type, revenue_type,
         attribution_eligible, created_at)
       values ($1, $2, 'Payment', 'payment_received', '{payment_received}', 'payment_received', 'cash', true, '2026-01-01')`,
      [id, uuidv7()],
    )
    await admin.query('insert into webhook_fanouts values ($1, 0)', [id])
    world.profileIds.push(id)
    world.readers.push({ profileId: id, cursor: undefined, seen: [], isReading: false })
    for (const mood of moods) await subscribe(id, mood)
  }

  async function subscribe(profileId: string, mood: Mood): Promise<void> {
    const id = uuidv7()
    const secret = seal(parts.keyring, secretCell(profileId, id), mintWebhookSecret())
    await admin.query(
      `insert into webhook_subscriptions (profile_id, id, url, events, providers, status, secret, opens_contact,
         after_number, created_at, updated_at)
       select $1, $2, $3, '{outcome.recorded}', '{regionalpay,platform}', 'active', $4, false,
         coalesce((select last_number from outbox_counters where profile_id = $1), 0), '2026-01-01', '2026-01-01'`,
      [profileId, id, receivers.urlOf(id, mood), secret],
    )
    world.subscriptions.push({ id, profileId, mood })
  }

  function newFact(): Fact {
    const key = `k${++keys}`
    return {
      key,
      profileId: random.pick(world.profileIds),
      occurredAt: new Date(Date.parse('2026-01-10') + random.int(0, 15 * DAY_MS)).toISOString(),
      campaignId: random.chance(0.7) ? `c${random.int(1, 3)}` : null,
      person: random.chance(0.5) ? key : `regular-${random.int(1, 4)}`,
      amountMinor: random.int(1, 100_000),
      isAcknowledged: false,
      inFlight: 0,
    }
  }

  function toEvents(facts: readonly Fact[]) {
    return facts.flatMap((fact) =>
      toIntegrationEvents(
        [
          {
            type: 'payment',
            externalId: fact.key,
            occurredAt: fact.occurredAt,
            amount: { amountMinor: fact.amountMinor, currency: 'EUR' },
            status: 'succeeded',
            person: {
              ...emptyPerson(),
              contactId: fact.person,
              ...(fact.campaignId === null
                ? {}
                : {
                    clickIds: { gclid: `click-${fact.key}` },
                    ad: { adId: null, adSetId: null, campaignId: fact.campaignId },
                  }),
            },
            orderId: null,
          },
        ],
        {
          profileId: fact.profileId,
          provider: 'regionalpay',
          country: null,
          pepper: parts.pepper,
          now: new Date(),
        },
      ),
    )
  }

  /** Repeats, reorders and changes events like real senders; changes an event only once its last version is acknowledged. */
  function send(process: SimulatedProcess, calm: boolean): void {
    const profileId = random.pick(world.profileIds)
    const profileFacts = world.facts.filter((fact) => fact.profileId === profileId)
    const open = profileFacts.filter((fact) => !fact.isAcknowledged && fact.inFlight === 0)
    const chosen = random.shuffle(open).slice(0, 8)
    if (!calm) {
      for (let count = random.int(0, 4); count > 0; count--) {
        const fact = newFact()
        world.facts.push(fact)
        if (fact.profileId === profileId) chosen.push(fact)
      }
      const settled = profileFacts.filter((fact) => fact.isAcknowledged && fact.inFlight === 0)
      if (settled.length > 0 && random.chance(0.5)) {
        const again = random.pick(settled)
        if (random.chance(0.5)) {
          again.amountMinor = random.int(1, 100_000)
          again.isAcknowledged = false
        }
        chosen.push(again)
      }
      const twice = chosen[0]
      if (twice !== undefined && random.chance(0.3)) chosen.push(twice)
    }
    if (chosen.length === 0) return
    const facts = random.shuffle(chosen)
    for (const fact of facts) fact.inFlight++
    const call = { process, giveUp: () => end() }
    const end = () => {
      if (!calls.delete(call)) return false
      for (const fact of facts) fact.inFlight--
      return true
    }
    calls.add(call)
    process.ingest.add(profileId, toEvents(facts)).then(
      () => {
        if (end()) for (const fact of facts) fact.isAcknowledged = true
      },
      () => void end(),
    )
  }

  function read(process: SimulatedProcess, reader: Reader): void {
    if (reader.isReading) return
    reader.isReading = true
    const call = { process, giveUp: () => end() }
    const end = () => {
      reader.isReading = false
      return calls.delete(call)
    }
    calls.add(call)
    const context = replayContext(process, reader.profileId, appId)
    listRecordedOutcomes(context, { cursor: reader.cursor, limit: random.int(1, 7) }).then(
      ({ outcomes, pagination }) => {
        if (!end()) return
        for (const outcome of JSON.parse(outcomes) as { data: { external_id: string } }[])
          reader.seen.push(outcome.data.external_id)
        reader.cursor = pagination.cursor ?? reader.cursor
      },
      () => void end(),
    )
  }

  /** Inserts a request and its job in one transaction: whatever is lost, either both exist or neither. */
  function wish(process: SimulatedProcess): void {
    const note = `note ${++keys}`
    process.db
      .transaction()
      .execute(async (tx) => {
        await sql`insert into simulation.wanted (note) values (${note})`.execute(tx)
        const priority = random.pick(['urgent', 'normal', 'bulk'] as const)
        await enqueue(tx, parts.countJob, { note }, { profileId: random.pick(world.profileIds), priority })
      })
      .catch(() => {})
  }

  return {
    world,
    send,
    read,
    wish,
    /** Requests in progress at a killed process are never answered. */
    giveUp(process: SimulatedProcess): void {
      for (const call of [...calls]) if (call.process === process) call.giveUp()
    },
    isWaiting: () => calls.size > 0,
    /** Replaces the businesses, so that the history does not grow without limit in a long run. */
    async renew(): Promise<void> {
      world.profileIds.length = 0
      world.facts.length = 0
      world.readers.length = 0
      world.subscriptions.length = 0
      for (let count = 0; count < PROFILES; count++) await addProfile()
    },
    /** Failed and gone receivers subscribe again. */
    async resubscribe(): Promise<void> {
      const { rows } = await admin.query<{ id: string }>(
        `select id from webhook_subscriptions where profile_id = any($1) and status = 'active'`,
        [world.profileIds],
      )
      const active = new Set(rows.map((row) => row.id))
      for (const inactive of world.subscriptions.filter(({ id }) => !active.has(id))) {
        world.subscriptions.splice(world.subscriptions.indexOf(inactive), 1)
        await subscribe(inactive.profileId, inactive.mood)
      }
    },
  }
}
