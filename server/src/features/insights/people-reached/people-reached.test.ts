import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adStructure, makeDelivery, saveRecords } from '../../../../test/ad-world.ts'
import type { TestClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { printedSeed } from '../../../../test/seed.ts'
import { addDays, listDays, listMonths } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { refreshReach } from '../../attribution/crediting/reach/refresh.ts'
import { reachChannels, reachOrigins } from '../../attribution/crediting/reach/rules.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { listAdPeople, sendAdReferral } from './contract.ts'

const timezone = 'Europe/Madrid'
let app: TestApp
let person: Person
let workspaceId: string
let profileId: string
let call: TestClient

beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app)
  workspaceId = await makeWorkspace(person, 'agency')
})
beforeEach(async () => {
  profileId = await makeProfile(person, workspaceId)
  call = app.as(await makeKey(app, profileId, ['analytics:read', 'events:write']))
})
afterAll(() => app.close())

const settle = () => app.service.processor.settled(profileId)
const may = { date_from: '2026-05-01', date_to: '2026-05-31' }
const visit = (who: string, day: string, ad: string) =>
  call(sendEvent, {
    body: { event_name: 'visit', anonymous_id: who, timestamp: `${day}T10:00:00Z`, ad: { ad_id: ad } },
  })
const totals = async () => {
  const { data } = await call(listAdPeople, { query: may })
  return [data.totals.ad_people, data.totals.ad_touches]
}

it('counts a person once per bucket and once in the totals, in dense buckets', async () => {
  await saveRecords(app, profileId, [
    ...adStructure,
    makeDelivery('ad', 'A1', '2026-05-10', {
      messagingConversationsStarted7d: 4,
      entity: { name: null, campaignExternalId: 'C1', adSetExternalId: 'S1' },
    }),
  ])
  await visit('ana', '2026-04-30', 'A1')
  await visit('ana', '2026-05-10', 'A1')
  await visit('ana', '2026-06-02', 'A2')
  await visit('bob', '2026-05-10', 'A2')
  await settle()
  const query = { date_from: '2026-04-15', date_to: '2026-06-10' }
  const { data, meta } = await call(listAdPeople, { query })
  expect(data).toMatchObject({
    ...query,
    group_by: 'month',
    channel: null,
    first_only: false,
    timezone,
    totals: {
      ad_people: 2,
      ad_touches: 4,
      by_origin: { other: { people: 2, touches: 4 }, web: { people: 0, touches: 0 } },
      meta_messaging_conversations_started: 4,
    },
    buckets_total: 3,
    buckets_truncated: false,
  })
  expect(meta).toMatchObject({ profile_id: profileId, ...query })
  expect(
    data.buckets.map((bucket) => [
      bucket.key,
      bucket.start,
      bucket.end,
      bucket.ad_people,
      bucket.ad_touches,
      bucket.meta_messaging_conversations_started,
    ]),
  ).toEqual([
    ['2026-04', '2026-04-15', '2026-04-30', 1, 1, null],
    ['2026-05', '2026-05-01', '2026-05-31', 2, 2, 4],
    ['2026-06', '2026-06-01', '2026-06-10', 1, 1, null],
  ])
  expect(Object.keys(data.origin_labels)).toEqual([...reachOrigins])
  const first = await call(listAdPeople, { query: { ...query, first_only: 'true' } })
  expect(first.data.buckets.map((bucket) => [bucket.ad_people, bucket.ad_touches])).toEqual([
    [1, 1],
    [1, 1],
    [0, 0],
  ])
  const ads = await call(listAdPeople, { query: { ...query, group_by: 'ad', limit: '1' } })
  expect(ads.data).toMatchObject({ buckets_total: 2, buckets_truncated: true })
  expect(ads.data.buckets).toMatchObject([
    { key: 'A2', ad_id: 'A2', ad_name: 'Name of A2', ad_people: 2, ad_touches: 2 },
  ])
})

