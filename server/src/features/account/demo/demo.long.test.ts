import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makePerson, makeWorkspace, type Person } from '../../../../test/make.ts'
import { jobs } from '../../../app.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { listMergeProposals } from '../../corrections/identity-review/contract.ts'
import { listConversations } from '../../facts/conversations/contract.ts'
import { listNotifications } from '../../insights/notifications/contract.ts'
import { listRecommendations } from '../../insights/recommendations/contract.ts'
import { getRealtime } from '../../insights/visitors/contract.ts'
import { listConnections } from '../../sources/connections/contract.ts'
import { createDemoProfile, deleteDemoProfile } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
beforeAll(async () => {
  app = await startTestApp({ SANDBOX: 'on' })
  owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner)
})
afterAll(() => app.close())

it('seeds a believable business through the real connectors, once, and takes it away again', async () => {
  const made = await owner.call(createDemoProfile, { body: { workspace_id: workspaceId } })
  const again = await owner.call(createDemoProfile, { body: { workspace_id: workspaceId } })
  expect(again.data).toMatchObject({ profile_id: made.data.profile_id, created: false })
  await drainJobs(app.service, jobs)
  const profileId = made.data.profile_id
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
  // What a record says of a click is never a visit at the moment of the payment.
  const echoes = await sql<{ reported: number; at_payment: number }>`
    select count(*)::int as reported, count(p.id)::int as at_payment from touches t
    left join payments p on p.profile_id = ${profileId} and p.event_id = t.id and p.occurred_at = t.occurred_at
    where t.profile_id = ${profileId} and t.reported_at is not null`.execute(app.service.db)
  expect(echoes.rows[0]!.reported).toBeGreaterThan(10)
  expect(echoes.rows[0]!.at_payment).toBe(0)
  await expectPast(profileId)
  await owner.call(deleteDemoProfile, { query: { workspace_id: workspaceId } })
  const left = await sql<{
    n: number
  }>`select count(*)::int as n from events where profile_id = ${profileId}`.execute(app.service.db)
  expect(left.rows[0]!.n).toBe(0)
  await expect(owner.call(deleteDemoProfile, { query: { workspace_id: workspaceId } })).rejects.toMatchObject(
    { status: 404 },
  )
}, 400_000)

/** Ten weeks were scored, advice of the past is there with an outcome, duplicates wait, and nothing is unread. */
async function expectPast(profileId: string): Promise<void> {
  const { rows: runs } = await sql<{ days: number; first: number; ads: number }>`
    select count(*)::int as days, (max(day) - min(day))::int as first, max(ads) as ads from ad_score_runs
    where profile_id = ${profileId} and state = 'done'`.execute(app.service.db)
  expect(runs[0]).toMatchObject({ first: 70 })
  expect(runs[0]!.days).toBeGreaterThanOrEqual(17)
  expect(runs[0]!.ads).toBeGreaterThan(30)
  const { data: applied } = await owner.call(listRecommendations, {
    params: { workspaceId },
    query: { status: 'applied' },
  })
  // The sandbox's world ends today, so whether it gives reason for advice depends on the day.
  expect(applied.length).toBeLessThanOrEqual(1)
  for (const { prediction } of applied) expect(prediction).toMatchObject({ held: expect.any(Boolean) })
  const { data: pairs } = await owner.call(listMergeProposals, { query: { profile_id: profileId } })
  expect(pairs.length).toBeGreaterThanOrEqual(3)
  for (const { first, second } of pairs) expect(first.contact!.last_name).toBe(second.contact!.last_name)
  await app.service.processor.settled(profileId)
  const { data: live } = await owner.call(getRealtime, { query: { profile_id: profileId } })
  expect(live.active_visitors).toBeGreaterThanOrEqual(5)
  const { data: talks } = await owner.call(listConversations, { query: { profile_id: profileId } })
  expect(talks.length).toBeGreaterThan(10)
  const { data: news } = await owner.call(listNotifications, { query: { profile_id: profileId } })
  expect(news.length).toBeGreaterThan(0)
  expect(news.filter(({ is_unread }) => is_unread)).toEqual([])
}

it('a demo whose conversions were exported goes too, says what has to stay, and can be made again', async () => {
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
  const again = await owner.call(createDemoProfile, { body })
  expect(again.data.created).toBe(true)
  expect(again.data.profile_id).not.toBe(profileId)
})
