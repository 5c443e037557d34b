/** A month of a healthy advertised shop; each fault of the doctor can be planted into it. */

import { apiVersions } from '../../src/connectors/versions.ts'
import type { Installation } from '../../src/features/advice/doctor/installation.ts'
import type { AdRecord } from '../../src/features/facts/ads/structure.ts'
import type { EventInput } from '../../src/features/facts/events/contract.ts'
import { toNewEvent } from '../../src/features/facts/events/rules.ts'
import type { NewEvent } from '../../src/features/facts/events/stored.ts'
import {
  defaultTracking,
  saveSettings,
  type TrackingSettings,
} from '../../src/features/sources/tracking/queries.ts'
import { toTrackedEvent } from '../../src/features/sources/tracking/to-event.ts'
import type { WireEvent } from '../../src/features/sources/tracking/wire.ts'
import { addDays, DAY_MS, listDays } from '../../src/platform/contract/dates.ts'
import { Refusal } from '../../src/platform/contract/refusal.ts'
import { seededRandom, seededUuid } from '../../src/platform/seeded-random.ts'
import { makeDelivery, makeEntity, saveRecords } from '../ad-world.ts'
import type { TestApp } from '../app.ts'

export const NOW = new Date('2026-06-30T12:00:00Z')
const TODAY = '2026-06-30'
export const DAYS = listDays(addDays(TODAY, -28), addDays(TODAY, -1))
/** Only the last days have page views, because there are many and only these days are compared. */
const VIEWED = DAYS.slice(-18)

type Tracked = Partial<WireEvent> & { at: number; visitor: string; is_bot?: true }
type Sent = Partial<EventInput> & { at: number; received?: number; event_name: string }

export type DoctorWorld = {
  seed: string
  tracked: Tracked[]
  sent: Sent[]
  records: { social_ads: AdRecord[]; engine_ads: AdRecord[] }
  settings: Partial<TrackingSettings>
  connection: { timezone: string; syncedDaysAgo: number }
  /** Event names that goals count. */
  goals: string[]
  /** Due days of requests for a person's data. */
  dataRequests: string[]
  installation: Installation
}

export const timeOf = (day: string, hour: number): number => Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000

const home = 'https://shop.example/'
const social = {
  click_ids: { fbclid: 'f' },
  utm: { source: 'facebook', medium: 'paid_social' },
  ad: { ad_id: 'A1', campaign_id: 'C1' },
}
const engine = {
  click_ids: { gclid: 'g' },
  utm: { source: 'google', medium: 'cpc' },
  ad: { ad_id: 'A2', campaign_id: 'C2' },
}

export function visit(visitor: string, at: number, overrides: Partial<Tracked> = {}): Tracked {
  return { visitor, at, session_start: true, url: home, ...overrides }
}

export function payment(person: string, at: number, overrides: Partial<Sent> = {}): Sent {
  const { properties, ...fields } = overrides
  return {
    event_name: 'payment_received',
    at,
    anonymous_id: person,
    user_traits: { email: `${person}@mail.example` },
    idempotency_key: `pay-${person}-${at}`,
    ...fields,
    properties: { value: 40, currency: 'EUR', ...properties },
  }
}

/** A random world without faults. */
export function healthyWorld(seed: string): DoctorWorld {
  const random = seededRandom('doctor', seed)
  const tracked: Tracked[] = []
  const sent: Sent[] = []
  for (const day of VIEWED) {
    for (const url of [home, `${home}product`])
      for (let view = random.int(12, 16); view > 0; view -= 1)
        tracked.push(
          visit(`viewer-${random.int(1, 9)}`, timeOf(day, 6 + random.next() * 14), {
            url,
            session_start: false,
          }),
        )
    for (let added = random.int(11, 15); added > 0; added -= 1)
      tracked.push(
        visit(`viewer-${random.int(1, 9)}`, timeOf(day, 6 + random.next() * 14), {
          event_name: 'add_to_cart',
          session_start: false,
        }),
      )
  }
  for (const [index, day] of DAYS.entries()) {
    for (let buyer = random.int(3, 5); buyer > 0; buyer -= 1) {
      const person = `buyer-${index}-${buyer}`
      const paidAt = timeOf(day, 12 + random.next() * 8)
      const value = random.int(1000, 9000) / 100
      sent.push(payment(person, paidAt, { properties: { value } }))
      if (!random.chance(0.04))
        tracked.push(visit(person, paidAt - random.next() * 3 * DAY_MS, random.pick([social, engine])))
    }
    if (random.chance(0.3))
      tracked.push(visit(`reader-${index}`, timeOf(day, 9), { referrer: 'https://blog.other.example/post' }))
    if (random.chance(0.3)) tracked.push(visit('robot', timeOf(day, 3), { is_bot: true }))
    sent.push({ event_name: 'signup', at: timeOf(day, 10), user_traits: { email: `s${index}@mail.example` } })
  }
  if (random.chance(0.5))
    sent.push(payment('', timeOf(DAYS[20]!, 15), { anonymous_id: null, user_traits: {} }))
  const delivery = (campaign: string) =>
    DAYS.map((day) =>
      makeDelivery('campaign', campaign, day, {
        spendMinor: random.int(900, 2000),
        clicks: random.int(2, 3),
      }),
    )
  const structure = (campaign: string, ad: string) => [
    makeEntity('campaign', campaign),
    makeEntity('ad', ad, { campaignExternalId: campaign }),
  ]
  return {
    seed,
    tracked,
    sent,
    records: {
      social_ads: [...structure('C1', 'A1'), ...delivery('C1')],
      engine_ads: [...structure('C2', 'A2'), ...delivery('C2')],
    },
    settings: {
      allowedDomains: random.chance(0.5) ? ['shop.example'] : [],
      consentMode: random.pick(['granted', 'pending']),
    },
    connection: { timezone: random.pick(['Europe/Madrid', 'Europe/Paris']), syncedDaysAgo: random.next() },
    goals: ['signup'],
    dataRequests: [],
    installation: {
      clocks: [{ host: 'worker-1', clock_ahead_seconds: 0.5 }],
      versions: { social_ads: apiVersions.social_ads },
    },
  }
}

