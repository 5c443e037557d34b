import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeApp,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { authenticateBearer, forgetCredentials } from '../../../platform/access/authenticate.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { createBillingPortalSession, createCheckoutSession } from '../billing/contract.ts'
import { createProfile } from '../profiles/contract.ts'
import {
  chatAboutTopPerformers,
  chatInDashboard,
  getComplianceOverview,
  getReportingCurrency,
  updateComplianceOverview,
  updateReportingCurrency,
} from './contract.ts'

let app: TestApp
let owner: Person
let params: { workspaceId: string }
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  params = { workspaceId: await makeWorkspace(owner) }
})
afterAll(() => app.close())

it('a workspace that becomes a healthcare agency removes person-level scopes from its partner grants', async () => {
  const partner = await makeApp(app, params.workspaceId)
  const { data } = await partner.call(createProfile, {
    body: { workspace_id: params.workspaceId, name: 'Clinic', scopes: ['analytics_pii'] },
  })
  const scopesNow = async () => {
    forgetCredentials(app.service)
    const caller = await authenticateBearer(app.service, data.api_key!)
    return caller?.kind === 'key' ? caller.scopes : []
  }
  expect(await scopesNow()).toContain('customers:read')
  const before = await owner.call(getComplianceOverview, { params })
  expect(before.data).toMatchObject({
    healthcare: false,
    profiles: [{ is_healthcare: false, partner_apps: 1, partner_apps_reading_people: 1 }],
  })
  const after = await owner.call(updateComplianceOverview, { params, body: { healthcare: true } })
  expect(after.data).toMatchObject({
    healthcare: true,
    profiles: [{ is_healthcare: true, partner_apps: 1, partner_apps_reading_people: 0 }],
  })
  expect(await scopesNow()).toEqual(['analytics:read', 'campaigns:read', 'conversions:read'])
})

it('sets the currency of reports, and refuses one that does not exist', async () => {
  await makeProfile(owner, params.workspaceId, { currency: 'JPY' })
  expect((await owner.call(getReportingCurrency, { params })).data).toMatchObject({
    reporting_currency: null,
  })
  const set = await owner.call(updateReportingCurrency, { params, body: { reporting_currency: 'eur' } })
  expect(set.data).toEqual({ reporting_currency: 'EUR', profile_currencies: ['JPY', 'USD'] })
  const unknown = owner.call(updateReportingCurrency, { params, body: { reporting_currency: 'XYZ' } })
  expect(await refusalOf(unknown)).toMatchObject({ status: 422, code: 'validation_error' })
})

it('reports that billing is not configured', async () => {
  const checkout = owner.call(createCheckoutSession, { params, body: { plan: 'agency' } })
  expect(await refusalOf(checkout)).toMatchObject({ status: 503, code: 'service_unavailable' })
  const portal = owner.call(createBillingPortalSession, { params, body: {} })
  expect(await refusalOf(portal)).toMatchObject({ status: 503, code: 'service_unavailable' })
})

it('the retired chat routes name their replacement to any caller', async () => {
  const retired = { status: 410, code: 'feature_retired', message: expect.stringContaining('MCP') }
  expect(await refusalOf(app.as()(chatInDashboard))).toMatchObject(retired)
  expect(await refusalOf(owner.call(chatAboutTopPerformers, { params }))).toMatchObject(retired)
  const { headers } = await fetch(`${app.baseUrl}/api/v1/dashboard/chat`, { method: 'POST' })
  expect(Object.fromEntries(headers)).toMatchObject({
    deprecation: '@1767225600',
    sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
    link: `<${app.baseUrl}/docs/errors#feature_retired>; rel="deprecation"; type="text/html"`,
  })
})

it('pages through recorded changes without loss, newest first', async () => {
  const all = await owner.call(listChanges, { params, query: { limit: '200' } })
  expect(all.data[0]!.action).toBe('workspace.reporting_currency_set')
  expect(all.data.at(-1)!.action).toBe('workspace.created')
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await owner.call(listChanges, { params, query: { limit: '2', cursor } })
    ids.push(...page.data.map((row) => row.id))
    cursor = (page.pagination as { cursor: string | null }).cursor ?? undefined
  } while (cursor !== undefined)
  expect(ids).toEqual(all.data.map((row) => row.id))
  expect(await refusalOf(owner.call(listChanges, { params, query: { cursor: 'x' } }))).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
  })
})
