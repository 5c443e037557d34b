import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { refusalOf } from '../../../../test/make.ts'
import { makeShop, type Shop } from '../../../../test/make-shop.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { saveAdDetails } from '../../facts/ads/details.ts'
import { entityId } from '../../facts/ads/entities.ts'
import { listTopPerformers } from './contract.ts'
import { scoreDay } from './score-profile.ts'

const day = '2026-05-30'
const ads = Array.from({ length: 10 }, (_, index) => `A${index}`)

let app: TestApp
let shop: Shop
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  profileId = shop.profileId
  await plant(profileId)
  await score(profileId)
})
afterAll(() => app.close())

const score = (id: string, signal = new AbortController().signal) =>
  scoreDay(
    app.service.db,
    { profileId: id, day },
    { timezone: 'UTC', now: new Date('2026-05-31T06:00:00Z'), signal },
  )

/** Ten ads of one campaign over 40 days; ads with higher numbers have more clicks. */
async function plant(id: string, until = day) {
  const days = Array.from({ length: 40 }, (_, index) => addDays(until, index - 39))
  await saveRecords(app, id, [
    makeEntity('campaign', 'C', { objective: 'sales' }),
    makeEntity('ad_set', 'S', { campaignExternalId: 'C' }),
    ...ads.map((ad) => makeEntity('ad', ad, { campaignExternalId: 'C', adSetExternalId: 'S' })),
    ...ads.flatMap((ad, index) =>
      days.map((date) =>
        makeDelivery('ad', ad, date, { spendMinor: 2000, impressions: 2000, clicks: 20 + index * 4 }),
      ),
    ),
  ])
  await inTransaction(app.service.db, (tx) =>
    saveAdDetails(
      tx,
      id,
      [
        {
          type: 'ad_detail',
          kind: 'targeting',
          level: 'ad_set',
          externalId: 'S',
          audienceWarmth: 'warm',
          geo: 'DE',
          placement: 'instagram',
        },
        ...ads.map((ad, index) => ({
          type: 'ad_detail' as const,
          kind: 'creative' as const,
          externalId: ad,
          format: index < 5 ? 'static' : 'video',
          title: '“We cook together again”',
          body: 'From 99 € and with 20 % off.',
          ctaType: 'SHOP_NOW',
          aspectRatioMilli: 562,
          durationMs: null,
          cardCount: null,
          thumbnailUrl: `http://127.0.0.1:1/${ad}.png`,
          videoId: index < 5 ? null : `v${index}`,
          landingHost: 'shop.example',
        })),
      ],
      new Date(),
    ),
  )
}

const read = async (table: string, id = profileId) =>
  (await app.pool.query(`select * from ${table} where profile_id = $1 order by 2, 3, 4`, [id])).rows

describe('GET /top-performers', () => {
  it('ranks ads within their peer group, with every field of the contract', async () => {
    const { data, meta } = await shop.call(listTopPerformers, { query: {} })
    const withheld = { status: 'withheld', reason: 'insufficient_history' }
    expect(meta).toMatchObject({
      profile_id: profileId,
      as_of: day,
      progress: null,
      model: { top: withheld, pause: withheld, degradation: withheld },
    })
    expect(data).toHaveLength(10)
    expect(data.map((row) => row.ad_external_id)).toEqual([...ads].reverse())
    expect(data[0]).toMatchObject({
      ad_name: 'Name of A9',
      campaign_name: 'Name of C',
      ad_set_name: 'Name of S',
      score_window: '28d',
      video_id: 'v9',
      score_source: 'rules',
      model_version: null,
      truth_grade: 'predicted',
      primary_outcome_kind: 'none',
      cohort_key: 'social|*|sales|*|*|*',
      cohort_n_ads: 10,
      creative_format: 'video',
      hook_type: 'quotation',
      offers: ['percent'],
      spend: 560,
      impressions: 56_000,
      ctr: 2.8,
      top_performer_likelihood: { value: null, status: 'withheld', reason: 'insufficient_history' },
      hazard_30d_pause: { value: null, status: 'withheld', reason: 'insufficient_history' },
    })
    expect(data[0]!.reason_codes[0]).toMatchObject({ layer: 'click_intent', polarity: 'strength' })
    for (const { reason_codes: reasons, layer_percentiles: layers } of data) {
      const away = layers.filter(({ percentile }) => percentile < 0.4 || percentile > 0.6)
      expect(reasons.map(({ polarity: _, ...layer }) => layer)).toEqual(away)
      for (const { percentile, polarity } of reasons)
        expect(polarity).toBe(percentile > 0.6 ? 'strength' : 'weakness')
    }
    // The ads differ in clicks only: the ones in the middle are average in everything.
    expect(data.some(({ reason_codes: reasons }) => reasons.length === 0)).toBe(true)
    expect(data.every(({ layer_percentiles: layers }) => layers.length > 0)).toBe(true)
    expect(data[0]!.creative_thumbnail_url).toContain('/thumbnails/')
  })

  it('applies the filters', async () => {
    const listAdIds = async (query: Record<string, string>) =>
      (await shop.call(listTopPerformers, { query })).data.map((row) => row.ad_external_id)
    expect(await listAdIds({ has_video: 'true' })).toEqual(['A9', 'A8', 'A7', 'A6', 'A5'])
    expect(await listAdIds({ formats: 'static', limit: '2' })).toEqual(['A4', 'A3'])
    expect(await listAdIds({ min_spend: '560.01' })).toEqual([])
    expect(await listAdIds({ window: '7d', min_spend: '140' })).toHaveLength(10)
    expect(await listAdIds({ objectives: 'leads,traffic' })).toEqual([])
    expect(
      await listAdIds({ truth_grades: 'predicted', outcome_kinds: 'none', objectives: 'sales' }),
    ).toHaveLength(10)
    for (const query of [{ window: '3d' }, { limit: '51' }, { truth_grades: 'sure' }, { has_video: 'yes' }])
      expect((await refusalOf(shop.call(listTopPerformers, { query }))).code).toBe('invalid_parameter')
  })

  it('shows nothing to another profile', async () => {
    const other = await makeShop(app)
    const { data, meta } = await other.call(listTopPerformers, { query: {} })
    expect(data).toEqual([])
    expect(meta.as_of).toBeNull()
  })
})

