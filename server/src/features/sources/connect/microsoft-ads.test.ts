/** Microsoft Advertising through the service: hand-off, first sync, spend in reports, resolving a click to its ad. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey } from '../../../../test/make.ts'
import { makeShop, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { expectPauses } from '../../../../test/pause-chain.ts'
import { jobs } from '../../../app.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { startSync } from '../connections/contract.ts'

const msclkid = '5b2e4f0ac9d01a3e2c1b2d4e6f7a8b9c'
let app: TestApp
let shop: Shop
let click: Record<string, unknown>
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  const tracker = app.as(await makeKey(app, shop.profileId, ['events:write']))
  await tracker(sendEvents, {
    body: { events: [{ event_name: 'visit', anonymous_id: 'visitor', click_ids: { msclkid } }] },
  })
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  const args = { day, msclkid: '5B2E4F0A-C9D0-1A3E-2C1B-2D4E6F7A8B9C' }
  click = await triggerSandbox(app, 'microsoft_ads', 'act', { action: 'click', args })
  await triggerSandbox(app, 'microsoft_ads', 'act', { action: 'auto_tagging', args: { on: false } })
  await shop.connected('microsoft_ads')
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
})
afterAll(() => app.close())

const query = async (text: string) =>
  (await app.pool.query<Record<string, unknown>>(text, [shop.profileId])).rows

it('connects one account and reads campaigns, ads, asset groups and what they spent', async () => {
  expect(await query('select provider, currency, status from connections where profile_id = $1')).toEqual([
    { provider: 'microsoft_ads', currency: 'USD', status: 'connected' },
  ])
  const [sync] = await query('select state, last_error from connection_syncs where profile_id = $1')
  expect(sync).toEqual({ state: 'idle', last_error: null })
  const levels = await query(
    `select level, sum(spend_minor)::int as spend from ad_delivery where profile_id = $1 group by level order by level`,
  )
  const spend = Object.fromEntries(levels.map((row) => [row.level, row.spend]))
  expect(spend.campaign).toBeGreaterThan(100_000)
  expect(spend.ad_set).toBe(spend.campaign)
  const [creative] = await query(
    `select count(*)::int as ads from ad_creatives where profile_id = $1 and title like '% | %'`,
  )
  expect(creative!.ads).toBeGreaterThan(5)
})

it('resolves a visit’s click id to its ad in every spelling of the id', async () => {
  const [touch] = await query(
    `select platform, channel, campaign_external_id, ad_set_external_id, ad_external_id from touches
     where profile_id = $1 and click_id_kind = 'msclkid'`,
  )
  expect(touch).toEqual({
    platform: 'microsoft',
    channel: 'paid_search',
    campaign_external_id: click.campaign_id,
    ad_set_external_id: click.ad_set_id,
    ad_external_id: click.ad_id,
  })
})

it('pauses every level and changes a budget, with an entry in the change log', () => expectPauses(app, shop))

it('reports clicks without ids on the connection until the account tags them', async () => {
  const listReasons = () =>
    query(`select reason from set_aside_records where profile_id = $1 and kind = 'account_setting'`)
  expect(await listReasons()).toEqual([{ reason: expect.stringContaining('MSCLKID') }])
  await triggerSandbox(app, 'microsoft_ads', 'act', { action: 'auto_tagging', args: { on: true } })
  await shop.call(startSync, { body: { provider: 'microsoft_ads' } })
  await drainJobs(app.service, jobs)
  expect(await listReasons()).toEqual([])
})