it('updates counts when browsers are linked to one person, and when an event is retracted', async () => {
  await visit('phone', '2026-05-10', 'A1')
  await visit('laptop', '2026-05-10', 'A1')
  await settle()
  expect(await totals()).toEqual([2, 2])
  for (const who of ['phone', 'laptop'])
    await call(sendEvent, {
      body: {
        event_name: 'lead_created',
        anonymous_id: who,
        idempotency_key: who,
        user_traits: { email: 'ana@example.com' },
      },
    })
  await settle()
  expect(await totals()).toEqual([1, 2])
  await call(retractEvent, { body: { idempotency_key: 'laptop' } })
  expect(await totals()).toEqual([2, 2])
})

describe('compared with a reference count of random touches', () => {
  let state = printedSeed('ad people')
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
  type Touch = { customer: string; at: Date; ad: string; channel: string; origin: string; id: string }

  it('agrees in every bucket, channel and origin', async () => {
    const customers = Array.from({ length: 25 }, () => randomUUID())
    const touches: Touch[] = Array.from({ length: 160 }, () => ({
      customer: customers[random(customers.length)]!,
      at: new Date(Date.UTC(2026, 2, 20) + random(24 * 40) * 3_600_000),
      ad: `A${random(4)}`,
      channel: ['chatapp', 'photoapp', 'paid_social', 'paid_other'][random(4)]!,
      origin: reachOrigins[random(4)]!,
      id: randomUUID(),
    }))
    await plant(customers, touches)
    for (let round = 0; round < 24; round++) {
      const from = addDays('2026-03-18', random(30))
      const to = addDays(from, random(25))
      const groupBy = (['month', 'day', 'ad'] as const)[round % 3]!
      const channel = [undefined, ...reachChannels][random(6)]
      const firstOnly = random(2) === 1
      const query = {
        date_from: from,
        date_to: to,
        group_by: groupBy,
        first_only: firstOnly ? 'true' : 'false',
      }
      const { data } = await call(listAdPeople, {
        query: { ...query, ...(channel === undefined ? {} : { channel }) },
      })
      const selected = inOrder(touches).filter((touch) => {
        const day = localDay(touch.at, timezone)
        return day >= from && day <= to && (channel === undefined || classOf(touch) === channel)
      })
      const counted = firstOnly ? firstOfEach(selected) : selected
      expect(data.totals, JSON.stringify({ query, channel })).toMatchObject(countsOf(counted))
      const buckets =
        groupBy === 'ad'
          ? [...new Set(counted.map((touch) => touch.ad))].map((ad) => ({ key: ad, start: from, end: to }))
          : groupBy === 'day'
            ? listDays(from, to).map((day) => ({ key: day, start: day, end: day }))
            : listMonths(from, to).map((month) => ({ key: month.month, start: month.from, end: month.to }))
      expect(data.buckets.map((bucket) => bucket.key).sort()).toEqual(
        buckets.map((bucket) => bucket.key).sort(),
      )
      for (const bucket of buckets) {
        const inBucket = counted.filter((touch) => {
          const day = localDay(touch.at, timezone)
          return groupBy === 'ad' ? touch.ad === bucket.key : day >= bucket.start && day <= bucket.end
        })
        expect(data.buckets.find((row) => row.key === bucket.key)).toMatchObject(countsOf(inBucket))
      }
    }
  })

  async function plant(customers: readonly string[], touches: readonly Touch[]): Promise<void> {
    await inTransaction(app.service.db, async (tx) => {
      await lockProfile(tx, profileId)
      await sql`
        insert into identifiers (profile_id, id, kind, customer_id)
        select ${profileId}::uuid, c, 3, c from unnest(${customers}::uuid[]) as c`.execute(tx)
      for (const touch of touches)
        await sql`
          insert into touches (profile_id, identifier_id, occurred_at, source_id, id, recorded_at, channel, origin, is_direct, ad_external_id)
          values (${profileId}, ${touch.customer}, ${touch.at}, ${touch.id}, ${touch.id}, ${touch.at}, ${touch.channel}, ${touch.origin}, false, ${touch.ad})`.execute(
          tx,
        )
      // Twice with different time zones, so that the second run moves rows of the first.
      await refreshReach(tx, { profileId, timezone: 'UTC' }, customers)
      await refreshReach(tx, { profileId, timezone }, customers)
    })
  }

  const inOrder = (touches: readonly Touch[]) =>
    touches.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
  const classOf = (touch: Touch) =>
    touch.channel === 'chatapp' || touch.channel === 'photoapp'
      ? touch.channel
      : touch.origin === 'web'
        ? 'web'
        : 'other'
  function firstOfEach(touches: readonly Touch[]): Touch[] {
    const customers = new Set<string>()
    return touches.filter((touch) => !customers.has(touch.customer) && customers.add(touch.customer))
  }
  const count = (touches: readonly Touch[]) => ({
    people: new Set(touches.map((touch) => touch.customer)).size,
    touches: touches.length,
  })
  function countsOf(touches: readonly Touch[]) {
    const all = count(touches)
    return {
      ad_people: all.people,
      ad_touches: all.touches,
      by_origin: Object.fromEntries(
        reachOrigins.map((origin) => [origin, count(touches.filter((touch) => touch.origin === origin))]),
      ),
    }
  }
})