describe('a scoring', () => {
  it('grades ads lift if a finished lift study of their campaign is positive', async () => {
    const gradesOf = async (kind: string, verdict: string | null, isControl = false, proves?: boolean) => {
      const newShop = await makeShop(app)
      await plant(newShop.profileId)
      const cell = { name: 'Test', isControl, percentage: 90, population: 9, campaigns: ['C'], adSets: [] }
      await app.pool.query(
        `insert into experiments (profile_id, id, connection_id, provider, external_id, kind, name, cells, decision, updated_at)
         values ($1, gen_random_uuid(), gen_random_uuid(), 'social_ads', 'x', $2, 'Study', $3, $4, now())`,
        [
          newShop.profileId,
          kind,
          JSON.stringify([cell]),
          verdict === null ? null : JSON.stringify({ verdict, proves }),
        ],
      )
      await score(newShop.profileId)
      const { data } = await newShop.call(listTopPerformers, { query: {} })
      return [...new Set(data.map((row) => row.truth_grade))]
    }
    expect(await gradesOf('lift', 'positive')).toEqual(['lift'])
    expect(await gradesOf('lift', 'inconclusive')).toEqual(['predicted'])
    expect(await gradesOf('lift', null)).toEqual(['predicted'])
    expect(await gradesOf('split', 'positive')).toEqual(['predicted'])
    expect(await gradesOf('lift', 'positive', true)).toEqual(['predicted'])
    expect(await gradesOf('geo', 'positive', false, false)).toEqual(['predicted'])
    expect(await gradesOf('geo', 'positive', false, true)).toEqual(['lift'])
    expect(await gradesOf('geo', 'negative', false, true)).toEqual(['predicted'])
  })

  it('appends the day’s data and never rewrites it', async () => {
    const [days, windows] = [await read('ad_score_days'), await read('ad_score_windows')]
    expect(days).toHaveLength(10)
    expect(windows).toHaveLength(40)
    expect(days[0]).toMatchObject({
      audience_warmth: 'warm',
      geo: 'DE',
      placement: 'instagram',
      objective: 'sales',
    })
    await saveRecords(app, profileId, [
      makeDelivery('ad', 'A0', day, { spendMinor: 1, impressions: 9, clicks: 9 }),
    ])
    await app.pool.query(`update ad_score_runs set state = 'running' where profile_id = $1`, [profileId])
    await score(profileId)
    expect(await read('ad_score_days')).toEqual(days)
    expect(await read('ad_score_windows')).toEqual(windows)
    await plant(profileId)
  })

  it('resumes after an interruption with the same result, unaffected by later data', async () => {
    const hashOf = async (id: string) => (await read('ad_score_runs', id))[0]!.result_hash as string
    const other = await makeShop(app)
    await plant(other.profileId)
    const cut = new AbortController()
    cut.abort()
    await expect(score(other.profileId, cut.signal)).rejects.toThrow()
    const half = await other.call(listTopPerformers, { query: {} })
    expect(half.data).toEqual([])
    expect(half.meta.progress).toMatchObject({ day, steps_total: 9 })
    await score(other.profileId)
    const first = await hashOf(other.profileId)
    const later = ads.map((ad) =>
      makeDelivery('ad', ad, addDays(day, 1), { spendMinor: 9, impressions: 5, clicks: 5 }),
    )
    await saveRecords(app, other.profileId, later)
    for (const table of ['ad_score_runs', 'ad_score_days', 'ad_score_windows', 'ad_scores'])
      await app.pool.query(`delete from ${table} where profile_id = $1`, [other.profileId])
    await score(other.profileId)
    expect(await hashOf(other.profileId)).toBe(first)
  })
})

