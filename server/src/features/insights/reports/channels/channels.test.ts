import { models } from '@whence/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, makeDelivery, saveRecords } from '../../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { drainJobs } from '../../../../../test/jobs.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../../../../test/make.ts'
import { jobs } from '../../../../app.ts'
import type { Client } from '../../../../platform/contract/client.ts'
import { withConnection } from '../../../../platform/db/database.ts'
import { lockProfile } from '../../../../platform/db/profile-lock.ts'
import { recomputeAll } from '../../../attribution/crediting/full/recompute-all.ts'
import { loadAttributionProfile } from '../../../attribution/crediting/settings.ts'
import { sourceIdOf } from '../../../attribution/crediting/touch-sources.ts'
import { eraseWorkspaceCustomer } from '../../../corrections/erasures/contract.ts'
import { sendEvent } from '../../../facts/events/contract.ts'
import { getOverview } from '../contract.ts'
import { getChannels } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let call: Client

const may = { date_from: '2026-05-01', date_to: '2026-05-31' }
const page = (referrer: string) => ({ url: 'https://shop.example/', referrer })

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId)
  call = app.as(await makeKey(app, profileId, ['campaigns:read', 'events:write', 'tracking:write']))
  await saveRecords(app, profileId, [
    ...adStructure,
    makeDelivery('campaign', 'C1', '2026-05-10', { spendMinor: 5000 }),
  ])
  let sent = 0
  const send = (email: string, body: object) =>
    call(sendEvent, {
      body: {
        event_name: 'visit',
        timestamp: `2026-05-10T10:${String(sent++).padStart(2, '0')}:00Z`,
        idempotency_key: `event-${sent}`,
        user_traits: { email },
        ...body,
      },
    })
  const pay = (email: string, value: number) =>
    send(email, { event_name: 'payment_received', properties: { value, currency: 'EUR' } })
  await send('ad@x.co', { ad: { ad_id: 'A1' } })
  await pay('ad@x.co', 100)
  await send('click@x.co', { click_ids: { gclid: 'g1' } })
  await pay('click@x.co', 40)
  await send('google@x.co', { session_start: true, page: page('https://www.google.com/') })
  await send('google@x.co', { session_start: true, page: page('https://www.bing.com/') })
  await send('google@x.co', { utm: { source: 'Newsletter', medium: 'email' } })
  await pay('google@x.co', 30)
  await send('direct@x.co', { session_start: true, page: page('') })
  await pay('direct@x.co', 20)
  await pay('nothing@x.co', 10)
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

const read = async (model: 'last_touch' | 'linear' | 'first_touch') => {
  const { data, total } = await call(getChannels, { query: { ...may, model } })
  const brief = data.map((row) => [
    row.channel,
    row.outcome_count,
    row.outcome_value,
    ...row.sources.map(({ kind, source, outcome_value }) => `${kind} ${source} ${outcome_value}`),
  ])
  return { brief, total: total as { outcome_count: number; outcome_value: number; spend: number } }
}

it('assigns all revenue to the channel and source it came from', async () => {
  const { brief, total } = await read('last_touch')
  expect(brief).toEqual([
    ['paid_social', 1, 100, 'ads social 100'],
    ['paid_search', 1, 40, 'clicks_without_ad engine 40'],
    ['email', 1, 30, 'visits newsletter 30'],
    ['direct', 1, 20, 'visits null 20'],
    ['unknown', 1, 10],
  ])
  expect(total).toMatchObject({ outcome_count: 5, outcome_value: 200 })
  expect(total.spend).toBeGreaterThan(0)
})

it('a channel counts a payment shared by two of its sources once', async () => {
  const { brief, total } = await read('linear')
  expect(brief).toContainEqual(['organic_search', 1, 20, 'visits bing.com 10', 'visits google.com 10'])
  expect(brief).toContainEqual(['email', 1, 10, 'visits newsletter 10'])
  expect(brief).toContainEqual(['unknown', 1, 10])
  expect(total).toMatchObject({ outcome_count: 5, outcome_value: 200 })
})

it('a full recompute splits touches of an earlier release, which gave every visit the same source', async () => {
  const before = await read('linear')
  const earlier = {
    platform: null,
    campaign_external_id: null,
    ad_set_external_id: null,
    ad_external_id: null,
  }
  const sharedSourceId = sourceIdOf({ ...earlier, is_direct: false, source: null })
  const { db } = app.service
  await sql`
    update touches set source_id = ${sharedSourceId} where profile_id = ${profileId} and ad_external_id is null
      and platform is null and not is_direct`.execute(db)
  await sql`insert into touch_sources (profile_id, id, is_direct) values (${profileId}, ${sharedSourceId}, false)`.execute(
    db,
  )
  await withConnection(db, async (tx, client) => {
    await lockProfile(tx, profileId)
    const profile = await loadAttributionProfile(tx, profileId)
    await recomputeAll(db, { tx, client }, profile, new Date(), { cause: 'repair', fact: null })
  })
  expect(await read('linear')).toEqual(before)
  const { rows } = await sql`
    select 1 from touches where profile_id = ${profileId} and source_id = ${sharedSourceId}`.execute(db)
  expect(rows).toEqual([])
})

it('an erasure keeps the figures of every channel and removes the source', async () => {
  await owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, email: 'google@x.co' },
  })
  await drainJobs(app.service, jobs)
  const { brief, total } = await read('last_touch')
  expect(brief).toContainEqual(['email', 1, 30, 'visits null 30'])
  expect(total).toMatchObject({ outcome_count: 5, outcome_value: 200 })
})

it('returns each channel’s revenue per day on request; it adds up per channel and per day', async () => {
  const pay = (email: string, day: number, value: number) => ({
    ...{
      event_name: 'payment_received',
      timestamp: `2026-05-${day}T11:00:00Z`,
      idempotency_key: `day-${day}`,
    },
    ...{ user_traits: { email }, properties: { value, currency: 'EUR' } },
  })
  await call(sendEvent, { body: pay('ad@x.co', 12, 7.77) })
  await call(sendEvent, { body: pay('new@x.co', 14, 3.33) })
  await app.service.processor.settled(profileId)
  const minor = (value: number | null) => Math.round((value ?? 0) * 100)
  const { data: overview } = await call(getOverview, { query: may })
  for (const model of models) {
    const { data } = await call(getChannels, { query: { ...may, model, by_day: 'true' } })
    expect(data.length).toBeGreaterThan(3)
    for (const row of data) {
      expect(row.days).toHaveLength(31)
      const sum = row.days!.reduce((total, { value }) => total + minor(value), 0)
      expect([model, row.channel, sum]).toEqual([model, row.channel, minor(row.outcome_value)])
    }
    const onDay = (date: string) =>
      data.reduce((total, row) => total + minor(row.days!.find((day) => day.date === date)!.value), 0)
    expect(overview.days.map(({ date }) => onDay(date))).toEqual(
      overview.days.map(({ revenue }) => minor(revenue)),
    )
  }
  const { data: plain } = await call(getChannels, { query: may })
  expect(plain.some((row) => 'days' in row)).toBe(false)
})
