/** LinkedIn's traps against the sandbox, one test each. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { makeConversion, noPerson } from '../../../test/export-conversions.ts'
import {
  connect,
  lastDays,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import type { ClearedConversion, Session, SyncPage, SyncRecord } from '../connector.ts'
import { versionEndError, versionEndWarning } from '../versions.ts'
import { linkedinAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector.provider === 'linkedin_ads')!
const day = 86_400_000

let at: RunningSandbox
beforeEach(async () => {
  at = await startSandbox(spec)
})
afterEach(() => at.close())

const syncAll = (session: Session) => syncAllPages(linkedinAds, session)
/** The page without a call that lists what the consent does not cover. */
async function lastPage(session: Session): Promise<SyncPage> {
  let page = await linkedinAds.sync!.page(session, lastDays, null)
  while (page.cursor !== null) page = await linkedinAds.sync!.page(session, lastDays, page.cursor)
  return page
}
const oneConversion = {
  target: { id: '104012', testEventCode: null },
  clear: makeConversion({
    occurredAt: '2026-03-01T10:00:00.500Z',
    person: { ...noPerson, emails: ['ana@example.com'] },
  }) as ClearedConversion,
}
const later = (days: number) => new Date(at.clock.now.getTime() + days * day)
const ofType = <T extends SyncRecord['type']>(records: readonly SyncRecord[], type: T) =>
  records.filter((record): record is Extract<SyncRecord, { type: T }> => record.type === type)

