/** Traps of TikTok's API from other integrations, one test each, and the total of an account's spend. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import {
  lastDays,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import { addDays, listDays } from '../../platform/contract/dates.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'
import { ProviderError, type Session, type Sync, type SyncPage, type SyncRecord } from '../connector.ts'
import { tiktokAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === tiktokAds)!
let running: RunningSandbox
let session: Session
let sent: OutboundRequest[]
beforeEach(async () => {
  running = await startSandbox(spec)
  const opened = await openSession(spec, running)
  sent = []
  const http = {
    ...running.http,
    send: (request: OutboundRequest) => {
      sent.push(request)
      return running.http.send(request)
    },
  }
  session = { ...opened, http }
})
afterEach(() => running.close())

const act = (action: string, args: Record<string, unknown> = {}) => running.sandbox.act(action, args)
const refusalOf = async (promise: Promise<unknown>) => {
  const outcome = await promise.catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(ProviderError)
  return outcome as ProviderError
}
const deliveryOf = (records: readonly SyncRecord[], level: string) =>
  records.flatMap((record) => (record.type === 'delivery' && record.level === level ? [record] : []))
const entitiesOf = (records: readonly SyncRecord[]) =>
  records.flatMap((record) => (record.type === 'ad_entity' ? [record] : []))
const sum = (rows: readonly { spendMinor: number }[]) =>
  rows.reduce((total, { spendMinor }) => total + spendMinor, 0)
const billed = async (days: readonly string[]) => {
  let total = 0
  for (const day of days) total += Number((await act('billed', { day, account_id: session.accountId })).minor)
  return total
}
const reports = () =>
  sent.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.includes('/report/'))

describe('spend', () => {
  test('of ads and of GMV Max together equals the billed amount', async () => {
    const records = await syncAllPages(tiktokAds, session)
    const days = listDays(lastDays.sinceDay, lastDays.untilDay)
    expect(sum(deliveryOf(records, 'campaign'))).toBe(await billed(days))
    const gmvMax = entitiesOf(records).find(({ name }) => name === 'Shop | GMV Max')!
    const isGmvMax = ({ externalId }: { externalId: string }) => externalId === gmvMax.externalId
    const campaigns = deliveryOf(records, 'campaign')
    expect(campaigns.filter(isGmvMax)).toHaveLength(days.length)
    const ofAds = sum(campaigns.filter((row) => !isGmvMax(row)))
    expect(sum(deliveryOf(records, 'ad'))).toBe(ofAds)
    expect(sum(deliveryOf(records, 'ad_set'))).toBe(ofAds)
    const entityKeys = new Set(entitiesOf(records).map(({ level, externalId }) => `${level} ${externalId}`))
    for (const { level, externalId } of records.filter((record) => record.type === 'delivery'))
      expect(entityKeys).toContain(`${level} ${externalId}`)
  })

  test('of a deleted ad is kept, with the status deleted', async () => {
    const records = await syncAllPages(tiktokAds, session)
    const deleted = entitiesOf(records).filter(({ status }) => status === 'DELETED')
    expect(deleted).toHaveLength(1)
    const rows = deliveryOf(records, 'ad').filter(({ externalId }) => externalId === deleted[0]!.externalId)
    expect(sum(rows)).toBeGreaterThan(0)
    expect(rows[0]!.entity).toMatchObject({ name: deleted[0]!.name })
  })

  test('each report filters by the status of its own level', async () => {
    await syncAllPages(tiktokAds, session)
    const filters = reports()
      .filter(({ pathname }) => pathname.endsWith('/report/integrated/get/'))
      .map(({ searchParams }) => [
        searchParams.get('data_level'),
        JSON.parse(searchParams.get('filtering')!)[0].field_name,
      ])
    expect(filters).toEqual(
      ['AUCTION', 'RESERVATION'].flatMap((service) => [
        [`${service}_CAMPAIGN`, 'campaign_status'],
        [`${service}_ADGROUP`, 'adgroup_status'],
        [`${service}_AD`, 'ad_status'],
      ]),
    )
  })

  test('is requested 30 days at a time, each day once', async () => {
    const window = { sinceDay: addDays(lastDays.untilDay, -69), untilDay: lastDays.untilDay }
    const records = await syncAllPages(tiktokAds, session, window)
    const ranges = reports().map(({ searchParams }) =>
      listDays(searchParams.get('start_date')!, searchParams.get('end_date')!),
    )
    expect(Math.max(...ranges.map((days) => days.length))).toBe(30)
    expect(sum(deliveryOf(records, 'campaign'))).toBe(
      await billed(listDays(window.sinceDay, window.untilDay)),
    )
  })

  test('a report that is too large (40067) is read with half the days, without lost or duplicate rows', async () => {
    const before = await syncAllPages(tiktokAds, session)
    await act('too_large', { days: 2 })
    const records = await syncAllPages(tiktokAds, session)
    for (const level of ['campaign', 'ad_set', 'ad'])
      expect(deliveryOf(records, level)).toEqual(deliveryOf(before, level))
    await act('too_large', { days: 0 })
    expect((await refusalOf(syncAllPages(tiktokAds, session))).providerCode).toBe('40067')
  })

  test('the value of sales on the website, in the TikTok Shop and in the app is added up', async () => {
    const records = await syncAllPages(tiktokAds, session)
    const [row] = deliveryOf(records, 'ad').filter(
      (delivery) => (delivery.platformConversionValueMinor ?? 0) > 0,
    )
    const metrics = JSON.parse(
      reports()
        .find(({ searchParams }) => searchParams.get('data_level') === 'AUCTION_AD')!
        .searchParams.get('metrics')!,
    ) as string[]
    const values = metrics.filter((metric) => metric.startsWith('total_'))
    expect(values).toEqual([
      'total_complete_payment_rate',
      'total_onsite_shopping_value',
      'total_purchase_value',
    ])
    expect(row!.platformConversionsMilli).not.toBeNull()
  })

  const syncWithSetAside = async () => {
    const setAside: string[] = []
    const readPage: Sync['page'] = async (...args) => {
      const page = await tiktokAds.sync!.page(...args)
      setAside.push(...(page.setAside ?? []).map(({ reason }) => reason))
      return page
    }
    return { records: await syncAllPages({ sync: { page: readPage } }, session), setAside }
  }

  test('of reservation ads is read from their own report, at every level', async () => {
    const { campaign_id: booked } = await act('book_reservation', { account_id: session.accountId })
    const records = await syncAllPages(tiktokAds, session)
    const days = listDays(lastDays.sinceDay, lastDays.untilDay)
    expect(sum(deliveryOf(records, 'campaign'))).toBe(await billed(days))
    const ofLaunch = (level: string) =>
      deliveryOf(records, level).filter(
        ({ externalId, entity }) => externalId === booked || entity?.campaignExternalId === booked,
      )
    expect(ofLaunch('campaign')).toHaveLength(days.length)
    expect(ofLaunch('campaign')[0]).toMatchObject({
      entity: { name: 'Spring launch | TopView' },
      platformConversionsMilli: null,
      platformConversionValueMinor: null,
    })
    const total = sum(ofLaunch('campaign'))
    expect([sum(ofLaunch('ad_set')), sum(ofLaunch('ad'))]).toEqual([total, total])
  })

  test('of reservation ads that TikTok refuses to report is named as missing, and affects nothing else', async () => {
    const { http: platform } = session
    const bytes = Buffer.from('{"code":40001,"message":"Not a managed account","data":{}}')
    const http: Session['http'] = {
      ...platform,
      send: async (request) =>
        request.url.includes('service_type=RESERVATION')
          ? { status: 200, headers: {}, bytes }
          : platform.send(request),
    }
    session = { ...session, http }
    const { records, setAside } = await syncWithSetAside()
    expect(new Set(setAside)).toEqual(
      new Set([expect.stringMatching(/reservation ads .*not included.*Not a managed account/)]),
    )
    expect(sum(deliveryOf(records, 'ad'))).toBeGreaterThan(0)
  })

  test('of GMV Max in many pages uses a single list of stores', async () => {
    const before = await syncAllPages(tiktokAds, session)
    await act('too_large', { days: 2 })
    sent.length = 0
    expect(deliveryOf(await syncAllPages(tiktokAds, session), 'campaign')).toEqual(
      deliveryOf(before, 'campaign'),
    )
    const callsOf = (path: string) => sent.filter(({ url }) => url.includes(path)).length
    expect(callsOf('/gmv_max/report/get/')).toBeGreaterThan(4)
    expect(callsOf('/gmv_max/store/list/')).toBe(1)
  })

  test('of GMV Max campaigns with refused stores is reported missing; an account without campaigns has no notice', async () => {
    const refusal = { path: '/gmv_max/store/list/', code: 40002 }
    await act('refuse', refusal)
    expect((await syncWithSetAside()).setAside).toEqual(['GMV Max spend cannot be read: Refused with 40002'])
    await act('refuse', refusal)
    await act('refuse', { path: '/gmv_max/campaign/get/', code: 40002, times: 2 })
    expect((await syncWithSetAside()).setAside).toEqual([])
  })

  test('of GMV Max that the app may not read is reported missing and affects nothing else', async () => {
    await act('no_gmv_max')
    const { records, setAside } = await syncWithSetAside()
    expect(setAside).toEqual(['GMV Max spend cannot be read: No permission for GMV Max'])
    expect(sum(deliveryOf(records, 'ad'))).toBeGreaterThan(0)
  })
})

describe('the structure', () => {
  test('has Smart+ campaigns with their ad groups and ads, which have no modify_time', async () => {
    const records = await syncAllPages(tiktokAds, session)
    const smart = entitiesOf(records).find(({ name }) => name === 'Accessories | Smart+')!
    const below = entitiesOf(records).filter(
      ({ campaignExternalId }) => campaignExternalId === smart.externalId,
    )
    expect(below.map(({ level }) => level)).toEqual(['ad_set', 'ad_set', 'ad', 'ad', 'ad', 'ad'])
    expect(below.filter(({ level }) => level === 'ad').every(({ creative }) => creative!.body !== null)).toBe(
      true,
    )
    expect(smart).toMatchObject({ objective: 'sales', status: 'ACTIVE', dailyBudgetMinor: 9000 })
  })

  test('is read without Smart+ if the platform refuses it', async () => {
    await act('refuse', { path: '/smart_plus/', code: 40002, times: 3 })
    const records = await syncAllPages(tiktokAds, session)
    expect(entitiesOf(records).some(({ name }) => name === 'Accessories | Smart+')).toBe(false)
    // Its spend still contains campaign, ad group and ad.
    const days = listDays(lastDays.sinceDay, lastDays.untilDay)
    expect(sum(deliveryOf(records, 'campaign'))).toBe(await billed(days))
  })

  test('keeps the 19 digits of ids, and budgets by their mode', async () => {
    const records = await syncAllPages(tiktokAds, session)
    const entities = entitiesOf(records)
    expect(entities.every(({ externalId }) => /^\d{19}$/.test(externalId))).toBe(true)
    const budgets = entities
      .filter(({ level }) => level === 'campaign')
      .map(({ name, dailyBudgetMinor: daily, lifetimeBudgetMinor: lifetime }) => [name, daily, lifetime])
    expect(budgets).toEqual([
      ['Kitchen tips | Traffic', 12_000, null],
      ['Accessories | Website', null, null],
      ['Consultations | Instant form', null, 300_000],
      ['Accessories | Smart+', 9000, null],
      ['Shop | GMV Max', null, null],
    ])
  })

  test('has the image, size and landing page of each ad', async () => {
    const records = await syncAllPages(tiktokAds, session)
    const creatives = records.flatMap((record) =>
      record.type === 'ad_detail' && record.kind === 'creative' ? [record] : [],
    )
    const byFormat = Object.fromEntries(creatives.map((creative) => [creative.format, creative]))
    expect(byFormat.video).toMatchObject({ aspectRatioMilli: 563, durationMs: 14_400, ctaType: 'SHOP_NOW' })
    expect(byFormat.carousel).toMatchObject({ cardCount: 3, aspectRatioMilli: 1911 })
    expect(byFormat.static).toMatchObject({
      landingHost: 'shop.harborandpine.example',
      urlTags: 'utm_source=tiktok&ad_id=__CID__',
    })
    expect(creatives.every(({ thumbnailUrl }) => thumbnailUrl?.includes('/creative/'))).toBe(true)
    const picture = await fetch(byFormat.video!.thumbnailUrl!)
    expect(picture.headers.get('content-type')).toBe('image/png')
  })

  test('is read without images if the files cannot be read', async () => {
    await act('refuse', { path: '/file/', code: 40001, times: 10 })
    const records = await syncAllPages(tiktokAds, session)
    expect(entitiesOf(records).filter(({ level }) => level === 'ad')).toHaveLength(16)
  })
})

describe('an error inside a 200', () => {
  test.each([
    [40105, 'invalid_grant'],
    [40001, 'permission_missing'],
    [40100, 'rate_limited'],
    [40133, 'rate_limited'],
    [40002, 'rejected'],
    [50000, 'unavailable'],
    [51004, 'unavailable'],
    [51041, 'unavailable'],
    [60001, 'unavailable'],
  ])('with code %i is mapped to %s', async (code, reason) => {
    await act('refuse', { path: '/campaign/get/', code })
    expect(await refusalOf(tiktokAds.sync!.page(session, lastDays, null))).toMatchObject({
      reason,
      providerCode: String(code),
    })
  })

  test('40100 in the middle of a sync loses nothing: it resumes from its cursor', async () => {
    const expected = await syncAllPages(tiktokAds, session)
    const records: SyncRecord[] = []
    const refusals: string[] = []
    let cursor: string | null = null
    await act('refuse', { path: '/report/integrated/get/', code: 40100, times: 2 })
    do {
      try {
        const page: SyncPage = await tiktokAds.sync!.page(session, lastDays, cursor)
        records.push(...page.records)
        cursor = page.cursor
      } catch (error) {
        refusals.push((error as ProviderError).reason)
      }
    } while (cursor !== null && refusals.length < 9)
    expect(refusals).toEqual(['rate_limited', 'rate_limited'])
    expect(records).toEqual(expected)
  })

  test('an account outside the consent is a missing permission', async () => {
    const other = { ...session, accountId: '1', currency: 'USD' }
    expect((await refusalOf(tiktokAds.sync!.page(other, lastDays, null))).reason).toBe('permission_missing')
  })
})

describe('pausing and resuming', () => {
  const ids = async () => {
    const entities = entitiesOf(await syncAllPages(tiktokAds, session))
    const idOf = (level: string, name: string) =>
      entities.find((entity) => entity.level === level && entity.name.startsWith(name))!.externalId
    const smart = idOf('campaign', 'Accessories | Smart+')
    const below = (level: string) =>
      entities.find((entity) => entity.level === level && entity.campaignExternalId === smart)!.externalId
    return { idOf, below, smart }
  }

  test('uses the endpoints of the entity’s type', async () => {
    const { idOf, below, smart } = await ids()
    const targets = [
      ['campaign', idOf('campaign', 'Kitchen tips'), '/campaign/status/update/'],
      ['campaign', smart, '/smart_plus/campaign/status/update/'],
      ['campaign', idOf('campaign', 'Shop | GMV Max'), '/campaign/status/update/'],
      ['ad_set', idOf('ad_set', 'Homeowners'), '/adgroup/status/update/'],
      ['ad_set', below('ad_set'), '/smart_plus/adgroup/status/update/'],
      ['ad', idOf('ad', 'Drawer test'), '/ad/status/update/'],
      ['ad', below('ad'), '/smart_plus/ad/status/update/'],
    ] as const
    for (const [level, externalId, path] of targets) {
      const target = { level, externalId }
      expect(await tiktokAds.ads!.readStatus(session, target)).toMatchObject({ status: 'ACTIVE' })
      await tiktokAds.ads!.setStatus(session, target, 'PAUSED')
      expect((await tiktokAds.ads!.readStatus(session, target)).status).toBe('PAUSED')
      expect(running.sandbox.writes().at(-1)).toMatchObject({ id: externalId, path: `/open_api/v1.3${path}` })
      await tiktokAds.ads!.setStatus(session, target, 'ACTIVE')
    }
  })

  test('returns the parent campaign and its budget, and not_found for unknown entities', async () => {
    const { idOf } = await ids()
    const adSet = { level: 'ad_set', externalId: idOf('ad_set', 'Homeowners') } as const
    const campaign = { level: 'campaign', externalId: idOf('campaign', 'Kitchen tips') } as const
    await tiktokAds.ads!.setStatus(session, campaign, 'PAUSED')
    expect(await tiktokAds.ads!.readStatus(session, adSet)).toMatchObject({
      status: 'ACTIVE',
      campaignStatus: 'PAUSED',
    })
    expect(await tiktokAds.ads!.readStatus(session, campaign)).toMatchObject({ dailyBudgetMinor: 12_000 })
    const unknown = { level: 'ad', externalId: '1799999999999999999' } as const
    expect((await refusalOf(tiktokAds.ads!.setStatus(session, unknown, 'PAUSED'))).reason).toBe('not_found')
  })
})

test('a budget keeps its type and is sent to the endpoints of the entity’s type', async () => {
  const entities = entitiesOf(await syncAllPages(tiktokAds, session))
  const idOf = (name: string) => entities.find((entity) => entity.name === name)!.externalId
  const target = (name: string) => ({ level: 'campaign' as const, externalId: idOf(name) })
  await tiktokAds.ads!.setBudget(session, target('Kitchen tips | Traffic'), {
    type: 'daily',
    amountMinor: 12_345,
  })
  await tiktokAds.ads!.setBudget(session, target('Accessories | Smart+'), {
    type: 'daily',
    amountMinor: 5000,
  })
  expect(running.sandbox.writes()).toMatchObject([
    { budget: 123.45, path: '/open_api/v1.3/campaign/update/' },
    { budget: 50, path: '/open_api/v1.3/smart_plus/campaign/update/' },
  ])
  expect(await tiktokAds.ads!.readBudget(session, target('Kitchen tips | Traffic'))).toMatchObject({
    dailyBudgetMinor: 12_345,
    lifetimeBudgetMinor: null,
  })
  const other = tiktokAds.ads!.setBudget(session, target('Consultations | Instant form'), {
    type: 'daily',
    amountMinor: 5000,
  })
  expect((await refusalOf(other)).reason).toBe('rejected')
})

test('the callback is read from auth_code, not from code', () => {
  const read = (query: Record<string, string>) => tiktokAds.oauth.readCallback(running.app, query)
  expect(read({ auth_code: 'a', code: 'b', state: 's' })).toEqual({ type: 'code', code: 'a' })
  expect(read({ code: 'b', state: 's' })).toEqual({ type: 'error' })
})
