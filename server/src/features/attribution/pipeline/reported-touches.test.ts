import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../../../test/make.ts'
import { dropCredits, dumpTables } from '../../../../test/oracle/tables.ts'
import { jobs } from '../../../app.ts'
import type { PersonRecord } from '../../../connectors/connector.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { sendEvent, sendEvents } from '../../facts/events/contract.ts'
import { paymentIdOf, toIntegrationEvents } from '../../facts/events/integrations.ts'
import { explainConversion, startRecompute } from '../crediting/contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let call: Client

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner, 'agency')
})
afterAll(() => app.close())
beforeEach(async () => {
  profileId = await makeProfile(owner, workspaceId, { timezone: 'UTC' })
  call = app.as(
    await makeKey(app, profileId, ['events:write', 'conversions:read', 'campaigns:read', 'tracking:write']),
  )
})

const visit = (day: number, fields: object) =>
  call(sendEvent, {
    body: {
      event_name: 'visit',
      anonymous_id: 'v',
      timestamp: `2026-10-0${day}T10:00:00Z`,
      user_traits: { email: 'ana@example.com' },
      ...fields,
    },
  })
const pay = async (id: string, day: number, person: Partial<PersonRecord>) => {
  const { identityPepper: pepper, clock, ingest } = app.service
  const record = {
    type: 'payment' as const,
    externalId: id,
    occurredAt: `2026-10-0${day}T10:00:00.000Z`,
    amount: { amountMinor: 10_000, currency: 'EUR' },
    status: 'succeeded' as const,
    person: { ...emptyPerson(), email: 'ana@example.com', ...person },
    orderId: null,
  }
  const setting = { profileId, provider: 'cardpay', country: null, pepper, now: clock.now() }
  await ingest.add(profileId, toIntegrationEvents([record], setting))
  await app.service.processor.settled(profileId)
}
const ad = { adId: 'A1', adSetId: null, campaignId: 'C1' }

async function journey(paymentId: string) {
  const id = paymentIdOf(profileId, 'cardpay', paymentId)
  const { data } = await call(explainConversion, { params: { id }, query: { model: 'last_touch' } })
  return data.models[0]!.touches.map((touch) => [
    touch.occurred_at.slice(0, 10),
    touch.channel,
    touch.reported,
    touch.credited_value ?? 0,
  ])
}

it('a payment that repeats a click of an earlier visit takes no credit from the last touch', async () => {
  await visit(1, { click_ids: { gclid: 'g1' }, ad: { ad_id: 'A1', campaign_id: 'C1' } })
  await visit(3, { utm: { source: 'news', medium: 'email' } })
  await pay('p1', 5, { clickIds: { gclid: 'g1' }, ad })
  expect(await journey('p1')).toEqual([
    ['2026-10-01', 'paid_other', false, 0],
    ['2026-10-03', 'email', false, 100],
  ])
})

it('a click that the tracker did not see is added at the time the provider reports, and marked as reported', async () => {
  await visit(3, { utm: { source: 'news', medium: 'email' } })
  await pay('p1', 5, { clickIds: { gclid: 'g1' }, ad, visitedAt: '2026-10-02T08:00:00.000Z' })
  await pay('p2', 6, { clickIds: { gclid: 'g1' }, ad })
  await pay('p3', 7, { clickIds: { fbc: 'fb.1.1790899200000.f1' } })
  const trackedVisit = ['2026-10-03', 'email', false]
  const reported = ['2026-10-02', 'paid_other', true]
  // fbclid is also on organic links, so it alone does not prove an ad.
  const reportedOrganic = ['2026-10-02', 'organic_social', true]
  expect(await journey('p1')).toEqual([
    [...reportedOrganic, 0],
    [...reported, 0],
    [...trackedVisit, 100],
  ])
  expect(await journey('p2')).toEqual([
    [...reportedOrganic, 0],
    [...reported, 0],
    [...trackedVisit, 100],
  ])
})

it('credit is the same after a full recompute and after an erasure', async () => {
  await visit(1, { click_ids: { gclid: 'g1' }, ad: { ad_id: 'A1', campaign_id: 'C1' } })
  await pay('p1', 5, { clickIds: { gclid: 'g1' }, ad })
  await pay('p2', 6, { clickIds: { gclid: 'g2' }, ad, visitedAt: '2026-10-02T08:00:00.000Z' })
  const before = await dumpTables(app.service.db, profileId)
  await dropCredits(app.service.db, profileId)
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, jobs)
  expect(await dumpTables(app.service.db, profileId)).toEqual(before)
  await owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, email: 'ana@example.com' },
  })
  await drainJobs(app.service, jobs)
  const after = await dumpTables(app.service.db, profileId)
  for (const table of ['credits', 'credit_daily', 'held_daily', 'paid_touch_daily'] as const)
    expect(after[table], table).toEqual(before[table])
})

it('simultaneous touches of one request keep the order of the request', async () => {
  const at = '2026-10-01T10:00:00Z'
  const sources = ['a', 'b', 'c', 'd', 'e', 'f']
  await call(sendEvents, {
    body: {
      events: sources.map((source) => ({
        event_name: 'visit',
        idempotency_key: source,
        timestamp: at,
        user_traits: { email: 'ana@example.com' },
        utm: { source },
        ad: { ad_id: source },
      })),
    },
  })
  await pay('p1', 5, {})
  const id = paymentIdOf(profileId, 'cardpay', 'p1')
  const { data } = await call(explainConversion, { params: { id }, query: { model: 'linear' } })
  expect(data.models[0]!.touches.map((touch) => touch.ad?.platform_id)).toEqual(sources)
})

it('visits sent by a server get the same channels as those of the tracker: direct, organic and referral', async () => {
  const page = (referrer: string | null) => ({ url: 'https://shop.example/a?x=1', referrer, title: 'Shop' })
  await visit(1, { page: page(null), session_start: true })
  await visit(2, { page: page('https://www.google.com/'), session_start: true })
  await visit(3, { page: page('https://blog.example/post') })
  await visit(4, { page: page('https://shop.example/b') })
  await pay('p1', 5, {})
  expect(await journey('p1')).toEqual([
    ['2026-10-01', 'direct', false, 0],
    ['2026-10-02', 'organic_search', false, 0],
    ['2026-10-03', 'referral', false, 100],
  ])
})
