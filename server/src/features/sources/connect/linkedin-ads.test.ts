/** LinkedIn Ads through the service: hand-off, first sync, leads, the challenge of the webhook address, the end of the consent. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeShop, moveClock, type Shop, tellSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { getConnection } from '../connections/contract.ts'
import { freshToken } from '../connections/refresh.ts'

let app: TestApp
let shop: Shop
let connectionId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  connectionId = (await shop.connected('linkedin_ads')).id
  await drain()
})
afterAll(() => app.close())

const drain = async () => {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
}
const rows = async <T extends Record<string, unknown>>(text: string) =>
  (await app.pool.query<T>(text, [shop.profileId])).rows

it('connects one ad account and reads its structure and spend', async () => {
  expect(
    await rows('select provider, display_name, currency, status from connections where profile_id = $1'),
  ).toEqual([
    { provider: 'linkedin_ads', display_name: 'Harbor & Pine', currency: 'USD', status: 'connected' },
  ])
  expect(
    await rows(
      'select level, count(*)::int as entities from ad_entities where profile_id = $1 group by level order by level',
    ),
  ).toEqual([
    { level: 'ad', entities: 16 },
    { level: 'ad_set', entities: 6 },
    { level: 'campaign', entities: 3 },
  ])
  // An ad is in the campaign of its ad set, which its own listing does not name.
  expect(
    await rows(
      `select count(*)::int as ads from ad_entities where profile_id = $1 and level = 'ad' and campaign_id is not null`,
    ),
  ).toEqual([{ ads: 16 }])
  // Of days that are settled: the last ones grow from one page to the next.
  const spend = await rows<{ spend: string }>(
    `select level, sum(spend_minor)::text as spend from ad_delivery where profile_id = $1
       and day < (select max(day) - 3 from ad_delivery where profile_id = $1) group by level`,
  )
  expect(spend).toHaveLength(3)
  expect(new Set(spend.map((row) => row.spend)).size).toBe(1)
})

it('a lead of a form is an outcome that its ad brought', async () => {
  const { id } = await tellSandbox(app, 'linkedin_ads', 'act', { action: 'lead', args: {} })
  await drain()
  const [lead] = await rows<{ id: string; external_id: string }>(
    `select id, external_id from conversions where profile_id = $1 and outcome_type = 'lead_created'
     order by occurred_at desc limit 1`,
  )
  expect(lead!.external_id).toBe(id)
  const today = app.service.clock.now().toISOString().slice(0, 10)
  const { data } = await shop.call(getChannels, {
    query: { date_from: addDays(today, -10), date_to: addDays(today, 1) },
  })
  expect(data.find(({ channel }) => channel === 'paid_social')?.sources).toMatchObject([
    { source: 'linkedin', kind: 'ads' },
  ])
  expect(data.map(({ channel }) => channel)).not.toContain('paid_other')
})

it('answers the challenge of the webhook address in JSON', async () => {
  const address = `${app.baseUrl}/webhooks/in/linkedin_ads`
  const code = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
  const answer = await fetch(`${address}?challengeCode=${code}`)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toEqual({
    challengeCode: code,
    challengeResponse: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await fetch(`${address}?challengeCode=hmacsha256=x`)).status).toBe(404)
})

it('asks a person to reconnect on day 366, and not before', async () => {
  const read = async () => (await shop.call(getConnection, { params: { id: connectionId } })).data
  const status = async () => (await read()).status
  const ref = { profileId: shop.profileId, id: connectionId }
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    await moveClock(app, 60 * 86_400)
    await freshToken(app.service, ref)
  }
  expect(await status()).toBe('connected')
  const { authorized_at: begun, consent_ends_at: ends } = await read()
  expect((Date.parse(ends!) - Date.parse(begun)) / 86_400_000).toBeCloseTo(365, 3)
  await moveClock(app, 6 * 86_400)
  await expect(freshToken(app.service, ref)).rejects.toThrow('reconnect_required')
  expect(await status()).toBe('reconnect_required')
})