describe('the consent', () => {
  test('lasts 365 days from its first day, however often the token is renewed', async () => {
    let token = await connect(spec, at)
    const ends = later(365).toISOString()
    expect(token.extra.consentEndsAt).toBe(ends)
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      at.clock.now = later(59)
      token = await linkedinAds.oauth.refresh!(at.http, at.app, token, at.clock.now)
      expect(token.extra.consentEndsAt).toBe(ends)
    }
    // Day 354: less than 60 days remain.
    expect(token.expiresAt).toBe(ends)
    at.clock.now = later(12)
    await expect(linkedinAds.oauth.refresh!(at.http, at.app, token, at.clock.now)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
    await expect(linkedinAds.listAccounts(at.http, at.app, token)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('without refresh tokens lasts 60 days, and the token stays as it is until then', async () => {
    await at.sandbox.act('partner', { on: false })
    const token = await connect(spec, at)
    expect(token).toMatchObject({ refreshToken: null, extra: { consentEndsAt: later(60).toISOString() } })
    expect(await linkedinAds.oauth.refresh!(at.http, at.app, token, later(59))).toEqual(token)
    await expect(linkedinAds.oauth.refresh!(at.http, at.app, token, later(60))).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('a refresh token that LinkedIn rejects requires a new consent', async () => {
    const token = await connect(spec, at)
    const unknown = { ...token, refreshToken: 'unknown' }
    await expect(linkedinAds.oauth.refresh!(at.http, at.app, unknown, at.clock.now)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('requests only the scopes of configured products: an app with fewer connects, and its lacks are listed', async () => {
    await at.sandbox.act('app_products', { products: ['advertising'] })
    const whole = at.app
    const request = { redirectUri: at.redirectUri, state: 's', codeChallenge: 'c', shop: null }
    const refused = await fetch(linkedinAds.oauth.authorizeUrl(whole, request), { redirect: 'manual' })
    const query = Object.fromEntries(new URL(refused.headers.get('location')!).searchParams)
    expect(query.error).toBe('unauthorized_scope_error')
    expect(linkedinAds.oauth.readCallback(whole, query, {})).toEqual({ type: 'denied' })
    at.app = { ...whole, extra: { ...whole.extra, products: '' } }
    const token = await connect(spec, at)
    expect(token.scopes).toEqual(['r_ads', 'rw_ads', 'r_ads_reporting'])
    const [account] = await linkedinAds.listAccounts(at.http, at.app, token)
    const session: Session = { http: at.http, app: at.app, token, accountId: account!.id }
    const { setAside, clearedKinds } = await lastPage(session)
    expect(setAside!.map(({ kind, externalId }) => [kind, externalId])).toEqual([
      ['missing_ability', 'leads'],
      ['missing_ability', 'conversions'],
      ['missing_ability', 'ad_texts'],
    ])
    expect(setAside![0]!.reason).toContain('adds lead_sync to extra.products')
    expect(clearedKinds).toEqual(['missing_ability'])
    // The same consent after the operator configured a product: a person must grant it.
    const configured = { ...session, app: whole }
    expect((await lastPage(configured)).setAside![1]!.reason).toContain('Connect again')
    const { clear, target } = oneConversion
    const refusal = linkedinAds.exports!.send(session, target, [clear], at.clock.now)
    await expect(refusal).rejects.toMatchObject({ reason: 'permission_missing' })
  })

  test('with everything granted lacks nothing', async () => {
    expect((await lastPage(await openSession(spec, at))).setAside).toEqual([])
  })

  test('without the permission to read reports is refused', async () => {
    await at.sandbox.act('untick_permission', { scope: 'r_ads_reporting' })
    const token = await connect(spec, at)
    expect(token.scopes).toContain('r_ads')
    await expect(linkedinAds.listAccounts(at.http, at.app, token)).rejects.toMatchObject({
      reason: 'permission_missing',
    })
  })
})

describe('the version', () => {
  test('that LinkedIn no longer serves is reported as such', async () => {
    const session = await openSession(spec, at)
    await at.sandbox.act('end_version', {})
    await expect(linkedinAds.sync!.page(session, lastDays, null)).rejects.toMatchObject({
      reason: 'rejected',
      providerCode: 'api_version_ended',
      message: expect.stringContaining('202608'),
    })
  })

  test('is announced 90 days ahead of its end', () => {
    expect(versionEndWarning('linkedin_ads', '2027-05-16')).toBeNull()
    expect(versionEndWarning('linkedin_ads', '2027-05-17')).toContain('202608')
    expect(versionEndError('linkedin_ads', '2027-08-16')).toContain('was expected to end')
  })
})

describe('structure', () => {
  test('a short page is not the last, and every level has its parent', async () => {
    const entities = ofType(await syncAll(await openSession(spec, at)), 'ad_entity')
    const ids = (level: string) =>
      new Set(entities.filter((entity) => entity.level === level).map(({ externalId }) => externalId))
    expect([ids('campaign').size, ids('ad_set').size, ids('ad').size]).toEqual([3, 6, 16])
    for (const entity of entities) {
      if (entity.level === 'ad_set') expect(ids('campaign')).toContain(entity.campaignExternalId)
      if (entity.level === 'ad') expect(ids('ad_set')).toContain(entity.adSetExternalId)
    }
  })

  test('a creative without content or with a deleted post is an ad without text', async () => {
    const { broken, orphan } = await at.sandbox.act('look', {})
    const ads = ofType(await syncAll(await openSession(spec, at)), 'ad_entity')
    const byId = new Map(ads.map((ad) => [ad.externalId, ad]))
    for (const id of [broken, orphan]) expect(byId.get(String(id))).toMatchObject({ creative: null })
    expect(ads.filter(({ creative }) => creative?.body)).toHaveLength(14)
  })

  test('a post with an image has its URL and aspect ratio, read again at each sync', async () => {
    const records = await syncAll(await openSession(spec, at))
    const pictured = ofType(records, 'ad_entity').filter(({ creative }) => creative?.thumbnailUrl != null)
    expect(pictured.length).toBeGreaterThan(4)
    expect(pictured[0]!.creative!.thumbnailUrl).toMatch(/\/creative\/\d+\.png$/)
    const details = ofType(records, 'ad_detail').filter(
      (detail) => detail.kind === 'creative' && detail.thumbnailUrl,
    )
    expect(details).toHaveLength(pictured.length)
    const isVideo = (detail: (typeof details)[number]) =>
      detail.kind === 'creative' && detail.format === 'video'
    expect(details.find((detail) => !isVideo(detail))).toMatchObject({
      aspectRatioMilli: 1910,
      durationMs: null,
    })
  })

  test('a video has its cover, aspect ratio and duration, whether its cover is a URL or an image URN', async () => {
    const session = await openSession(spec, at)
    const videosOf = async (caller: Session) =>
      ofType(await syncAll(caller), 'ad_detail').filter(
        (detail) => detail.kind === 'creative' && detail.format === 'video',
      )
    const videos = await videosOf(session)
    expect(videos.length).toBeGreaterThan(1)
    for (const video of videos)
      expect(video).toMatchObject({
        thumbnailUrl: expect.stringMatching(/\/creative\/\d+\.png$/),
        aspectRatioMilli: 1778,
        durationMs: 30_000,
      })
    const denial = { status: 403, headers: {}, bytes: Buffer.from('{"status":403,"serviceErrorCode":100}') }
    const http: Session['http'] = {
      ...session.http,
      send: async (request) => (request.url.includes('/rest/videos') ? denial : session.http.send(request)),
    }
    expect(await videosOf({ ...session, http })).toHaveLength(videos.length)
  })

  test('an ad’s URL contains the parameters of its account and its campaign', async () => {
    const session = await openSession(spec, at)
    const addressesOf = async () =>
      ofType(await syncAll(session), 'ad_detail').flatMap((detail) =>
        detail.kind === 'creative' && typeof detail.destinationUrl === 'string'
          ? [{ id: detail.externalId, url: detail.destinationUrl }]
          : [],
      )
    const [plain] = await addressesOf()
    const ads = ofType(await syncAll(session), 'ad_entity')
    const running = ads.find((ad) => ad.level === 'ad' && ad.status === 'ACTIVE' && ad.creative !== null)!
    const parameters = {
      dynamicValueParameters: {
        utm_content: 'CREATIVE_ID',
        utm_id: 'CAMPAIGN_ID',
        utm_term: 'CAMPAIGN_NAME',
      },
      customValueParameters: { utm_source: 'linkedin' },
    }
    await at.sandbox.act('track', { urn: `urn:li:sponsoredCampaign:${running.adSetExternalId}`, parameters })
    const account = { customValueParameters: { utm_source: 'account', utm_medium: 'paid' } }
    await at.sandbox.act('track', {
      urn: `urn:li:sponsoredAccount:${session.accountId}`,
      parameters: account,
    })
    const after = await addressesOf()
    const query = new URL(after.find(({ id }) => id === running.externalId)!.url).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      utm_source: 'linkedin',
      utm_medium: 'paid',
      utm_content: running.externalId,
      utm_id: running.adSetExternalId,
      utm_term: 'CAMPAIGN_NAME',
    })
    expect(plain!.url).not.toContain('utm_source=linkedin')
    // If the parameters cannot be read, ads are stored without them.
    await at.sandbox.act('reset', {})
    at.sandbox.fault({ kind: 'server_error', match: '/rest/adTrackingParameters/', times: 50 })
    expect(await addressesOf()).toHaveLength(after.length)
  })

  test('ads are stored without posts that the consent does not cover', async () => {
    await at.sandbox.act('close_posts', {})
    const ads = ofType(await syncAll(await openSession(spec, at)), 'ad_entity')
    expect(ads.filter(({ level }) => level === 'ad')).toHaveLength(16)
  })
})

describe('delivery', () => {
  test('is read by campaign group, campaign and creative only: demographic rows do not add up', async () => {
    const session = await openSession(spec, at)
    const pivots = new Set<string>()
    const http: Session['http'] = {
      ...session.http,
      send(request) {
        const query = `${new URL(request.url).search}&${typeof request.body === 'string' ? request.body : ''}`
        for (const [, pivot] of query.matchAll(/pivot=\(value:(\w+)\)/g)) pivots.add(pivot!)
        return session.http.send(request)
      },
    }
    await syncAll({ ...session, http })
    expect([...pivots].sort()).toEqual(['CAMPAIGN', 'CAMPAIGN_GROUP', 'CREATIVE'])
  })

  const reportCursor = (step: number) => JSON.stringify({ currency: 'USD', step, after: null })
  /** After the three lists: the report by creative is the third. */
  const byCreative = 5

  async function readStep(session: Session, cursor: string) {
    const records: SyncRecord[] = []
    let pages = 0
    for (let next: string | null = cursor; next !== null && JSON.parse(next).step === byCreative; pages++) {
      const page = await linkedinAds.sync!.page(session, lastDays, next)
      records.push(...page.records)
      next = page.cursor
    }
    return { days: ofType(records, 'delivery'), pages }
  }

  test('the three levels sum to the same money on each day', async () => {
    const rows = ofType(await syncAll(await openSession(spec, at)), 'delivery')
    const sums = new Map<string, Map<string, number>>()
    for (const { level, day: on, spendMinor } of rows) {
      const levels = sums.get(on) ?? new Map<string, number>()
      sums.set(on, levels.set(level, (levels.get(level) ?? 0) + spendMinor))
    }
    expect(sums.size).toBe(11)
    for (const levels of sums.values()) expect(new Set(levels.values()).size).toBe(1)
  })

  test('15,000 rows are never treated as complete: the days are halved until the report is', async () => {
    const session = await openSession(spec, at)
    await at.sandbox.act('fill_report', { campaigns: 20, creatives: 70 })
    const { days, pages } = await readStep(session, reportCursor(byCreative))
    const crowd = days.filter(({ spendMinor, impressions }) => spendMinor === 100 && impressions === 10)
    // 1,400 creatives on 11 days are more than 15,000 rows.
    expect(crowd).toHaveLength(15_400)
    expect(pages).toBe(3)
  })

  test('414 sends the same query in the body', async () => {
    const session = await openSession(spec, at)
    const expected = await readStep(session, reportCursor(byCreative))
    await at.sandbox.act('query_limit', { length: 100 })
    expect(await readStep(session, reportCursor(byCreative))).toEqual(expected)
    expect((await at.sandbox.act('look', {})).tunnelled).toEqual(['/adAnalytics'])
  })

  test('an empty report of an inaccessible account is not treated as a day without spend', async () => {
    const session = await openSession(spec, at)
    await at.sandbox.act('lose_role', {})
    await expect(linkedinAds.sync!.page(session, lastDays, reportCursor(byCreative))).rejects.toMatchObject({
      reason: 'permission_missing',
    })
  })

  test('an empty report of an account without activity is empty', async () => {
    const session = await openSession(spec, at)
    const before = { sinceDay: '2024-01-01', untilDay: '2024-01-02' }
    const page = await linkedinAds.sync!.page(session, before, reportCursor(byCreative))
    expect(page.records).toEqual([])
  })
})

test('a limit that lasts until midnight is not retried within seconds', async () => {
  const session = await openSession(spec, at)
  await at.sandbox.act('reach_limit', {})
  await expect(linkedinAds.sync!.page(session, lastDays, null)).rejects.toMatchObject({
    reason: 'rate_limited',
    retryAfterSeconds: 3600,
  })
  expect(at.pauses).toEqual([])
})
