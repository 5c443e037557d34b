/**
 * Records responses for the examples of openapi.json: a small advertised business, reported through the API at a fixed
 * time, and the most common requests. `npm run generate -- --examples` writes them.
 */
import { routes } from '../../src/app.ts'
import { entityId } from '../../src/features/facts/ads/entities.ts'
import { type Scope, scopes } from '../../src/platform/contract/access.ts'
import { EXAMPLE_ID } from '../../src/platform/contract/example-values.ts'
import { exampleOf, type RecordedAnswer } from '../../src/platform/contract/examples.ts'
import { makeDelivery, makeEntity, saveRecords } from '../ad-world.ts'
import { contractViolation } from '../answers.ts'
import type { TestApp } from '../app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type PartnerApp,
  type Person,
} from '../make.ts'
import { makeOperator } from '../make-problems.ts'
import { sampleOf } from '../samples.ts'
import { send } from '../tenants.ts'
import { makeVisitor, walkConsent } from '../visitor.ts'
import { presentable } from './presentable.ts'
import {
  recordAccount,
  recordCorrections,
  recordOperator,
  recordPartner,
  recordPartnerExport,
  recordTracking,
} from './record-account.ts'
import { recordBilling } from './record-billing.ts'
import { recordGrowth } from './record-growth.ts'
import { recordIdentity } from './record-identity.ts'
import { recordPeople } from './record-people.ts'
import { recordPlatforms, recordSecondProfile } from './record-platforms.ts'

/** The service's time in all examples: the day after their month. */
export const RECORDED_AT = new Date('2026-02-01T10:00:00Z')

const CAMPAIGN = '120210000000000001'
const AD_SET = '120210000000000002'
const AD = '120210000000000003'
const inJanuary = (day: number, hour = 10) =>
  `2026-01-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`

const visit = (name: string, at: string) => ({
  event_name: 'visit',
  anonymous_id: `visitor-${name}`,
  timestamp: at,
  page: { url: `https://shop.example/linen?ad_id=${AD}&fbclid=click-${name}` },
  click_ids: { fbclid: `click-${name}` },
  ad: { ad_id: AD },
})

/** Cai paid without a visit, Bea clicked the ad and became a lead, Ana clicked it and paid. */
const sampleEvents = [
  {
    event_name: 'payment_received',
    timestamp: inJanuary(10),
    idempotency_key: 'invoice-1040',
    properties: { value: 45, currency: 'EUR' },
    user_traits: { email: 'cai@example.com' },
  },
  visit('bea', inJanuary(13)),
  {
    event_name: 'lead_created',
    anonymous_id: 'visitor-bea',
    timestamp: inJanuary(13, 11),
    idempotency_key: 'lead-77',
    user_traits: { email: 'bea@example.com' },
  },
  visit('ana', inJanuary(14)),
  {
    event_name: 'payment_received',
    anonymous_id: 'visitor-ana',
    timestamp: inJanuary(15),
    idempotency_key: 'invoice-1041',
    properties: { value: 129.9, currency: 'EUR' },
    user_traits: { email: 'ana@example.com' },
  },
]

const records = [
  makeEntity('campaign', CAMPAIGN, {
    name: 'Spring collection',
    objective: 'OUTCOME_SALES',
    dailyBudgetMinor: 5000,
  }),
  makeEntity('ad_set', AD_SET, { name: 'Madrid, 25 to 44', campaignExternalId: CAMPAIGN }),
  makeEntity('ad', AD, { name: 'Linen shirt, video', campaignExternalId: CAMPAIGN, adSetExternalId: AD_SET }),
  ...Array.from({ length: 31 }, (_, index) =>
    makeDelivery('ad', AD, inJanuary(index + 1).slice(0, 10), {
      spendMinor: 195,
      impressions: 240,
      clicks: 5,
      platformConversionsMilli: 100,
      platformConversionValueMinor: 1300,
    }),
  ),
]

type Asked = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  as?: 'owner' | 'operator' | Pick<Person, 'token'>
  /** Another process of the same deployment. */
  at?: TestApp
}

