import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makePerson, makeWorkspace, type Person } from '../../../../test/make.ts'
import { jobs } from '../../../app.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { listCreativeDimensions } from '../../advice/creative-patterns/contract.ts'
import { listExperiments } from '../../advice/experiments/contract.ts'
import { getPacing } from '../../advice/pacing/contract.ts'
import { listRecommendations, undoRecommendation } from '../../advice/recommendations/contract.ts'
import { listTopPerformers } from '../../advice/top-performers/contract.ts'
import { listMergeProposals } from '../../corrections/identity-review/contract.ts'
import { listConversations } from '../../facts/conversations/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { getRealtime } from '../../insights/visitors/contract.ts'
import { listConnections } from '../../sources/connections/contract.ts'
import { listNotifications } from '../notifications/contract.ts'
import { createDemoProfile, deleteDemoProfile } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
/** The sandbox's data depends on the date, so the test uses a fixed one. */
const OPENED_AT = Date.parse('2036-05-14T15:30:00Z')

beforeAll(async () => {
  app = await startTestApp({ SANDBOX: 'on' }, async (connectionString) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query('insert into service_clock (id, offset_ms) values (1, $1)', [OPENED_AT - Date.now()])
    await client.end()
    return connectionString
  })
  owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner)
})
afterAll(() => app.close())

it('seeds a plausible business through the real connectors once, and deletes it again', async () => {
  const created = await owner.call(createDemoProfile, { body: { workspace_id: workspaceId } })
  const repeated = await owner.call(createDemoProfile, { body: { workspace_id: workspaceId } })
  expect(repeated.data).toMatchObject({ profile_id: created.data.profile_id, created: false })
  await drainJobs(app.service, jobs)
  const profileId = created.data.profile_id
  await app.service.processor.settled(profileId)
  const connections = await owner.call(listConnections, { query: { profile_id: profileId } })
  expect(
    connections.data.map((row) => [row.channel, row.status, row.sync.state, row.sync.last_error]),
  ).toEqual(
    expect.arrayContaining(
      ['social_ads', 'engine_ads', 'crmsuite', 'cardpay', 'regionalpay', 'storefront'].map((channel) => [
        channel,
        'connected',
        'idle',
        null,
      ]),
    ),
  )
  const { rows } = await sql<{ source: string; spend: number; credited: number; outcomes: number }>`
    select e.source, sum(d.spend)::bigint as spend, sum(c.minor)::bigint as credited, max(c.outcomes)::int as outcomes
    from ad_entities e
    left join (select entity_id, sum(report_spend_minor) as spend from ad_delivery where profile_id = ${profileId} group by 1) d on d.entity_id = e.id
    left join (select entity_id, sum(last_touch_minor) filter (where revenue_type like 'cash%') as minor, count(distinct outcome_type) as outcomes
      from credit_daily where profile_id = ${profileId} and level = 'campaign' group by 1) c on c.entity_id = e.id
    where e.profile_id = ${profileId} and e.level = 'campaign' group by 1 order by 1`.execute(app.service.db)
  expect(rows.map((row) => row.source)).toEqual(['engine_ads', 'social_ads'])
  for (const row of rows) {
    expect(row.spend).toBeGreaterThan(100_000)
    expect(row.credited).toBeGreaterThan(row.spend)
    expect(row.outcomes).toBeGreaterThanOrEqual(4)
  }
  // A click in a provider's record never becomes a visit at the time of the payment.
  const echoes = await sql<{ reported: number; at_payment: number }>`
    select count(*)::int as reported, count(p.id)::int as at_payment from touches t
    left join payments p on p.profile_id = ${profileId} and p.event_id = t.id and p.occurred_at = t.occurred_at
    where t.profile_id = ${profileId} and t.reported_at is not null`.execute(app.service.db)
  expect(echoes.rows[0]!.reported).toBeGreaterThan(10)
  expect(echoes.rows[0]!.at_payment).toBe(0)
  await expectPages(profileId)
  await owner.call(deleteDemoProfile, { query: { workspace_id: workspaceId } })
  const remaining = await sql<{
    n: number
  }>`select count(*)::int as n from events where profile_id = ${profileId}`.execute(app.service.db)
  expect(remaining.rows[0]!.n).toBe(0)
  await expect(owner.call(deleteDemoProfile, { query: { workspace_id: workspaceId } })).rejects.toMatchObject(
    { status: 404 },
  )
}, 400_000)

