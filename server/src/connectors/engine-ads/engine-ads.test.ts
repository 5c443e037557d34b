import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import {
  connect,
  lastDays,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Session, SyncRecord } from '../connector.ts'
import { engineAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === engineAds)!
let running: RunningSandbox
let session: Session
beforeEach(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterEach(() => running.close())

const syncAll = (from: Session) => syncAllPages(engineAds, from)

test('delivery of the three levels agrees to the minor unit, and each row has its entity', async () => {
  const records = await syncAll(session)
  const delivery = records.filter((record) => record.type === 'delivery')
  expect(new Set(delivery.map(({ day }) => day)).size).toBe(11)
  const spend = (level: string) =>
    delivery.filter((row) => row.level === level).reduce((sum, { spendMinor }) => sum + spendMinor, 0)
  expect(spend('campaign')).toBeGreaterThan(0)
  expect(spend('ad_set')).toBe(spend('campaign'))
  expect(spend('ad')).toBe(spend('campaign'))
  const entityKeys = new Set(
    records.flatMap((record) =>
      record.type === 'ad_entity' ? [`${record.level} ${record.externalId}`] : [],
    ),
  )
  for (const { level, externalId } of delivery) expect(entityKeys).toContain(`${level} ${externalId}`)
})

test('a campaign has its objective, its ads have creative, audience and placement', async () => {
  const records = await syncAll(session)
  const campaigns = records.filter((record) => record.type === 'ad_entity' && record.level === 'campaign')
  const objectives = Object.fromEntries(
    campaigns.map((record) => (record.type === 'ad_entity' ? [record.name, record.objective] : [])),
  )
  expect(objectives).toEqual({
    'Search | Brand': 'sales',
    'Search | Kitchen renovation': 'leads',
    'Shopping | Accessories': 'sales',
    'Search | Competitors': 'traffic',
    'Search | Summer sale': 'traffic',
  })
  const details = records.filter((record) => record.type === 'ad_detail')
  const targetings = details.filter((detail) => detail.kind === 'targeting')
  const ofCampaigns = targetings.filter(({ level }) => level === 'campaign')
  expect(new Set(ofCampaigns.map(({ geo, placement }) => `${geo} ${placement}`))).toEqual(
    new Set(['2840 search', '2840 shopping']),
  )
  const ofAdGroups = targetings.filter(({ level }) => level === 'ad_set')
  expect(new Set(ofAdGroups.map(({ audienceWarmth }) => audienceWarmth))).toEqual(new Set(['cold', 'warm']))
  const creatives = details.filter((detail) => detail.kind === 'creative')
  expect(creatives.length).toBeGreaterThan(10)
  for (const creative of creatives) {
    expect(creative.landingHost).toBe('harborandpine.example')
    expect(creative.aspectRatioMilli === null).toBe(creative.format !== 'static')
  }
  const attention = details.filter((detail) => detail.kind === 'attention')
  expect(attention.length).toBeGreaterThan(100)
  expect(attention.every(({ linkClicks }) => linkClicks !== null)).toBe(true)
})

test('an account below a manager is offered with its login customer id', async () => {
  const token = await connect(spec, running, 'approve-several')
  const accounts = await engineAds.listAccounts(running.http, running.app, token)
  const managed = accounts.find(({ tokenExtra }) => tokenExtra !== undefined)!
  expect(managed).toMatchObject({ currency: 'JPY', timezone: 'Asia/Tokyo' })
  const bare = { ...session, token, accountId: managed.id }
  await expect(engineAds.sync!.page(bare, lastDays, null)).rejects.toMatchObject({
    reason: 'permission_missing',
  })
  const through = { ...bare, token: { ...token, extra: { ...token.extra, ...managed.tokenExtra } } }
  const records = await syncAll(through)
  expect(records.some((record) => record.type === 'delivery' && record.currency === 'JPY')).toBe(true)
})

test('a consent without the permission is refused', async () => {
  await running.sandbox.act('untick_permission', {})
  await expect(connect(spec, running)).rejects.toMatchObject({ reason: 'permission_missing' })
})

test('structure continues after the last id of a full page', async () => {
  const queries: string[] = []
  const http: Session['http'] = {
    ...session.http,
    async send({ body }) {
      const { query } = JSON.parse(String(body)) as { query: string }
      if (query.includes(' FROM campaign ')) queries.push(query)
      const count = queries.length === 1 ? 1000 : 1
      const results = Array.from({ length: count }, (_, index) => ({
        campaign: { id: String(queries.length * 5000 + index) },
      }))
      return { status: 200, headers: {}, bytes: new TextEncoder().encode(JSON.stringify([{ results }])) }
    },
  }
  const at = { ...session, http, currency: 'USD' }
  const first = await engineAds.sync!.page(at, lastDays, null)
  expect(first.records.filter((record) => record.type === 'ad_entity')).toHaveLength(1000)
  const second = await engineAds.sync!.page(at, lastDays, first.cursor)
  expect(queries[1]).toContain('campaign.id > 5999 ')
  expect(second.progress.done).toBe(1)
})

test('the manager is kept through a refresh', async () => {
  const token = { ...session.token, extra: { loginCustomerId: '1' } }
  const renewed = await engineAds.oauth.refresh!(running.http, running.app, token, running.clock.now)
  expect(renewed.extra).toEqual({ loginCustomerId: '1' })
  expect(renewed.refreshToken).toBe(session.token.refreshToken)
})

test('a project without access to real accounts is reported as an error of the deployment, not the person', async () => {
  await running.sandbox.act('test_project', {})
  await expect(engineAds.sync!.page(session, lastDays, null)).rejects.toMatchObject({
    reason: 'unavailable',
    providerCode: 'CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION',
    providerMessage: 'The project may only call test accounts.',
  })
  await running.sandbox.act('reset', {})
})

describe('a stream', () => {
  const streamWith = (status: number, body: unknown) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    const http: Outbound = { send: async () => ({ status, headers: {}, bytes }), close: async () => {} }
    return engineAds.sync!.page({ ...session, http, currency: 'USD' }, lastDays, null)
  }
  const quota = {
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'Resource has been exhausted',
      details: [
        {
          errors: [
            {
              errorCode: { quotaError: 'RESOURCE_EXHAUSTED' },
              message: 'Too many requests. Retry in 900 seconds.',
              details: { quotaErrorDetails: { retryDelay: '900s' } },
            },
          ],
        },
      ],
    },
  }

  test('returns an error as a list of one, with the retry delay', async () => {
    await expect(streamWith(429, [quota])).rejects.toMatchObject({
      reason: 'rate_limited',
      retryAfterSeconds: 900,
      providerMessage: 'Too many requests. Retry in 900 seconds.',
    })
  })

  test('that fails after some rows is not treated as complete', async () => {
    const rows = [{ campaign: { id: '1', name: 'One', status: 'ENABLED' } }]
    await expect(streamWith(200, [{ results: rows }, quota])).rejects.toMatchObject({
      reason: 'rate_limited',
    })
  })

  test.each(['/v21', '/v22', ''])(
    'of the version %j is refused as the deployment’s trouble',
    async (version) => {
      const url = `${running.app.apiBaseUrl}${version}/customers:listAccessibleCustomers`
      const reply = await fetch(url, { headers: { authorization: `Bearer ${session.token.accessToken}` } })
      expect(reply.status).toBe(400)
      expect(JSON.stringify(await reply.json())).toContain('UNSUPPORTED_VERSION')
    },
  )
})

