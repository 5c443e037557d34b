import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import {
  connect,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import type { Session, SyncRecord } from '../connector.ts'
import { socialAds } from './connector.ts'
import { readMedia } from './creative-reads.ts'

const spec = connectorCases.find(({ connector }) => connector === socialAds)!
let running: RunningSandbox
let session: Session
beforeEach(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterEach(() => running.close())

const syncAll = (sinceDay: string, untilDay: string) =>
  syncAllPages(socialAds, session, { sinceDay, untilDay })

describe('a business login configuration', () => {
  const configured = { ...spec, extra: { ...spec.extra, configId: '77' } }
  test('returns a system user’s token without expiry, which is inspected instead of renewed', async () => {
    const at = await startSandbox(configured)
    try {
      const url = new URL(
        socialAds.oauth.authorizeUrl(at.app, {
          redirectUri: 'r',
          state: 's',
          codeChallenge: 'c',
          shop: null,
        }),
      )
      expect(url.searchParams.get('config_id')).toBe('77')
      expect(url.searchParams.get('scope')).toBeNull()
      const token = await connect(configured, at)
      expect(token).toMatchObject({ expiresAt: null, extra: { tokenKind: 'system_user' } })
      expect(token.scopes).toContain('pages_manage_ads')
      expect(await socialAds.listAccounts(at.http, at.app, token)).toHaveLength(1)
      expect(await socialAds.oauth.refresh!(at.http, at.app, token, at.clock.now)).toEqual(token)
      await at.sandbox.act('revoke', {})
      await expect(socialAds.oauth.refresh!(at.http, at.app, token, at.clock.now)).rejects.toMatchObject({
        reason: 'invalid_grant',
      })
    } finally {
      await at.close()
    }
  })

  test('of another app is not accepted', async () => {
    const at = await startSandbox(spec)
    try {
      const app = { ...at.app, extra: { ...at.app.extra, configId: '78' } }
      const url = socialAds.oauth.authorizeUrl(app, {
        redirectUri: at.redirectUri,
        state: 's',
        codeChallenge: 'c',
        shop: null,
      })
      expect((await fetch(url)).status).toBe(400)
    } finally {
      await at.close()
    }
  })
})

test('every ad has a creative whose thumbnail is an image', async () => {
  const ads = (await syncAll('2026-03-02', '2026-03-02')).flatMap((record) =>
    record.type === 'ad_entity' && record.level === 'ad' ? [record] : [],
  )
  expect(ads.length).toBeGreaterThan(10)
  expect(new Set(ads.map(({ creative }) => creative!.format))).toEqual(
    new Set(['video', 'static', 'carousel']),
  )
  const thumbnail = await fetch(ads[0]!.creative!.thumbnailUrl!)
  expect(thumbnail.headers.get('content-type')).toBe('image/png')
})

test('an ad has creative, targeting, attention and frequency details', async () => {
  const records = await syncAll('2026-02-20', '2026-03-02')
  const details = records.filter((record) => record.type === 'ad_detail')
  const creatives = details.filter((detail) => detail.kind === 'creative')
  const ads = records.filter((record) => record.type === 'ad_entity' && record.level === 'ad')
  expect(creatives).toHaveLength(ads.length)
  for (const creative of creatives) {
    expect(creative.title).not.toBeNull()
    expect(creative.body).not.toBeNull()
    expect(creative.ctaType).not.toBeNull()
    expect(creative.landingHost).toMatch(/harborandpine\.example$/)
    expect(creative.aspectRatioMilli).toBeGreaterThan(500)
    expect(creative.durationMs === null).toBe(creative.format !== 'video')
    expect(creative.videoId === null).toBe(creative.format !== 'video')
    expect(creative.cardCount === null).toBe(creative.format !== 'carousel')
  }
  const targetings = details.filter((detail) => detail.kind === 'targeting')
  expect(new Set(targetings.map((detail) => detail.audienceWarmth))).toEqual(
    new Set(['cold', 'lookalike', 'warm']),
  )
  expect(new Set(targetings.map((detail) => `${detail.geo} ${detail.placement}`))).toEqual(
    new Set(['US automatic', 'US instagram']),
  )
  const attention = details.filter((detail) => detail.kind === 'attention')
  expect(new Set(attention.map(({ day }) => day)).size).toBe(11)
  const videos = new Set(
    creatives.flatMap((creative) => (creative.format === 'video' ? creative.externalId : [])),
  )
  for (const day of attention) {
    expect(day.linkClicks).not.toBeNull()
    expect(day.videoViews === null).toBe(!videos.has(day.externalId))
  }
  const watched = attention.filter((day) => videos.has(day.externalId))
  expect(watched.every((day) => day.videoP25! >= day.videoP50! && day.videoP50! >= day.videoP75!)).toBe(true)
  expect(new Set(attention.map((day) => day.qualityRanking)).size).toBeGreaterThan(1)
  const frequency = details.filter((detail) => detail.kind === 'frequency')
  expect(new Set(frequency.map(({ day }) => day)).size).toBe(11)
  expect(frequency.every(({ frequencyMilli }) => frequencyMilli > 1000)).toBe(true)
})

test('an ad is read without the size of a video that belongs to another page', async () => {
  const media = await readMedia(session, [{ id: '1', creative: { video_id: '404' } }])
  expect(media.videos.size).toBe(0)
})

test('an account that was not approved is not readable', async () => {
  const token = await connect(spec, running, 'approve-several')
  const accounts = await socialAds.listAccounts(session.http, session.app, token)
  const other = accounts.find(({ id }) => id !== session.accountId)!
  const day = { sinceDay: '2026-03-01', untilDay: '2026-03-01' }
  await expect(socialAds.sync!.page({ ...session, accountId: other.id }, day, null)).rejects.toMatchObject({
    reason: 'permission_missing',
  })
  expect(
    (await socialAds.sync!.page({ ...session, token, accountId: other.id }, day, null)).records,
  ).not.toEqual([])
})

describe('writes', () => {
  const campaign = (externalId: string) => ({ level: 'campaign', externalId }) as const

  test.each(['ad_set', 'ad'] as const)(
    'an entity of the level %s is paused, resumed and listed so',
    async (level) => {
      const listed = async () =>
        (await syncAllPages(socialAds, session)).filter(
          (record) => record.type === 'ad_entity' && record.level === level,
        ) as Extract<SyncRecord, { type: 'ad_entity' }>[]
      const { externalId } = (await listed()).find((record) => record.status === 'ACTIVE')!
      const target = { level, externalId }
      const statuses = new Map((await listed()).map((record) => [record.externalId, record.status]))
      await socialAds.ads!.setStatus(session, target, 'PAUSED')
      expect(await socialAds.ads!.readStatus(session, target)).toMatchObject({ status: 'PAUSED' })
      statuses.set(externalId, 'PAUSED')
      expect(new Map((await listed()).map((record) => [record.externalId, record.status]))).toEqual(statuses)
      await socialAds.ads!.setStatus(session, target, 'ACTIVE')
      expect(await socialAds.ads!.readStatus(session, target)).toMatchObject({ status: 'ACTIVE' })
      const unknown = socialAds.ads!.readStatus(session, { level, externalId: '1' })
      await expect(unknown).rejects.toMatchObject({ reason: 'not_found' })
    },
  )

  const campaignOf = async (status: string) => {
    const page = await socialAds.sync!.page(session, { sinceDay: '2026-03-02', untilDay: '2026-03-02' }, null)
    const entity = page.records.find(
      (record) => record.type === 'ad_entity' && record.status === status && record.dailyBudgetMinor !== null,
    )
    return (entity as Extract<SyncRecord, { type: 'ad_entity' }>).externalId
  }

  test('pausing and a new budget are read back live', async () => {
    const id = await campaignOf('ACTIVE')
    await socialAds.ads!.setStatus(session, campaign(id), 'PAUSED')
    await socialAds.ads!.setBudget(
      session,
      { level: 'campaign', externalId: id },
      { type: 'daily', amountMinor: 7700 },
    )
    expect(await socialAds.ads!.readStatus(session, campaign(id))).toMatchObject({
      status: 'PAUSED',
      effectiveStatus: 'PAUSED',
      dailyBudgetMinor: 7700,
      lifetimeBudgetMinor: null,
    })
    expect(running.sandbox.writes()).toMatchObject([
      { id, status: 'PAUSED' },
      { id, daily_budget: '7700' },
    ])
  })

  test('a live read needs only one call if the currency is known', async () => {
    const id = await campaignOf('ACTIVE')
    let calls = 0
    const counting = {
      ...session.http,
      send: (request: Parameters<typeof session.http.send>[0]) => {
        calls += 1
        return session.http.send(request)
      },
    }
    await socialAds.ads!.readStatus({ ...session, http: counting, currency: 'USD' }, campaign(id))
    expect(calls).toBe(1)
  })

  test('an ad set returns its campaign’s status with its budget', async () => {
    const records = await syncAll('2026-03-02', '2026-03-02')
    const adSet = records.find(
      (record) =>
        record.type === 'ad_entity' && record.level === 'ad_set' && record.dailyBudgetMinor !== null,
    ) as Extract<SyncRecord, { type: 'ad_entity' }>
    const read = await socialAds.ads!.readBudget(session, { level: 'ad_set', externalId: adSet.externalId })
    expect(read).toMatchObject({
      status: 'ACTIVE',
      campaignStatus: 'ACTIVE',
      dailyBudgetMinor: adSet.dailyBudgetMinor,
    })
  })

  test('without ads_management the platform refuses and nothing is written', async () => {
    const id = await campaignOf('ACTIVE')
    await running.sandbox.act('decline_permission', { permission: 'ads_management' })
    const writing = socialAds.ads!.setStatus(session, campaign(id), 'PAUSED')
    await expect(writing).rejects.toMatchObject({ reason: 'permission_missing', providerCode: '200' })
    expect(running.sandbox.writes()).toEqual([])
    const renewed = await socialAds.oauth.refresh!(
      session.http,
      session.app,
      session.token,
      running.clock.now,
    )
    expect(renewed.scopes).not.toContain('ads_management')
    expect(session.token.scopes).toContain('ads_management')
  })

  test('a budget below the platform’s minimum is rejected with the platform’s message', async () => {
    const id = await campaignOf('ACTIVE')
    const writing = socialAds.ads!.setBudget(
      session,
      { level: 'campaign', externalId: id },
      { type: 'daily', amountMinor: 99 },
    )
    await expect(writing).rejects.toMatchObject({
      reason: 'rejected',
      providerMessage: 'The budget must be at least 1.00.',
    })
  })

  test('an archived campaign cannot be changed', async () => {
    await expect(
      socialAds.ads!.setStatus(session, campaign(await campaignOf('ARCHIVED')), 'ACTIVE'),
    ).rejects.toMatchObject({ reason: 'rejected' })
  })
})

describe('pages and leads', () => {
  test('a lead is read back with its answers and its ad', async () => {
    await running.sandbox.act('lead', {})
    const [meaning] = socialAds.webhooks!.map(running.webhooks[0]!)
    expect(meaning).toMatchObject({ type: 'read_back', reported: { type: 'lead', fieldData: [] } })
    if (meaning?.type !== 'read_back') throw new Error('unreachable')
    const [lead] = await socialAds.webhooks!.readBack!(session, meaning.resource, meaning.id)
    expect(lead).toMatchObject({ type: 'lead', pageId: meaning.accountId, leadgenId: meaning.id })
    const phone = lead?.type === 'lead' ? lead.fieldData.find(({ name }) => name === 'phone_number') : null
    expect(phone!.values[0]).toMatch(/^p:\+1/)
  })

  test('older leads are read from the pages’ forms, as long as the platform stores them', async () => {
    const [page, other] = await socialAds.pages!.list(session)
    for (const daysAgo of [1, 20, 89, 95])
      await running.sandbox.act('lead', { page_id: page!.id, days_ago: daysAgo, silent: true })
    await running.sandbox.act('lead', { page_id: other!.id, silent: true })
    const leadsOf = async (sinceDay: string) => {
      const window = { sinceDay, untilDay: '2026-03-02', pageIds: [page!.id], leadsOnly: true as const }
      const leads: SyncRecord[] = []
      let cursor: string | null = null
      do {
        const read = await socialAds.sync!.page(session, window, cursor)
        leads.push(...read.records)
        cursor = read.cursor
      } while (cursor !== null)
      return leads
    }
    const leads = await leadsOf('2025-03-02')
    expect(leads).toHaveLength(3)
    expect(leads[0]).toMatchObject({ type: 'lead', pageId: page!.id, adId: expect.stringMatching(/^\d+$/) })
    expect(await leadsOf('2026-02-20')).toHaveLength(1)
    const readable = {
      sinceDay: '2026-03-01',
      untilDay: '2026-03-02',
      pageIds: [page!.id],
      leadsOnly: true as const,
    }
    expect((await socialAds.sync!.page(session, readable, null)).cleared).toEqual([page!.id])
    await running.sandbox.act('decline_permission', { permission: 'pages_manage_ads' })
    const window = {
      sinceDay: '2026-03-01',
      untilDay: '2026-03-02',
      pageIds: [page!.id],
      leadsOnly: true as const,
    }
    expect(await socialAds.sync!.page(session, window, null)).toMatchObject({
      records: [],
      cursor: null,
      setAside: [
        { kind: 'page_leads', externalId: page!.id, reason: expect.stringContaining('pages_manage_ads') },
      ],
    })
  })

  test('a page is subscribed and unsubscribed', async () => {
    const [page] = await socialAds.pages!.list(session)
    await socialAds.pages!.subscribe(session, page!.id, true)
    expect(await running.sandbox.act('subscribed_pages', {})).toEqual({ page_ids: [page!.id] })
    await socialAds.pages!.subscribe(session, page!.id, false)
    expect(await running.sandbox.act('subscribed_pages', {})).toEqual({ page_ids: [] })
    await expect(socialAds.pages!.subscribe(session, '1', true)).rejects.toMatchObject({
      reason: 'not_found',
    })
  })

  test('the challenge is answered only for the configured verify token', () => {
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': '42', 'hub.verify_token': 'a shared word' }
    expect(socialAds.webhooks!.answerChallenge!(running.app, query)).toBe('42')
    expect(socialAds.webhooks!.answerChallenge!(running.app, { ...query, 'hub.verify_token': '' })).toBeNull()
    const unset = { ...running.app, extra: {} }
    expect(socialAds.webhooks!.answerChallenge!(unset, { ...query, 'hub.verify_token': '' })).toBeNull()
  })
})

test('pixels are listed as the platform returns them', async () => {
  const [first, second] = await socialAds.datasets!.listPixels(session)
  expect(first).toMatchObject({ is_unavailable: false, created_at: expect.stringMatching(/[+-]\d{4}$/) })
  expect(second).toMatchObject({ is_unavailable: null, last_fired_at: null, owner_business: null })
})