/** Checks the content of each page of a new demo through the requests of the page. */
async function expectPages(profileId: string): Promise<void> {
  const profile = { query: { profile_id: profileId } }
  const workspace = { params: { workspaceId } }
  await app.service.processor.settled(profileId)

  // Creatives: scored for ten weeks, with images; some are mature, some show fatigue, some have a lift study.
  const { rows: runs } = await sql<{ days: number; first: number }>`
    select count(*)::int as days, (max(day) - min(day))::int as first from ad_score_runs
    where profile_id = ${profileId} and state = 'done'`.execute(app.service.db)
  expect(runs[0]).toMatchObject({ first: 70 })
  expect(runs[0]!.days).toBeGreaterThanOrEqual(17)
  const { data: ads, meta } = await owner.call(listTopPerformers, {
    query: { ...profile.query, limit: '50' },
  })
  expect(meta.as_of).toBe('2036-05-13')
  expect(ads.length).toBeGreaterThan(30)
  const tired = ads.filter(({ fatigue_risk_tier: tier }) => tier.value === 'high')
  expect(tired.length).toBeGreaterThan(0)
  expect(ads.filter(({ maturity_stage: stage }) => stage === 'mature').length).toBeGreaterThan(5)
  expect(new Set(ads.map((ad) => ad.truth_grade))).toContain('lift')
  // A search ad has text and no image.
  for (const ad of ads)
    expect(
      ad.creative_thumbnail_url !== null || ad.creative_format === 'responsive_search_ad',
      ad.ad_name ?? '',
    ).toBe(true)

  // Patterns: the sandbox's customer quotes sell best, and the patterns detect it.
  const { data: traits } = await owner.call(listCreativeDimensions, { ...workspace, query: {} })
  const winning = traits.filter(({ verdict }) => verdict === 'winning')
  expect(winning.map(({ dimension, value }) => `${dimension} ${value}`)).toContain('testimonial yes')

  // Recommendations: a campaign is in one of them, so its kinds are never all open; one was applied and has an outcome.
  const { data: open } = await owner.call(listRecommendations, { ...workspace, query: { status: 'open' } })
  expect(open.some(({ kind }) => ['pause_underperformer', 'scale_winner'].includes(kind))).toBe(true)
  expect(open.map(({ kind }) => kind)).toContain('creative_refresh_pre_fatigue')
  const changed = open.flatMap(({ action }) => action.steps.map(({ platform_id: id }) => id))
  expect(new Set(changed).size).toBe(changed.length)
  expect(open.every(({ subject }) => !subject.name.includes('Brand'))).toBe(true)
  const { data: applied } = await owner.call(listRecommendations, {
    ...workspace,
    query: { status: 'applied' },
  })
  expect(applied).toHaveLength(1)
  expect(applied[0]!.prediction).toMatchObject({ observed: expect.any(Number), held: expect.any(Boolean) })
  // It was applied at the platform, so it can be undone.
  const undone = await owner.call(undoRecommendation, { params: { workspaceId, id: applied[0]!.id } })
  expect(undone.data.status).toBe('undone')

  // Experiments, pacing, cohorts and channels.
  const { data: studies } = await owner.call(listExperiments, { ...workspace, query: {} })
  expect(studies.filter(({ verdict }) => verdict === 'positive').length).toBeGreaterThan(0)
  const { data: pacing } = await owner.call(getPacing, { ...workspace, query: {} })
  expect(pacing.map(({ provider }) => provider).sort()).toEqual(['engine_ads', 'social_ads'])
  const range = { ...profile.query, date_from: '2036-04-16', date_to: '2036-05-13' }
  const { data: channels } = await owner.call(getChannels, { query: range })
  expect(channels.length).toBeGreaterThanOrEqual(4)

  // Identity, live and conversations.
  const { data: pairs } = await owner.call(listMergeProposals, profile)
  expect([5, 6]).toContain(pairs.length)
  for (const { first, second } of pairs) expect(first.contact!.last_name).toBe(second.contact!.last_name)
  const { data: live } = await owner.call(getRealtime, profile)
  expect(live.active_visitors).toBeGreaterThanOrEqual(5)
  const { data: talks } = await owner.call(listConversations, profile)
  expect(talks.length).toBeGreaterThan(10)

  // Notifications from the demo's preparation are marked as read.
  const { data: news } = await owner.call(listNotifications, profile)
  expect(news.length).toBeGreaterThan(0)
  expect(news.filter(({ is_unread }) => is_unread)).toEqual([])
}

it('a demo with exported conversions is deleted too, reports kept evidence, and can be created again', async () => {
  const body = { workspace_id: workspaceId }
  const profileId = (await owner.call(createDemoProfile, { body })).data.profile_id
  const now = app.service.clock.now()
  await app.service.db
    .insertInto('conversion_exports')
    .values({
      profile_id: profileId,
      id: uuidv7(now),
      destination_id: uuidv7(now),
      conversion_id: uuidv7(now),
      event_id: uuidv7(now),
      status: 'sent',
      created_at: now,
      settled_at: now,
    })
    .execute()
  await expect(owner.call(deleteDemoProfile, { query: body })).rejects.toMatchObject({
    status: 409,
    code: 'demo_purge_blocked',
  })
  await expect(owner.call(deleteDemoProfile, { query: body })).rejects.toMatchObject({ status: 404 })
  const recreated = await owner.call(createDemoProfile, { body })
  expect(recreated.data.created).toBe(true)
  expect(recreated.data.profile_id).not.toBe(profileId)
})