describe('writes', () => {
  const campaign = (externalId: string) => ({ level: 'campaign', externalId }) as const

  test.each(['ad_set', 'ad'] as const)(
    'an entity of the level %s is paused, resumed and listed so',
    async (level) => {
      const listed = async () =>
        (await syncAllPages(engineAds, session)).filter(
          (record) => record.type === 'ad_entity' && record.level === level,
        ) as Extract<SyncRecord, { type: 'ad_entity' }>[]
      const { externalId } = (await listed()).find((record) => record.status === 'ACTIVE')!
      const target = { level, externalId }
      const statuses = new Map((await listed()).map((record) => [record.externalId, record.status]))
      await engineAds.ads!.setStatus(session, target, 'PAUSED')
      expect(await engineAds.ads!.readStatus(session, target)).toMatchObject({ status: 'PAUSED' })
      statuses.set(externalId, 'PAUSED')
      expect(new Map((await listed()).map((record) => [record.externalId, record.status]))).toEqual(statuses)
      await engineAds.ads!.setStatus(session, target, 'ACTIVE')
      expect(await engineAds.ads!.readStatus(session, target)).toMatchObject({ status: 'ACTIVE' })
      const unknown = engineAds.ads!.readStatus(session, { level, externalId: '1' })
      await expect(unknown).rejects.toMatchObject({ reason: 'not_found' })
    },
  )

  const campaignOf = async (status: string) => {
    const { records } = await engineAds.sync!.page(session, lastDays, null)
    const entity = records.find((record) => record.type === 'ad_entity' && record.status === status)
    return (entity as Extract<SyncRecord, { type: 'ad_entity' }>).externalId
  }

  test('pausing, resuming and a new budget are read back live, in one call', async () => {
    const id = await campaignOf('ACTIVE')
    await engineAds.ads!.setStatus(session, campaign(id), 'PAUSED')
    await engineAds.ads!.setBudget(
      session,
      { level: 'campaign', externalId: id },
      { type: 'daily', amountMinor: 7755 },
    )
    const counted: string[] = []
    const http: Session['http'] = {
      ...session.http,
      send(request) {
        counted.push(request.url)
        return session.http.send(request)
      },
    }
    expect(await engineAds.ads!.readStatus({ ...session, http }, campaign(id))).toMatchObject({
      status: 'PAUSED',
      dailyBudgetMinor: 7755,
    })
    expect(counted).toHaveLength(1)
    await engineAds.ads!.setStatus(session, campaign(id), 'ACTIVE')
    expect(await engineAds.ads!.readStatus(session, campaign(id))).toMatchObject({ status: 'ACTIVE' })
    expect(running.sandbox.writes()).toMatchObject([
      { status: 'PAUSED' },
      { amountMicros: '77550000' },
      { status: 'ENABLED' },
    ])
  })

  test('an unknown campaign and a non-numeric id are not found', async () => {
    await expect(engineAds.ads!.readStatus(session, campaign('1'))).rejects.toMatchObject({
      reason: 'not_found',
    })
    await expect(engineAds.ads!.readStatus(session, campaign('1 OR 1=1'))).rejects.toMatchObject({
      reason: 'not_found',
    })
  })

  test('an ad group has no budget', async () => {
    const target = { level: 'ad_set', externalId: '1' } as const
    await expect(engineAds.ads!.readBudget(session, target)).rejects.toMatchObject({ reason: 'rejected' })
  })

  test('a budget that is too small is refused with the platform’s message', async () => {
    const target = { level: 'campaign', externalId: await campaignOf('ACTIVE') } as const
    await expect(
      engineAds.ads!.setBudget(session, target, { type: 'daily', amountMinor: 99 }),
    ).rejects.toMatchObject({ reason: 'rejected', providerCode: 'MONEY_AMOUNT_TOO_SMALL' })
  })
})
