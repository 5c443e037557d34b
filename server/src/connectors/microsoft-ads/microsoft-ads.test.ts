/** One test per trap of Microsoft Advertising. */

import published from '@whence/sandbox/microsoft-ads/published-enums.json' with { type: 'json' }
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import {
  connect,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import { isTimeZone } from '../../platform/contract/zones.ts'
import { ProviderError, type Session, type SyncRecord } from '../connector.ts'
import { withAccount } from './accounts.ts'
import { clickReport } from './clicks.ts'
import { microsoftAds } from './connector.ts'
import { deliveryReports } from './delivery.ts'
import { readReportPage } from './report-pages.ts'
import { reportRequest } from './reports.ts'
import { reportZoneOf, zoneNames, zoneOf } from './time-zones.ts'

const spec = connectorCases.find(({ connector }) => connector === microsoftAds)!
let at: RunningSandbox
let session: Session
beforeEach(async () => {
  at = await startSandbox(spec)
  session = { ...(await openSession(spec, at)), currency: 'USD' }
})
afterEach(() => at.close())

const act = (action: string, args: Record<string, unknown> = {}) => at.sandbox.act(action, args)
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof ProviderError ? error : Promise.reject(error)),
  )
type Of<T extends SyncRecord['type']> = Extract<SyncRecord, { type: T }>
const only = <T extends SyncRecord['type']>(records: readonly SyncRecord[], type: T) =>
  records.filter((record): record is Of<T> => record.type === type)

/** A session that records path and body of every request. */
function watched(noted: { path: string; body: Record<string, unknown> }[]): Session {
  return {
    ...session,
    http: {
      ...at.http,
      send(request) {
        const path = new URL(request.url).pathname.replace('/sandbox/microsoft_ads', '')
        noted.push({ path, body: JSON.parse(String(request.body ?? '{}')) as Record<string, unknown> })
        return at.http.send(request)
      },
    },
  }
}
const query = {
  type: 'AdPerformance',
  columns: deliveryReports.AdPerformance.columns,
  since: '2026-02-20',
  until: '2026-03-01',
}
const idsOf = (rows: Record<string, string>[]) => ({
  records: rows.map(
    (row): SyncRecord => ({
      type: 'search_query',
      day: row.TimePeriod!,
      query: row.AdId!,
      page: null,
      clicks: 0,
      impressions: 0,
      positionMilli: null,
    }),
  ),
  setAside: [],
})
const read = (after: string | null, options: { recordsAPage?: number } = {}) => {
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  return readReportPage(withAccount(session), query, after, idsOf, { wait, ...options }).then((page) => ({
    ...page,
    waits,
  }))
}

describe('compared with the official client', () => {
  test('every requested column is in the published list of its report', () => {
    const columns: Record<string, readonly string[]> = published.reportColumns
    for (const [name, { columns: requested }] of [
      ...Object.entries(deliveryReports),
      [clickReport.type, clickReport] as const,
    ])
      expect(
        requested.filter((column) => !columns[name]!.includes(column)),
        name,
      ).toEqual([])
  })

  test('every time zone of an account has an IANA zone and a name that reports accept', () => {
    expect(zoneNames.toSorted()).toEqual(published.accountTimeZones.toSorted())
    for (const name of published.accountTimeZones) {
      expect(isTimeZone(zoneOf(name)!), name).toBe(true)
      expect(published.reportTimeZones, name).toContain(reportZoneOf(name))
    }
  })

  test('campaigns and ads are requested by published types, all but the reserved one', async () => {
    const noted: { path: string; body: Record<string, unknown> }[] = []
    await syncAllPages(microsoftAds, watched(noted))
    const bodyOf = (path: string) => noted.find((request) => request.path.endsWith(path))!.body
    const campaignTypes = String(bodyOf('Campaigns/QueryByAccountId').CampaignType).split(', ')
    expect(campaignTypes.filter((type) => !published.campaignTypes.includes(type))).toEqual([])
    expect(campaignTypes).toContain('PerformanceMax')
    const adTypes = bodyOf('Ads/QueryByAdGroupId').AdTypes as string[]
    expect(adTypes.toSorted()).toEqual(published.adTypes.filter((type) => type !== 'Image').toSorted())
  })
})

