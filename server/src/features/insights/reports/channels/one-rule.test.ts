/** Every route assigns channels by the same rule: counts per source, platform names, overrides of paid clicks, erasures. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, makeDelivery, saveRecords } from '../../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { drainJobs } from '../../../../../test/jobs.ts'
import { makeOwnProfile, type OwnProfile } from '../../../../../test/make.ts'
import { jobs } from '../../../../app.ts'
import { saveChannelRules, testChannelRules } from '../../../attribution/channel-rules/contract.ts'
import { explainConversion } from '../../../attribution/crediting/contract.ts'
import { eraseWorkspaceCustomer } from '../../../corrections/erasures/contract.ts'
import { listPaymentLinkage } from '../../../corrections/payments/contract.ts'
import { sendEvent } from '../../../facts/events/contract.ts'
import { eventIdOf } from '../../../facts/events/rules.ts'
import { importSpend } from '../../../sources/imports/contract.ts'
import { listUnattributedReasons } from '../unattributed/contract.ts'
import { getChannels } from './contract.ts'

let app: TestApp
let profile: OwnProfile
let minute = 0

const may = { date_from: '2026-05-01', date_to: '2026-05-31' }
const from = (referrer: string) => ({ session_start: true, page: { url: 'https://shop.example/', referrer } })

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function open() {
  minute = 0
  profile = await makeOwnProfile(app, [
    'campaigns:read',
    'campaigns:apply',
    'conversions:read',
    'events:write',
    'payments:read',
    'tracking:read',
    'tracking:write',
  ])
}

const send = (email: string, body: object) =>
  profile.call(sendEvent, {
    body: {
      event_name: 'visit',
      timestamp: `2026-05-10T10:${String(minute++).padStart(2, '0')}:00Z`,
      idempotency_key: `event-${minute}`,
      user_traits: { email },
      ...body,
    },
  })
const pay = async (email: string, value: number) => {
  await send(email, { event_name: 'payment_received', properties: { value, currency: 'EUR' } })
  await app.service.processor.settled(profile.profileId)
  return eventIdOf(profile.profileId, `event-${minute}`)
}
const channels = async (model: 'last_touch' | 'linear' | 'time_decay' = 'last_touch') =>
  (await profile.call(getChannels, { query: { ...may, model } })).data

it('a platform counts a payment shared by two campaigns once under fractional models', async () => {
  await open()
  await saveRecords(app, profile.profileId, [
    ...adStructure,
    makeDelivery('campaign', 'C1', '2026-05-10', { spendMinor: 10_000 }),
  ])
  await send('ana@x.co', { ad: { ad_id: 'A1' } })
  await send('ana@x.co', { ad: { ad_id: 'A3' } })
  await pay('ana@x.co', 60)
  const figures = { outcome_count: 1, attributed_outcome_count: 1, cac: 100, new_customer_count: 1 }
  for (const model of ['linear', 'time_decay'] as const)
    expect((await channels(model))[0]).toMatchObject({
      channel: 'paid_social',
      ...figures,
      sources: [{ source: 'social', ...figures }],
    })
})

it('a reason counts a payment shared by several of its visits once', async () => {
  await open()
  await send('ana@x.co', from('https://www.google.com/'))
  await send('ana@x.co', from('https://www.bing.com/'))
  await pay('ana@x.co', 60)
  const { data } = await profile.call(listUnattributedReasons, { query: { ...may, model: 'linear' } })
  expect(data).toMatchObject([{ reason: 'organic', outcome_count: 1, outcome_credit: 1, outcome_value: 60 }])
})

it.each([
  ['fb', 'paid_social', 'social'],
  ['ig', 'paid_social', 'social'],
  ['x', 'paid_social', 'x'],
  ['adwords', 'paid_search', 'engine'],
  ['youtube', 'paid_search', 'engine'],
  ['taboola', 'paid_other', 'other'],
])('utm_medium=cpc with the source %s is %s', async (source, channel, platform) => {
  await open()
  const query = { url: `https://shop.example/?utm_medium=cpc&utm_source=${source}` }
  expect((await profile.call(testChannelRules, { query })).data).toMatchObject({
    channel,
    platform,
    rule: 'utm',
  })
  await send('ana@x.co', { utm: { source, medium: 'cpc' } })
  await pay('ana@x.co', 10)
  expect(await channels()).toMatchObject([
    { channel, sources: [{ source: platform, kind: 'clicks_without_ad' }] },
  ])
})

it('an override takes precedence over a paid medium, but not over a click id', async () => {
  await open()
  const overrides = [{ kind: 'source' as const, value: 'taboola', channel: 'display' as const }]
  await profile.call(saveChannelRules, { body: { overrides } })
  await drainJobs(app.service, jobs)
  await send('ana@x.co', { utm: { source: 'Taboola', medium: 'cpc' } })
  await pay('ana@x.co', 10)
  await send('bea@x.co', { utm: { source: 'taboola', medium: 'cpc' }, click_ids: { gclid: 'g1' } })
  await pay('bea@x.co', 7)
  expect(await channels()).toMatchObject([
    { channel: 'display', outcome_value: 10, sources: [{ source: 'taboola' }] },
    { channel: 'paid_search', outcome_value: 7, sources: [{ source: 'engine' }] },
  ])
  const query = { url: 'https://shop.example/?utm_medium=cpc&utm_source=taboola' }
  expect((await profile.call(testChannelRules, { query })).data).toMatchObject({
    channel: 'display',
    rule: 'override',
  })
  await profile.call(saveChannelRules, { body: { overrides: [] } })
  await drainJobs(app.service, jobs)
  expect((await channels())[0]).toMatchObject({ channel: 'paid_other', outcome_value: 10 })
})

it('an erasure keeps money in the overridden channel until the override is removed', async () => {
  await open()
  const overrides = [
    { kind: 'host' as const, value: 'partner.example', channel: 'affiliate' as const },
    { kind: 'source' as const, value: 'taboola', channel: 'display' as const },
  ]
  await profile.call(saveChannelRules, { body: { overrides } })
  await drainJobs(app.service, jobs)
  await send('ana@x.co', from('https://ana.partner.example/her-page'))
  await pay('ana@x.co', 100)
  await send('bea@x.co', { utm: { source: 'taboola', medium: 'cpc' } })
  await pay('bea@x.co', 40)
  const read = async () => (await channels()).map(({ channel, outcome_value }) => [channel, outcome_value])
  expect(await read()).toEqual([
    ['affiliate', 100],
    ['display', 40],
  ])
  for (const email of ['ana@x.co', 'bea@x.co'])
    await profile.owner.call(eraseWorkspaceCustomer, {
      params: { workspaceId: profile.workspaceId },
      body: { profile_id: profile.profileId, email },
    })
  await drainJobs(app.service, jobs)
  expect(await read()).toEqual([
    ['affiliate', 100],
    ['display', 40],
  ])
  expect(JSON.stringify(await channels())).not.toContain('ana.partner')
  await profile.call(saveChannelRules, { body: { overrides: [] } })
  await drainJobs(app.service, jobs)
  expect(await read()).toEqual([
    ['referral', 100],
    ['paid_other', 40],
  ])
})

it.each([
  ['radio', 'paid_other'],
  ['facebook', 'paid_social'],
])(
  'an ad of the imported source %s is %s in the report, in explain and in the linkage',
  async (source, channel) => {
    await open()
    const row = {
      source,
      level: 'ad' as const,
      date: '2026-05-10',
      spend: '5',
      ad_id: 'A9',
      ad_set_id: 'S9',
      campaign_id: 'C9',
    }
    await profile.call(importSpend, { body: { rows: [row] } })
    await send('ana@x.co', {
      ad: { ad_id: 'A9' },
      utm: { source: 'fb', medium: 'cpc' },
      click_ids: { fbclid: 'f1' },
    })
    const id = await pay('ana@x.co', 10)
    expect((await channels()).find(({ outcome_count }) => outcome_count > 0)).toMatchObject({ channel })
    const why = await profile.call(explainConversion, { params: { id }, query: { model: 'last_touch' } })
    expect(why.data.models[0]!.touches).toMatchObject([{ channel }])
    const range = { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00Z' }
    const linkage = await profile.call(listPaymentLinkage, { query: { ...range, model: 'first_touch' } })
    expect(linkage.data).toMatchObject([{ touch: { channel } }])
  },
)