function toEvents(app: TestApp, profileId: string, world: DoctorWorld): NewEvent[] {
  const scope = { profileId, pepper: app.service.identityPepper, country: null, currency: 'EUR' }
  const tracked = world.tracked.map(({ at, visitor, is_bot: isBot = false, ...fields }, index) => {
    const wire = {
      event_id: seededUuid(world.seed, index),
      type: 'page_view',
      event_name: 'page_view',
      occurred_at: new Date(at).toISOString(),
      sent_at: new Date(at).toISOString(),
      anonymous_id: visitor,
      session_id: visitor,
      session_start: true,
      referrer: '',
      title: '',
      utm: {},
      click_ids: {},
      ad: {},
      properties: {},
      user_traits: {},
      consent: 'granted',
      screen: { w: 0, h: 0 },
      language: '',
      tz: '',
      ...fields,
    } as WireEvent
    const device = {}
    const now = new Date(at + 1000)
    const reading = toTrackedEvent(wire, {
      ...scope,
      now,
      isBot,
      device,
      userAgent: '',
      ownDomains: [],
      exportedNames: new Set(),
    })
    if (!reading.ok) throw new Error(reading.message)
    return reading.event
  })
  const sent = world.sent.map(({ at, received = at + 2000, ...fields }) => {
    const input = { properties: {}, user_traits: {}, utm: {}, click_ids: {}, ad: {}, ...fields }
    const timestamp = new Date(at).toISOString()
    const event = toNewEvent({ ...input, timestamp } as EventInput, { ...scope, now: new Date(received) })
    if (event instanceof Refusal) throw new Error(event.message)
    return event
  })
  return [...tracked, ...sent].sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
}

/** Stores the world as if the month had passed. */
export async function playDoctorWorld(app: TestApp, profileId: string, world: DoctorWorld): Promise<void> {
  const { db, ingest, processor } = app.service
  const createdAt = new Date(NOW.getTime() - 90 * DAY_MS)
  const settings = { ...defaultTracking, ...world.settings }
  await saveSettings(db, { profileId, settings, now: createdAt })
  for (const due of world.dataRequests)
    await app.pool.query(
      `insert into customer_data_exports (profile_id, id, selector_hash, status, law, requested_on, due_on, created_by_kind,
         created_at, expires_at)
       values ($1, gen_random_uuid(), '\\x00', 'awaiting_identity', 'gdpr', $2, $2, 'user', now(), now())`,
      [profileId, due],
    )
  for (const name of world.goals)
    await db
      .insertInto('goals')
      .values({
        profile_id: profileId,
        id: seededUuid(profileId, name),
        display_name: name,
        conversion_key: `own_${name}`,
        source_event_names: [name],
        outcome_type: name,
        revenue_type: 'pipeline',
        attribution_eligible: true,
        created_at: createdAt,
      })
      .execute()
  await connect(app, profileId, world)
  await saveRecords(app, profileId, world.records.social_ads, 'social_ads')
  await saveRecords(app, profileId, world.records.engine_ads, 'engine_ads')
  await ingest.add(profileId, toEvents(app, profileId, world))
  await processor.settled(profileId)
}

async function connect(app: TestApp, profileId: string, { connection, seed }: DoctorWorld): Promise<void> {
  const { db } = app.service
  const id = seededUuid(profileId, seed, 'connection')
  const at = new Date(NOW.getTime() - 90 * DAY_MS)
  const common = { profile_id: profileId, updated_at: at }
  await db
    .insertInto('connections')
    .values({
      ...common,
      id,
      provider: 'social_ads',
      external_id: 'act_1',
      display_name: 'Shop',
      status: 'connected',
      timezone: connection.timezone,
      scopes: [],
      token_version: 1,
      authorized_at: at,
      created_at: at,
    })
    .execute()
  const last_success_at = new Date(NOW.getTime() - connection.syncedDaysAgo * DAY_MS)
  await db
    .insertInto('connection_syncs')
    .values({ ...common, connection_id: id, state: 'idle', last_success_at, pages: 1 })
    .execute()
}