describe('connecting', () => {
  test('offers open accounts with currency, time zone and customer, without closed ones', async () => {
    const accounts = await microsoftAds.listAccounts(
      at.http,
      at.app,
      await connect(spec, at, 'approve-several'),
    )
    expect(accounts.map(({ currency, timezone }) => [currency, timezone])).toEqual([
      ['USD', 'America/New_York'],
      ['EUR', 'Europe/Berlin'],
      ['NZD', 'Pacific/Auckland'],
    ])
    for (const { tokenExtra } of accounts) expect(tokenExtra!.customerId).toMatch(/^\d+$/)
  })

  test('a missing developer token is an error of the deployment, a wrong one looks like an expired consent', async () => {
    const listWith = (extra: Record<string, string>) =>
      refusalOf(microsoftAds.listAccounts(at.http, { ...at.app, extra }, session.token))
    expect(await listWith({})).toMatchObject({
      reason: 'unavailable',
      providerCode: 'developer_token_missing',
    })
    expect(await listWith({ developerToken: 'x' })).toMatchObject({
      reason: 'invalid_grant',
      providerCode: 'InvalidCredentials',
    })
  })

  test('each renewal brings a new refresh token, which the next one uses', async () => {
    const first = await microsoftAds.oauth.refresh!(at.http, at.app, session.token, at.clock.now)
    expect(first.refreshToken).not.toBe(session.token.refreshToken)
    expect(first.extra).toEqual(session.token.extra)
    const second = await microsoftAds.oauth.refresh!(at.http, at.app, first, at.clock.now)
    expect(second.refreshToken).not.toBe(first.refreshToken)
  })

  test('a refresh token that is refused once and accepted on retry does not require reconnecting', async () => {
    await act('refuse_refresh', { times: 1 })
    const renewed = await microsoftAds.oauth.refresh!(at.http, at.app, session.token, at.clock.now)
    expect(renewed.accessToken).not.toBe(session.token.accessToken)
    await act('refuse_refresh', { times: 2 })
    const refusal = await refusalOf(microsoftAds.oauth.refresh!(at.http, at.app, renewed, at.clock.now))
    expect(refusal?.reason).toBe('invalid_grant')
  })
})

describe('structure', () => {
  test('ids stay text: longer than a JavaScript number', async () => {
    const ads = only(await syncAllPages(microsoftAds, session), 'ad_entity').filter(
      ({ level }) => level === 'ad',
    )
    expect(ads.length).toBeGreaterThan(5)
    for (const { externalId } of ads) expect(externalId).toMatch(/^\d{18}$/)
  })

  test('an ad has its headlines, descriptions, landing URL and parameters', async () => {
    await act('account_suffix', { suffix: 'utm_source=bing&ad_id={AdId}' })
    const records = await syncAllPages(microsoftAds, session)
    const creatives = only(records, 'ad_detail').flatMap((detail) =>
      detail.kind === 'creative' ? [detail] : [],
    )
    expect(creatives.length).toBeGreaterThan(5)
    for (const { title, body, landingHost, urlTags } of creatives) {
      expect(title).toContain(' | ')
      expect(body).not.toBeNull()
      expect(landingHost).toBe('harborandpine.example')
      expect(urlTags).toContain('ad_id={AdId}')
    }
    expect(new Set(creatives.map(({ format }) => format))).toEqual(new Set(['search', 'static']))
    // A campaign's suffix wins over the account's, and a tracking template is used if there is no suffix.
    expect(creatives.some(({ urlTags }) => urlTags!.includes('campaign_id={CampaignId}'))).toBe(true)
  })
})