it('rejects a range of more than a year and unknown parameter values', async () => {
  expect(
    await refusalOf(call(listAdPeople, { query: { date_from: '2025-01-01', date_to: '2026-01-02' } })),
  ).toMatchObject({ status: 400, code: 'invalid_date_range' })
  for (const query of [
    { ...may, group_by: 'week' },
    { ...may, channel: 'paid_social' },
    { ...may, first_only: 'yes' },
    { ...may, limit: '1001' },
  ])
    expect(await refusalOf(call(listAdPeople, { query }))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    })
})

describe('POST /partner/ad-referrals', () => {
  const body = {
    ad_id: 'A1',
    channel: 'chatapp' as const,
    occurred_at: '2026-05-10T10:00:00Z',
    customer: { phone: '+34600111222' },
  }

  it('reaches a person once per referral, in its channel and origin', async () => {
    await saveRecords(app, profileId, adStructure)
    const first = await call(sendAdReferral, { body })
    expect(first.data.status).toBe('accepted')
    expect((await call(sendAdReferral, { body })).data).toEqual({ ...first.data, status: 'unchanged' })
    await settle()
    const { data } = await call(listAdPeople, { query: { ...may, channel: 'chatapp' } })
    expect(data.totals).toMatchObject({
      ad_people: 1,
      ad_touches: 1,
      by_origin: { partner_ad_referral: { people: 1, touches: 1 } },
    })
    const other = await call(listAdPeople, { query: { ...may, channel: 'web' } })
    expect(other.data.totals.ad_people).toBe(0)
  })

  it('rejects an unknown ad and an unidentifiable person', async () => {
    await saveRecords(app, profileId, adStructure)
    await visit('ana', '2026-05-01', 'A9')
    await settle()
    for (const ad_id of ['A9', 'nope'])
      expect(await refusalOf(call(sendAdReferral, { body: { ...body, ad_id } }))).toMatchObject({
        status: 422,
        code: 'unknown_ad',
      })
    const byRef = { ...body, customer: { external_ref: 'unknown' } }
    expect(await refusalOf(call(sendAdReferral, { body: byRef }))).toMatchObject({
      status: 422,
      code: 'unknown_customer_ref',
    })
    for (const bad of [
      { ...body, customer: {} },
      { ...body, occurred_at: '2999-01-01T00:00:00Z' },
      { ...body, channel: 'fax' },
    ])
      expect(await refusalOf(call(sendAdReferral, { body: bad }))).toMatchObject({
        status: 422,
        code: 'validation_error',
      })
  })
})
