import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdWorld, makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import {
  makeKey,
  makeOwnProfile,
  makePerson,
  makeProfile,
  makeWorkspace,
  refusalOf,
  startTestProfile,
} from '../../../../test/make.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { setPacingTarget } from '../../advice/pacing/contract.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { getOverview } from '../../insights/reports/contract.ts'
import { getBrief } from './contract.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['events:write', 'campaigns:read'])
  await makeAdWorld(profile.app, profile.profileId, profile.call)
})
afterAll(() => profile.app.close())

const range = { date_from: '2026-05-05', date_to: '2026-05-06' }

it('describes changes with the figures of the reports, and its contributions sum to the change', async () => {
  const { data, meta } = await profile.call(getBrief, { query: range })
  const revenueOf = async (query: { date_from: string; date_to: string }) =>
    (await profile.call(getOverview, { query })).data.totals.revenue!
  expect(data.previous).toEqual({ date_from: '2026-05-03', date_to: '2026-05-04' })
  expect(data.revenue).toEqual({
    now: await revenueOf(range),
    before: await revenueOf(data.previous),
    change: -50,
  })
  expect(data.contributions!.map(({ kind, name, change }) => [kind, name, change])).toEqual([
    ['campaign', 'Name of C1', 30],
    ['unattributed', null, 20],
    ['campaign', 'Name of C2', -100],
  ])
  const minor = data.contributions!.map(({ change }) => toMinor(change, 'EUR')!)
  expect(minor.reduce((sum, change) => sum + change, 0)).toBe(toMinor(data.revenue.change!, 'EUR'))
  expect(data.sentences.map(({ text }) => text)).toEqual([
    'Revenue fell by €50.00 (-50.0%) to €50.00.',
    'Gains and losses offset each other: “Name of C1” gained most (+€30.00), “Name of C2” lost most (-€100.00).',
    'Ad spend fell by €40.00 to €0.00.',
  ])
  const repeated = await profile.call(getBrief, { query: range })
  expect(repeated.meta.result_hash).toBe(meta.result_hash)
  const spanish = await profile.call(getBrief, { query: { ...range, language: 'es' } })
  expect(spanish.data.sentences[0]!.text).toBe('Los ingresos bajaron 50,00 € (-50,0 %), hasta 50,00 €.')
})

it('links to requests that return the figure', async () => {
  const { data } = await profile.call(getBrief, { query: range })
  const links = data.sentences.flatMap(({ parts }) => parts.flatMap(({ link }) => link ?? []))
  expect(links.length).toBeGreaterThan(3)
  for (const { api } of links) {
    const reply = await fetch(`${profile.app.baseUrl}/api/v1${api}`, {
      headers: { authorization: `Bearer ${profile.key}` },
    })
    expect([api, reply.status]).toEqual([api, 200])
  }
})

it('shows a person how the budget of the month is spent, and a key neither that nor the workspace', async () => {
  const { app } = profile
  const { clock, db } = app.service
  const owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId)
  const key = app.as(await makeKey(app, profileId, ['campaigns:read']))
  const spent = Array.from({ length: 60 }, (_, index) => addDays('2026-05-19', -index))
  await saveRecords(app, profileId, [
    makeEntity('campaign', 'C1'),
    ...spent.map((day) => makeDelivery('campaign', 'C1', day, { spendMinor: 4800 })),
  ])
  await clock.set(db, Date.parse('2026-05-20T12:00:00Z') - Date.now())
  await owner.call(setPacingTarget, {
    params: { workspaceId },
    body: { profile_id: profileId, provider: 'social_ads', month: '2026-05', budget: 100 },
  })
  const query = { date_from: '2026-05-18', date_to: '2026-05-19' }
  const ownerBrief = await owner.call(getBrief, { query: { ...query, profile_id: profileId } })
  const keyBrief = await key(getBrief, { query })
  await clock.set(db, 0)
  expect(ownerBrief.data.sentences.map(({ kind }) => kind)).toContain('pacing')
  expect(JSON.stringify(ownerBrief.data)).toContain(workspaceId)
  expect(keyBrief.data.sentences.map(({ kind }) => kind)).not.toContain('pacing')
  expect(JSON.stringify(keyBrief.data)).not.toContain(workspaceId)
})

it('returns null contributions if an exchange rate is missing, not an empty list', async () => {
  const events = [
    { event_name: 'visit', anonymous_id: 'eve', timestamp: '2026-09-01T10:00:00Z', ad: { ad_id: 'A1' } },
    {
      event_name: 'payment_received',
      anonymous_id: 'eve',
      timestamp: '2026-09-05T10:00:00Z',
      idempotency_key: 'eve-1',
      properties: { value: 5, currency: 'USD' },
    },
  ]
  await profile.call(sendEvents, { body: { events } })
  await profile.app.service.processor.settled(profile.profileId)
  const query = { date_from: '2026-09-05', date_to: '2026-09-06' }
  const { data } = await profile.call(getBrief, { query })
  expect(data.contributions).toBeNull()
  expect(data.sentences.map(({ text }) => text).join(' ')).toContain('cannot be broken down by campaign')
})

it('contains nothing of other profiles, and refuses an invalid range', async () => {
  const other = await makeOwnProfile(profile.app, ['campaigns:read'])
  const { data } = await other.call(getBrief, { query: range })
  expect(data.sentences.map(({ kind }) => kind)).toEqual(['empty'])
  expect(data.contributions).toEqual([])
  const wrong = [
    { date_from: '2026-05-06', date_to: '2026-05-05' },
    { date_from: '0001-01-01', date_to: '0001-01-02' },
  ]
  for (const query of wrong)
    expect((await refusalOf(profile.call(getBrief, { query }))).code).toBe('invalid_date_range')
})