it('the reply rate uses only accounts that report replies, as of the day', async () => {
  const other = await makeShop(app)
  await plant(other.profileId)
  const talk = (ad: string, account: string, startedAt: string, repliedAt: string | null) =>
    app.pool.query(
      `insert into conversations (profile_id, id, channel, external_id, account_id, referral, started_at, first_reply_at)
       values ($1, gen_random_uuid(), 'pagechat', gen_random_uuid()::text, $2, $3, $4, $5)`,
      [
        other.profileId,
        account,
        JSON.stringify({ source: 'ads', adId: ad, clickId: null }),
        startedAt,
        repliedAt,
      ],
    )
  await talk('A9', 'telling', '2026-05-01T10:00:00Z', null)
  await talk('A9', 'telling', '2026-05-10T10:00:00Z', '2026-05-10T11:00:00Z')
  await talk('A9', 'telling', '2026-05-28T10:00:00Z', '2026-05-28T11:00:00Z')
  await talk('A9', 'telling', '2026-05-29T10:00:00Z', null)
  await talk('A9', 'telling', '2026-05-30T10:00:00Z', '2026-05-31T11:00:00Z')
  await talk('A8', 'silent', '2026-05-28T10:00:00Z', null)
  await talk('A7', 'telling', '2026-05-28T10:00:00Z', null)
  await score(other.profileId)
  const rates = async (window: '7d' | 'lifetime') => {
    const { data } = await other.call(listTopPerformers, { query: { window } })
    return ['A9', 'A8', 'A7', 'A6'].map(
      (ad) => data.find((row) => row.ad_external_id === ad)!.first_reply_rate,
    )
  }
  expect(await rates('7d')).toEqual([0.3333, null, 0, null])
  expect(await rates('lifetime')).toEqual([0.5, null, 0, null])
})

describe('a thumbnail', () => {
  it('is fetched from the platform’s host, re-encoded and stored; a private address is not contacted', async () => {
    const adId = entityId(profileId, 'ad', 'A9')
    const fetchThumbnail = async () => {
      const { data } = await shop.call(listTopPerformers, { query: { limit: '1' } })
      return fetch(data[0]!.creative_thumbnail_url!)
    }
    expect((await fetchThumbnail()).status).toBe(404)
    const url = `${app.service.providers.get('engine_ads')!.app.apiBaseUrl}/creative/1.png`
    await app.pool.query(`update ad_creatives set thumbnail_url = $3 where profile_id = $1 and ad_id = $2`, [
      profileId,
      adId,
      url,
    ])
    const image = await fetchThumbnail()
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(Buffer.from(await image.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
    const { rows } = await app.pool.query(
      `select length(bytes) as size from ad_thumbnails where profile_id = $1`,
      [profileId],
    )
    expect(rows[0]!.size).toBeGreaterThan(100)
    expect((await fetch(image.url.replace(/.\.webp$/, '!.webp'))).status).toBe(404)
  })

  it('an SVG with another content type is not decoded, a PNG is', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const answers = [svg, await sharp(svg).png().toBuffer()]
    const send = vi.spyOn(app.service.imageHttp, 'send')
    const statuses: number[] = []
    for (const [index, bytes] of answers.entries()) {
      send.mockResolvedValueOnce({ status: 200, headers: { 'content-type': 'image/png' }, bytes })
      await app.pool.query(
        `update ad_creatives set thumbnail_url = $3 where profile_id = $1 and ad_id = $2`,
        [profileId, entityId(profileId, 'ad', 'A9'), `https://images.example/${index}.png`],
      )
      const { data } = await shop.call(listTopPerformers, { query: { limit: '1' } })
      statuses.push((await fetch(data[0]!.creative_thumbnail_url!)).status)
    }
    expect(send).toHaveBeenCalledTimes(2)
    send.mockRestore()
    expect(statuses).toEqual([404, 200])
  })
})
