/** The official client against the sandbox, which must serve all of its fields and reject fields that it does not list. */

import { graphFields } from '@whence/sandbox/social-ads/fields.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { Session } from '../connector.ts'
import { apiVersions } from '../versions.ts'
import { socialAds } from './connector.ts'

type Fields = { Fields: Record<string, string> }
type Node = Record<string, unknown> & { id: string; _data: Record<string, unknown> }
type Client = Record<
  string,
  Fields & (new (id: string) => Record<string, (...args: unknown[]) => Promise<Node[]>>)
>
// @ts-expect-error The package brings no types.
const { default: sdk } = await import('facebook-nodejs-business-sdk')
const { FacebookAdsApi, ...nodes } = sdk as Client & {
  FacebookAdsApi: { init: (token: string) => unknown }
}

const spec = connectorCases.find(({ connector }) => connector === socialAds)!
let running: RunningSandbox
let session: Session
beforeAll(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
  // Its URL and version are constants that can be overridden.
  Object.defineProperty(FacebookAdsApi, 'GRAPH', { get: () => running.app.apiBaseUrl })
  Object.defineProperty(FacebookAdsApi, 'VERSION', { get: () => apiVersions.social_ads.version })
  FacebookAdsApi.init(session.token.accessToken)
})
afterAll(() => running.close())

const account = () => new nodes.AdAccount!(session.accountId)

test.each(Object.keys(graphFields))('the sandbox knows the fields of %s that the client lists', (kind) => {
  const listed = Object.values(nodes[kind]!.Fields)
  expect([...graphFields[kind as keyof typeof graphFields]].sort()).toEqual([...listed].sort())
})

test('requests an asynchronous report, polls it and reads it', async () => {
  const params = { level: 'ad', time_increment: 1, time_range: { since: '2026-03-01', until: '2026-03-01' } }
  const fields = ['ad_id', 'spend']
  const run = (await account().getInsightsAsync!(fields, params)) as unknown as Node & {
    get: (fields: string[]) => Promise<Node>
    getInsights: (fields: string[], query: object) => Promise<Node[]>
  }
  expect((await run.get(['async_status', 'async_percent_completion']))._data).toMatchObject({
    async_status: 'Job Completed',
    async_percent_completion: 100,
  })
  const fromReport = await run.getInsights([], { limit: 500 })
  const direct = await account().getInsights!(fields, { ...params, limit: 500 })
  expect(fromReport.map(({ _data }) => _data)).toEqual(direct.map(({ _data }) => _data))
})

test('reads campaigns, ads with their creative, and insights', async () => {
  const campaigns = await account().getCampaigns!(['id', 'name', 'objective', 'effective_status'], {
    limit: 2,
  })
  expect(campaigns).toHaveLength(2)
  expect(campaigns[0]!._data).toMatchObject({ objective: expect.stringMatching(/^OUTCOME_/) })
  const ads = await account().getAds!(['id', 'creative{id,title,call_to_action_type}'], {
    effective_status: ['ACTIVE'],
    limit: 1,
  })
  expect(ads[0]!._data).toMatchObject({ creative: { title: expect.any(String) } })
  const insights = await account().getInsights!(['ad_id', 'spend', 'actions'], {
    level: 'ad',
    time_increment: 1,
    time_range: { since: '2026-03-01', until: '2026-03-01' },
  })
  expect(insights.length).toBeGreaterThan(5)
  expect(insights[0]!._data).toMatchObject({ date_start: '2026-03-01', spend: expect.any(String) })
})

test('subscribes a page, reads its forms and their leads', async () => {
  const { page_id: pageId } = await running.sandbox.act('lead', {})
  const page = new nodes.Page!(String(pageId))
  await page.createSubscribedApp!([], { subscribed_fields: ['leadgen', 'messages'] })
  expect(await running.sandbox.act('subscribed_pages', {})).toEqual({ page_ids: [pageId] })
  const [app] = await page.getSubscribedApps!([])
  expect(app!._data).toMatchObject({ subscribed_fields: ['leadgen', 'messages'] })
  const [form] = await page.getLeadGenForms!(['id', 'name'])
  const leads = await new nodes.LeadgenForm!(form!.id).getLeads!(['id', 'ad_id', 'field_data'])
  expect(leads[0]!._data).toMatchObject({ field_data: expect.any(Array), ad_id: expect.any(String) })
})

test('receives the errors of the platform', async () => {
  const refusal = async (request: Promise<unknown>) =>
    request.then(
      () => null,
      (error: { message?: string; response?: { code?: number; error_subcode?: number } }) => error.response,
    )
  expect(await refusal(account().getCampaigns!(['id', 'no_such_field']))).toMatchObject({ code: 100 })
  expect(await refusal(account().getAds!(['id', 'creative{no_such_field}']))).toMatchObject({ code: 100 })
  expect(await refusal(account().getInsights!(['ad_id', 'no_such_metric']))).toMatchObject({ code: 100 })
  expect(await refusal(account().getAds!(['id'], { effective_status: ['DELETED'] }))).toMatchObject({
    code: 100,
    error_subcode: 1815001,
  })
  const page = new nodes.Page!(String((await running.sandbox.act('lead', {})).page_id))
  expect(await refusal(page.createSubscribedApp!([], { subscribed_fields: ['gossip'] }))).toMatchObject({
    code: 100,
  })
  Object.defineProperty(FacebookAdsApi, 'VERSION', { get: () => 'v24.0' })
  expect(await refusal(account().getCampaigns!(['id']))).toMatchObject({ code: 2635 })
})