export async function recordExamples(app: TestApp): Promise<Record<string, RecordedAnswer>> {
  const { service } = app
  const startedAt = Date.now()
  await service.clock.set(service.db, RECORDED_AT.getTime() - Date.now())
  const owner: Person = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId, { name: 'Acme Madrid' })
  const keyScopes = scopes.filter((scope) => scope !== 'workspaces:write')
  const key = await makeKey(app, profileId, keyScopes)
  await saveRecords(app, profileId, records)

  const partner = await makeApp(app, workspaceId)
  const operator = await makeOperator(app)
  const answers: Record<string, RecordedAnswer> = {}
  const askWith =
    (key: string): Ask =>
    async (name, options = {}) => {
      const { entry } = routes.find((route) => route.entry.name === name)!
      const body = options.body ?? exampleOf(entry)?.body ?? null
      const sample = {
        params: options.params ?? exampleOf(entry)?.params ?? {},
        query: { ...exampleOf(entry)?.query, ...options.query },
        body: body as Record<string, unknown> | null,
        raw: sampleOf(entry).raw,
      }
      const byKey =
        options.as === undefined && (entry.access.kind === 'profile' || entry.access.kind === 'bearer')
      const person =
        options.as === 'operator' ? operator : typeof options.as === 'object' ? options.as : owner
      const bearer = `Bearer ${byKey ? key : person.token}`
      const authorization =
        entry.access.kind === 'public' ? undefined : entry.access.kind === 'app' ? partner.basic : bearer
      const answer = await send(options.at ?? app, entry, authorization, sample)
      const problem = contractViolation(entry, answer.status, answer.body)
      if (problem !== null) throw new Error(`${name} answered ${answer.text}: ${problem}`)
      if (answer.status === 204) return {}
      const isOwn = options.body !== undefined && entry.example?.body === undefined
      answers[name] ??= {
        ...(answer.body as RecordedAnswer),
        ...(isOwn ? { request: options.body as Record<string, unknown> } : {}),
      }
      return (answer.body as { data: Record<string, unknown> }).data
    }
  const ask = askWith(key)

  for (const body of sampleEvents) await ask('sendEvent', { body })
  delete answers.sendEvent
  await ask('sendEvent')
  await ask('sendEvents', {
    body: { events: [{ ...sampleEvents[0], properties: { value: 45.5, currency: 'EUR' } }] },
  })
  await service.processor.settled(profileId)

  await askReports(ask, {
    campaign: entityId(profileId, 'campaign', CAMPAIGN),
    ad: entityId(profileId, 'ad', AD),
  })
  await askPayments(ask)
  await askConnections(ask)
  await askWebhooks(ask)
  for (const name of ['listWorkspaces', 'listProfiles', 'getMe']) await ask(name)
  await ask('createProfile', {
    body: { workspace_id: workspaceId, name: 'Acme Lisbon', timezone: 'Europe/Lisbon', currency: 'EUR' },
  })
  await ask('getReadiness', { params: { profileId } })
  for (const name of ['listWorkspaceProfiles', 'getSubscription', 'getReportingCurrency', 'listMembers'])
    await ask(name, { params: { workspaceId } })
  await ask('createApiKey', { params: { workspaceId }, body: { profile_id: profileId, name: 'Reports' } })
  await makeUsage(app, profileId)
  for (const name of ['listApiKeys', 'getApiUsage']) await ask(name, { params: { workspaceId } })

  await recordTracking(ask)
  await askRest(ask, answers, workspaceId)
  const world = { workspaceId, profileId, ownerEmail: owner.email }
  await recordAccount(ask, world)
  await recordCorrections(ask, world)
  await recordOperator(ask, app, { profileId, call: app.as(key) })
  const appScopes = ['customers:read', 'identity:read'] as const
  const appKey = await makeKey(app, profileId, [...appScopes])
  await app.pool.query('update credentials set app_id = $2 where profile_id = $1 and scopes = $3', [
    profileId,
    partner.id,
    appScopes,
  ])
  await recordPartnerExport(askWith(appKey))
  await recordPartner(ask, askWith, partner, owner.email)
  const [connection] = (await ask('listConnections')) as unknown as { id: string }[]
  await ask('disconnectConnection', { params: { id: connection!.id } })
  const second = await makeProfile(owner, workspaceId, { name: 'Acme Lisbon', currency: 'USD' })
  const secondAsk = askWith(await makeKey(app, second, keyScopes))
  await recordPlatforms(app, secondAsk, {
    workspaceId,
    profileId: second,
    ownerEmail: owner.email,
  })
  await askRest(secondAsk, answers, workspaceId)
  const context = { app, ask, askWith, owner, workspaceId, profileId, partner, keyScopes }
  const emails = await recordPeople(context)
  await recordBilling(context)
  await recordIdentity(context)
  await recordSecondProfile(context, secondAsk, second)
  await recordGrowth(context)
  await ask('createDemoProfile', { body: { workspace_id: workspaceId } })

  // An empty list is less useful than a generated example.
  for (const [name, { data }] of Object.entries(answers))
    if (Array.isArray(data) && data.length === 0) delete answers[name]

  const ids = { [profileId]: EXAMPLE_ID }
  const [workspace] = (answers.listWorkspaces!.data as { name: string }[]).map(({ name }) => name)
  const texts = {
    [app.baseUrl]: 'https://whence.example',
    '127.0.0.1': 'whence.example',
    [owner.email]: 'owner@example.com',
    ...emails,
    [workspace!]: 'Acme',
  }
  const machineNow = new Date((startedAt + Date.now()) / 2)
  return presentable(answers, { ids, texts, recordedAt: RECORDED_AT, machineNow })
}

