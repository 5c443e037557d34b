import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCreative, makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeOwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { jobs } from '../../../app.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { saveAdDetails } from '../../facts/ads/details.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { trackingTemplates } from '../../sources/tracking/templates.ts'
import { getUtmHealth, scanUtmHealth } from './contract.ts'

const scopes = ['tracking:read', 'tracking:write', 'events:write'] as const
const social = trackingTemplates.find(({ platform }) => platform === 'social')!.template
const page = 'https://shop.example/linen'
let shop: Awaited<ReturnType<typeof startTestProfile>>
let day: string
let visits = 0

/** An ad in a separate campaign, with 30 clicks yesterday. */
async function runAd(id: string, tags: { destinationUrl?: string; urlTags?: string }, spendMinor: number) {
  const { app, profileId } = shop
  await saveRecords(app, profileId, [
    makeEntity('campaign', `C-${id}`),
    makeEntity('ad', id, { campaignExternalId: `C-${id}` }),
    makeDelivery('ad', id, day, { spendMinor, clicks: 30, impressions: 1000 }),
  ])
  const creative = makeCreative(id, { destinationUrl: page, ...tags })
  await inTransaction(app.service.db, (tx) => saveAdDetails(tx, profileId, [creative], new Date(day)))
}
const visit = (query: string, ad: Record<string, string>, utm: Record<string, string> = {}) =>
  shop.call(sendEvent, {
    body: {
      event_name: 'visit',
      idempotency_key: `visit-${visits++}`,
      anonymous_id: `visitor-${visits}`,
      page: { url: `${page}?${query}` },
      ad,
      utm,
    },
  })

beforeAll(async () => {
  shop = await startTestProfile(scopes, { UTM_SCAN_SECONDS: '1' })
  day = new Date(shop.app.service.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  await runAd('fine', { urlTags: social }, 1000)
  await runAd('bare', {}, 900)
  await runAd('twice', { destinationUrl: `${page}?utm_source=news`, urlTags: social }, 800)
  await runAd('foreign', { urlTags: social.replace('utm_source=meta', 'utm_source=tiktok') }, 700)
  await runAd('lost', { urlTags: social }, 600)
  await runAd('elsewhere', { destinationUrl: 'https://other.example/', urlTags: social }, 550)
  await runAd('sale-1', { urlTags: 'utm_source=meta&utm_medium=paid_social&utm_campaign=sale' }, 500)
  await runAd('sale-2', { urlTags: 'utm_source=meta&utm_medium=paid_social&utm_campaign=sale' }, 400)
  for (const ad_id of ['fine', 'twice', 'foreign', 'gone']) await visit(`ad_id=${ad_id}`, { ad_id })
  await visit('ad_id=%7B%7Bad.id%7D%7D&utm_source=meta', { ad_id: '{{ad.id}}' }, { source: 'meta' })
  for (let time = 0; time < 2; time++)
    await visit('ad_id=_CID_&utm_source=tiktok', { ad_id: '_CID_' }, { source: 'tiktok' })
  await shop.app.service.processor.settled(shop.profileId)
})
afterAll(() => shop.app.close())

it('is empty until the first check', async () => {
  const { data } = await shop.call(getUtmHealth)
  expect(data).toMatchObject({ status: 'never_scanned', scanned_at: null, findings: [] })
})

it('reports exactly the simulated faults, with ad, spend and template', async () => {
  const { data } = await shop.call(scanUtmHealth, { body: {} })
  expect(
    data.findings.map(({ code, ad, value, spend }) => [code, ad?.platform_id ?? null, value, spend]),
  ).toEqual([
    ['missing_tags', 'bare', 'utm_source,utm_medium,ad_id', 9],
    ['contradictory_tags', 'twice', 'utm_source', 8],
    ['contradictory_tags', 'foreign', 'utm_source', 7],
    ['tags_lost', 'lost', page, 6],
    ['missing_tags', 'sale-1', 'ad_id', 5],
    ['shared_utm', 'sale-1', 'sale', 5],
    ['missing_tags', 'sale-2', 'ad_id', 4],
    ['shared_utm', 'sale-2', 'sale', 4],
    ['unexpanded_macro', null, '_CID_', null],
    ['unexpanded_macro', null, '{{ad.id}}', null],
    ['unknown_ad_id', null, 'gone', null],
  ])
  expect(data).toMatchObject({
    status: 'problems',
    ads: 8,
    ads_with_problems: 6,
    spend: 54.5,
    spend_with_problems: 39,
  })
  expect(data.findings[0]).toMatchObject({
    template: social,
    campaign: { platform_id: 'C-bare' },
    platform: 'social',
  })
  expect((await shop.call(getUtmHealth)).data).toEqual(data)
  const other = await makeOwnProfile(shop.app, scopes)
  expect((await other.call(scanUtmHealth, { body: {} })).data).toMatchObject({ status: 'no_ads', ads: 0 })
})

it('a check over its time limit returns 504; a job finishes it and the previous result stays available', async () => {
  const before = (await shop.call(getUtmHealth)).data
  await runAd('new', { urlTags: social }, 0)
  const client = await shop.app.pool.connect()
  try {
    // A lock on the stored result blocks the check.
    await client.query('begin')
    await client.query('select 1 from utm_scans where profile_id = $1 for update', [shop.profileId])
    expect(await refusalOf(shop.call(scanUtmHealth, { body: {} }))).toMatchObject({
      status: 504,
      code: 'audit_timeout',
    })
    expect((await shop.call(getUtmHealth)).data).toEqual(before)
  } finally {
    await client.query('rollback')
    client.release()
  }
  await drainJobs(shop.app.service, jobs)
  expect((await shop.call(getUtmHealth)).data).toMatchObject({ ads: 9, status: 'problems' })
})
