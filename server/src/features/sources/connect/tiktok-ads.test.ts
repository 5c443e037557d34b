/** TikTok Ads through the service: hand-off, spend in reports, clicks of its ads, changes, a lost consent. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import { type Shop, shopWith, triggerSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { addDays, listDays } from '../../../platform/contract/dates.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { comparePlatforms } from '../../insights/reports/contract.ts'
import { createExportDestination } from '../../outgoing/exports/destinations/contract.ts'
import { pauseCampaign } from '../campaigns/contract.ts'
import { getConnection, startSync } from '../connections/contract.ts'

let app: TestApp
let shop: Shop
let connectionId: string
let days: { date_from: string; date_to: string }
beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId, { currency: 'USD', timezone: 'America/New_York' })
  const scopes = [
    'connections:read',
    'connections:write',
    'events:write',
    'exports:read',
    'exports:write',
    'campaigns:read',
    'campaigns:apply',
  ] as const
  shop = shopWith(app, { owner, workspaceId, profileId }, await makeKey(app, profileId, scopes))
  connectionId = (await shop.connected('tiktok_ads')).id
  await drain()
  const today = app.service.clock.now().toISOString().slice(0, 10)
  // Without today, which has not ended in any time zone.
  days = { date_from: addDays(today, -9), date_to: addDays(today, -2) }
})
afterAll(() => app.close())

const drain = async () => {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
}
const act = (action: string, args: Record<string, unknown> = {}) =>
  triggerSandbox(app, 'tiktok_ads', 'act', { action, args })
const entities = (level: string) =>
  app.service.db
    .selectFrom('ad_entities')
    .select(['id', 'external_id', 'name', 'status', 'campaign_id', 'ad_set_id'])
    .where('profile_id', '=', shop.profileId)
    .where('level', '=', level)
    .orderBy('external_id')
    .execute()

it('the account’s entire spend is in the reports, under TikTok and paid social', async () => {
  const { rows } = await app.pool.query(
    'select provider, external_id, display_name, currency, timezone, status from connections where profile_id = $1',
    [shop.profileId],
  )
  expect(rows).toMatchObject([
    {
      provider: 'tiktok_ads',
      display_name: 'Harbor & Pine',
      currency: 'USD',
      timezone: 'America/New_York',
      status: 'connected',
    },
  ])
  let billed = 0
  for (const day of listDays(days.date_from, days.date_to))
    billed += Number((await act('billed', { day, account_id: rows[0].external_id })).minor)
  expect(billed).toBeGreaterThan(0)
  const { data: compared } = await shop.call(comparePlatforms, { query: days })
  expect(compared.platforms).toMatchObject([
    { platform: 'shortvideo', spend: billed / 100, reported_basis: 'ad_group_settings' },
  ])
  const { data: channels } = await shop.call(getChannels, { query: days })
  expect(channels.find(({ channel }) => channel === 'paid_social')).toMatchObject({ spend: billed / 100 })
})

it('a click with its macros replaced belongs to the ad, also with an export destination connected', async () => {
  const body = {
    kind: 'shortvideo',
    shortvideo_pixel_code: 'CABCDEF1234567890',
    access_token: 'pasted',
  } as const
  await shop.call(createExportDestination, { body })
  const [ad] = await entities('ad')
  const campaign = (await entities('campaign')).find(({ id }) => id === ad!.campaign_id)!
  const adSet = (await entities('ad_set')).find(({ id }) => id === ad!.ad_set_id)!
  const page = `https://shop.example/?utm_source=tiktok&utm_medium=paid_social&ttclid=E.C.P.1`
  await shop.call(sendEvent, {
    body: {
      anonymous_id: 'tiktok-visitor',
      event_name: 'visit',
      idempotency_key: 'tiktok-visit',
      page: { url: page },
      utm: { source: 'tiktok', medium: 'paid_social' },
      click_ids: { ttclid: 'E.C.P.1' },
      ad: { campaign_id: campaign.external_id, ad_set_id: adSet.external_id, ad_id: ad!.external_id },
    },
  })
  await drain()
  const { rows } = await app.pool.query(
    'select platform, channel, click_id_kind, ad_external_id, campaign_external_id from touches where profile_id = $1 and click_id is not null',
    [shop.profileId],
  )
  expect(rows).toEqual([
    {
      platform: 'shortvideo',
      channel: 'paid_social',
      click_id_kind: 'ttclid',
      ad_external_id: ad!.external_id,
      campaign_external_id: campaign.external_id,
    },
  ])
})

it('a lead of an instant form is an outcome of the person, credited to its ad', async () => {
  const { rows } = await app.pool.query(
    `select c.outcome_type, l.ad_id, l.form_id from provider_leads l
     join conversions c on c.profile_id = l.profile_id and c.external_id = l.leadgen_id
     where l.profile_id = $1`,
    [shop.profileId],
  )
  expect(rows).toHaveLength(4)
  const ads = new Set((await entities('ad')).map((ad) => ad.external_id))
  expect(rows.every((row) => row.outcome_type === 'lead_created' && ads.has(row.ad_id))).toBe(true)
})

it('a campaign is paused at the platform', async () => {
  const campaign = (await entities('campaign')).find(({ name }) => name === 'Accessories | Smart+')!
  const { data } = await shop.call(pauseCampaign, { params: { id: campaign.external_id! }, body: {} })
  expect(data).toMatchObject({ outcome: 'changed', status: 'PAUSED' })
  expect((await entities('campaign')).find(({ id }) => id === campaign.id)!.status).toBe('PAUSED')
})

it('a consent for several accounts waits for the choice of one', async () => {
  const { handoff } = await shop.connect('approve-several', 'tiktok_ads')
  expect(handoff.result).toMatchObject({ pending_selection: { candidate_count: 3 } })
})

it('a 200 with code 40105 requires a new consent', async () => {
  await act('revoke', { connection_id: connectionId })
  await shop.call(startSync, { body: { connection_id: connectionId } })
  await drain()
  const { data } = await shop.call(getConnection, { params: { id: connectionId } })
  expect(data.status).toBe('reconnect_required')
})