/** Usage of the keys, which the service would write some seconds later. */
async function makeUsage(app: TestApp, profileId: string): Promise<void> {
  await app.pool.query('delete from api_usage')
  await app.pool.query(
    `insert into api_usage (credential_id, day, route, requests, errors)
     select id, $2::date, 'sendEvent', 24, 0 from credentials where profile_id = $1`,
    [profileId, RECORDED_AT.toISOString().slice(0, 10)],
  )
}

/** Context of the later steps. */
export type World = {
  app: TestApp
  ask: Ask
  askWith: (key: string) => Ask
  owner: Person
  workspaceId: string
  profileId: string
  partner: PartnerApp
  keyScopes: readonly Scope[]
}

export type Ask = (name: string, options?: Asked) => Promise<Record<string, unknown>>

async function askReports(ask: Ask, ids: { campaign: string; ad: string }): Promise<void> {
  await ask('listCampaigns')
  await ask('campaignTrend', { query: { entity_ids: ids.campaign } })
  await ask('adTrend', { query: { entity_ids: ids.ad } })
  await ask('getUnattributed')
  const conversions = await ask('listCampaignConversions', { params: { id: ids.campaign } })
  const paid = (conversions as unknown as { conversion_id: string; outcome_type: string }[]).find(
    ({ outcome_type }) => outcome_type === 'payment_received',
  )!
  await ask('explainConversion', { params: { id: paid.conversion_id } })
  await ask('getAd', { params: { id: ids.ad } })
  await ask('comparePlatforms')
  await ask('getAdIdQuality')
  await ask('getOverview')
  await ask('listAdPeople')
  const [ana] = (await ask('listCustomers', { query: { search: 'ana@example.com' } })) as unknown as {
    customer_id: string
  }[]
  await ask('listIdentityLinks', { query: { customer_id: ana!.customer_id } })
  await ask('getAttributionSettings')
  await ask('listGoals')
}

async function askPayments(ask: Ask): Promise<void> {
  const query = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
  const payments = await ask('listPayments', { query })
  const { payment_id } = (payments as unknown as { payment_id: string }[])[0]!
  await ask('listPaymentLinkage', { query })
  await ask('recordRefund', { params: { payment_id }, body: { amount: 20, reason: 'One shirt came back' } })
}

async function askConnections(ask: Ask): Promise<void> {
  const handoff = await ask('mintHandoff', { params: { provider: 'social_ads' }, body: {} })
  await walkConsent(makeVisitor(), String(handoff.start_url), 'approve-one')
  const settled = await ask('getHandoff', { params: { id: handoff.id } })
  const { connection_id: id } = settled.result as { connection_id: string }
  await ask('listConnections')
  await ask('getConnection', { params: { id } })
  await ask('getSyncStatus', { query: { provider: 'social_ads' } })
}

async function askWebhooks(ask: Ask): Promise<void> {
  const { id } = await ask('createWebhookSubscription')
  await ask('listWebhookSubscriptions')
  await ask('updateWebhookSubscription', { params: { id }, body: { events: ['outcome.recorded'] } })
  await ask('testWebhookSubscription', { params: { id }, body: {} })
  await ask('rotateWebhookSecret', { params: { id }, body: { grace_days: 7 } })
  await ask('listWebhookDeliveries')
}

/** Reads without an id for which this business has data. After a refusal the generated example is used. */
async function askRest(
  ask: Ask,
  answers: Record<string, RecordedAnswer>,
  workspaceId: string,
): Promise<void> {
  for (const { entry } of routes) {
    const { name, access, path } = entry
    const isReadable =
      entry.method === 'GET' && entry.file === undefined && entry.retired === undefined && !(name in answers)
    const needsId = [...path.matchAll(/\{(\w+)\}/g)].some(([, param]) => param !== 'workspaceId')
    const isOwn = access.kind === 'profile' || access.kind === 'workspace' || access.kind === 'user'
    if (!isReadable || needsId || !isOwn || ('operator' in access && access.operator)) continue
    const data = await ask(name, { params: { workspaceId }, query: exampleOf(entry)?.query ?? {} }).catch(
      () => null,
    )
    if (data === null || (Array.isArray(data) && data.length === 0)) delete answers[name]
  }
}