describe('spend', () => {
  const spendOf = (records: readonly SyncRecord[], level: string) =>
    only(records, 'delivery')
      .filter((record) => record.level === level)
      .reduce((sum, { spendMinor }) => sum + spendMinor, 0)

  test('ad groups and asset groups sum to the campaigns; deleted ads keep their spend', async () => {
    const records = await syncAllPages(microsoftAds, session)
    expect(spendOf(records, 'campaign')).toBeGreaterThan(10_000)
    expect(spendOf(records, 'ad_set')).toBe(spendOf(records, 'campaign'))
    const listed = new Set(only(records, 'ad_entity').map(({ externalId }) => externalId))
    const delivery = only(records, 'delivery')
    const deleted = delivery.filter(({ level, externalId }) => level === 'ad' && !listed.has(externalId))
    expect(deleted.length).toBeGreaterThan(0)
    expect(deleted[0]!.entity!.adSetExternalId).not.toBeNull()
    const assetGroups = delivery.filter(
      ({ level, externalId }) => level === 'ad_set' && !listed.has(externalId),
    )
    expect(assetGroups[0]!.entity!.name).toBe('Near me')
  })

  test('rows that differ in an attribute of the same entity and day are one delivery', async () => {
    const before = await syncAllPages(microsoftAds, session)
    for (const { externalId } of only(before, 'ad_entity').filter(({ level }) => level === 'campaign'))
      await act('rename', { campaign_id: externalId, name: `${externalId}, renamed` })
    const after = await syncAllPages(microsoftAds, session)
    const keys = only(after, 'delivery').map(({ level, externalId, day }) => `${level} ${externalId} ${day}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(spendOf(after, 'campaign')).toBe(spendOf(before, 'campaign'))
    const sumOf = (
      records: readonly SyncRecord[],
      field: 'impressions' | 'clicks' | 'platformConversionsMilli',
    ) => only(records, 'delivery').reduce((sum, record) => sum + (record[field] ?? 0), 0)
    for (const field of ['impressions', 'clicks', 'platformConversionsMilli'] as const)
      expect(sumOf(after, field), field).toBe(sumOf(before, field))
  })

  test('a report is requested in the account’s time zone, so that its current day is valid', async () => {
    const accounts = await microsoftAds.listAccounts(
      at.http,
      at.app,
      await connect(spec, at, 'approve-several'),
    )
    const auckland = accounts.find(({ timezone }) => timezone === 'Pacific/Auckland')!
    const token = await connect(spec, at, 'approve-several')
    const there = {
      ...session,
      currency: 'NZD',
      accountId: auckland.id,
      token: { ...token, extra: auckland.tokenExtra! },
    }
    const { ReportRequest } = reportRequest(withAccount(there), query)
    expect(ReportRequest.Time.ReportTimeZone).toBe('AucklandWellington')
    // 2026-03-02 15:30 UTC is the third there.
    const window = { sinceDay: '2026-03-01', untilDay: '2026-03-03' }
    const days = only(await syncAllPages(microsoftAds, there, window), 'delivery').map(({ day }) => day)
    expect(days).toContain('2026-03-03')
    // An account without a time zone uses the default: an empty one is refused.
    const bare = withAccount({ ...there, token: { ...token, extra: { customerId: '1' } } })
    expect(reportRequest(bare, query).ReportRequest.Time.ReportTimeZone).toBe('PacificTimeUSCanadaTijuana')
  })
})

describe('reports', () => {
  test('a report without rows has no URL and is an empty page', async () => {
    const paths: { path: string; body: Record<string, unknown> }[] = []
    const before = { ...query, since: '2020-01-01', until: '2020-01-31' }
    const page = await readReportPage(withAccount(watched(paths)), before, null, idsOf)
    expect(page).toEqual({ records: [], setAside: [], after: null })
    expect(paths.map(({ path }) => path.split('/').at(-1))).toEqual(['Submit', 'Poll'])
  })

  test('a pending report is polled, then kept in the cursor, then the sync is rescheduled', async () => {
    await act('pend_reports', { polls: 2 })
    const soon = await read(null)
    expect([soon.records.length > 50, soon.waits, soon.after]).toEqual([true, [2000, 3000], null])
    await act('forget_reports')
    await act('pend_reports', { polls: 9 })
    const later = await read(null)
    expect(later.records).toEqual([])
    expect(later.after).toMatch(/^\d+:0$/)
    // Six polls so far; the next call continues with the same report instead of requesting another.
    const ready = await read(later.after)
    expect([ready.records.length, ready.waits.length]).toEqual([soon.records.length, 3])
    await act('forget_reports')
    await act('pend_reports', { polls: 99 })
    const endless = await read(null)
    expect(await refusalOf(read(endless.after))).toMatchObject({
      reason: 'rate_limited',
      providerCode: 'report_pending',
      retryAfterSeconds: 60,
    })
  })

  test('a failed or expired report is requested again and read from its beginning', async () => {
    const complete = await read(null)
    const half = await read(null, { recordsAPage: 20 })
    await act('forget_reports')
    const again = await read(half.after, { recordsAPage: 20 })
    expect(again.records).toEqual(complete.records.slice(0, 20))
    expect(again.after).not.toBe(half.after)
    await act('fail_reports', { times: 1 })
    expect((await read(null)).records).toEqual(complete.records)
    await act('fail_reports', { times: 2 })
    expect(await refusalOf(read(null))).toMatchObject({
      reason: 'unavailable',
      providerCode: 'report_failed',
    })
  })

  test('a page continues where the previous one ended', async () => {
    const complete = await read(null)
    const records: SyncRecord[] = []
    let after: string | null = null
    do {
      const page = await read(after, { recordsAPage: 30 })
      expect(page.records.length).toBeLessThanOrEqual(30)
      records.push(...page.records)
      after = page.after
    } while (after !== null)
    expect(records).toEqual(complete.records)
  })

  test('an expired URL is requested again and never receives our token', async () => {
    const complete = await read(null)
    let downloads = 0
    const http: Session['http'] = {
      ...at.http,
      async send(request) {
        if (request.url.includes('/download/')) {
          expect(request.headers?.authorization).toBeUndefined()
          downloads += 1
          if (downloads === 1) await act('expire_downloads')
        }
        return at.http.send(request)
      },
    }
    const page = await readReportPage(withAccount({ ...session, http }), query, null, idsOf)
    expect([page.records, downloads]).toEqual([complete.records, 2])
  })

  test('a report is fetched only over TLS from Microsoft’s hosts', async () => {
    const fetchedFrom = async (address: string) => {
      const fetched: string[] = []
      const send: Session['http']['send'] = async (request) => {
        if (request.url === address) {
          fetched.push(request.url)
          return { status: 503, headers: {}, bytes: Buffer.alloc(0) }
        }
        const reply = await at.http.send(request)
        if (!request.url.endsWith('/Poll')) return reply
        const text = Buffer.from(reply.bytes)
          .toString()
          .replace(/http:\/\/127[^"]+/, address)
        return { ...reply, bytes: Buffer.from(text) }
      }
      const there = withAccount({ ...session, http: { ...at.http, send } })
      const refusal = await refusalOf(readReportPage(there, query, null, idsOf))
      return [fetched.length, refusal?.message]
    }
    for (const address of [
      'http://169.254.169.254/x',
      'http://download.api.bingads.microsoft.com/x',
      'https://reports.example/x',
      'https://download.bingads.microsoft.com.example/x',
      'https://evilblob.core.windows.net/x',
    ])
      expect(await fetchedFrom(address), address).toEqual([0, 'The report has an unsafe download URL'])
    for (const address of [
      'https://download.api.bingads.microsoft.com/x',
      'https://bingadsappsstorageprod.blob.core.windows.net:443/x?sig=y',
    ])
      expect((await fetchedFrom(address))[0], address).toBe(1)
  })

  test.each([
    ['call_rate', 'CallRateExceeded', 60],
    ['concurrent', 'ConcurrentRequestOverLimit', 60],
    ['incomplete', 'ReportingServiceNoCompleteDataAvaliable', 900],
  ])('%s is reported with a retry delay', async (kind, providerCode, retryAfterSeconds) => {
    await act('refuse', { with: kind, times: 4 })
    expect(await refusalOf(read(null))).toMatchObject({
      reason: 'rate_limited',
      providerCode,
      retryAfterSeconds,
    })
  })
})
