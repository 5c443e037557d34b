import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace, type Person, refusalOf } from '../../../../test/make.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { getTabCounts, markTabSeen, tabs } from './contract.ts'

let app: TestApp
let owner: Person
let params: { workspaceId: string }
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  params = { workspaceId: await makeWorkspace(owner) }
  profileId = await makeProfile(owner, params.workspaceId)
})
afterAll(() => app.close())

const count = async (person = owner) => (await person.call(getTabCounts, { params })).data
const none = Object.fromEntries(tabs.map((tab) => [tab, 0]))

async function plant(at: string): Promise<void> {
  const insert = (text: string, ...values: unknown[]) => app.pool.query(text, values)
  await insert(
    `insert into recommendations (id, profile_id, kind, status, subject, subject_id, action, evidence, confidence,
       created_at, updated_at, expires_at)
     values ($1, $2, 'scale_winner', 'open', '{}', $1, '{}', '[]', 0.5, ${at}, ${at}, now() + interval '1 day')`,
    uuidv7(),
    profileId,
  )
  await insert(
    `insert into merge_proposals (id, profile_id, first_id, second_id, score, shared_kinds, status, created_at)
     values ($1, $2, $3, $4, 50, '{1}', 'open', ${at})`,
    uuidv7(),
    profileId,
    uuidv7(),
    uuidv7(),
  )
  await insert(
    `insert into connections (id, profile_id, provider, external_id, display_name, status, scopes, token_version,
       authorized_at, created_at, updated_at)
     values ($1, $2, 'cardpay', gen_random_uuid()::text, 'Card', 'reconnect_required', '{}', 1, ${at}, now() - interval '1 year', ${at})`,
    uuidv7(),
    profileId,
  )
  await insert(
    `insert into client_reports (profile_id, id, batch_id, period, date_from, date_to, model, format, language,
       sends, needs_approval, status, created_at, ready_at)
     values ($1, $2, $2, 'last_7_days', '2026-05-01', '2026-05-07', 'last_touch', 'pdf', 'en', false, false,
       'ready', ${at}, ${at})`,
    profileId,
    uuidv7(),
  )
}

async function score(day: string, finished: string, ads: readonly string[]): Promise<void> {
  await app.pool.query(
    `insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at, finished_at)
     values ($1, $2, 'done', 1, 1, $3, '{}', ${finished}, ${finished})`,
    [profileId, day, ads.length],
  )
  for (const ad of ads)
    await app.pool.query(
      `insert into ad_scores (profile_id, day, ad_id, score_window, facts, fatigue, format, has_video,
         maturity_stage, objective, primary_outcome_kind, spend_minor, truth_grade)
       values ($1, $2, $3, '28d', '{}', 'none', 'image', false, 'early', 'sales', 'cash', 1, 'A')`,
      [profileId, day, ad],
    )
}

it('counts new items per tab since each person last viewed it', async () => {
  expect((await count()).tabs).toEqual(none)
  await plant(`now() - interval '40 days'`)
  expect((await count()).tabs).toEqual(none)
  await plant(`now() - interval '1 day'`)
  const planted = { ...none, recommendations: 1, proposals: 1, connections: 1, reports: 1 }
  expect((await count()).tabs).toEqual(planted)
  const seen = await owner.call(markTabSeen, { params: { ...params, tab: 'proposals' }, body: {} })
  const after = await count()
  expect(after.tabs).toEqual({ ...planted, proposals: 0 })
  expect(after.since.proposals).toBe(seen.data.seen_at)
  const viewer = await makePerson(app, 'Viewer')
  await app.pool.query(
    "insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'viewer', now())",
    [params.workspaceId, viewer.id],
  )
  expect((await count(viewer)).tabs).toEqual(planted)
})

it('an ad is new if the scoring before the last view did not include it', async () => {
  const [first, second, third] = [uuidv7(), uuidv7(), uuidv7()]
  await score('2026-05-01', `now() - interval '60 days'`, [first])
  await score('2026-05-02', `now() - interval '1 day'`, [first, second, third])
  expect((await count()).tabs).toMatchObject({ top_performers: 2, patterns: 1 })
  await owner.call(markTabSeen, { params: { ...params, tab: 'top_performers' }, body: {} })
  await owner.call(markTabSeen, { params: { ...params, tab: 'patterns' }, body: {} })
  expect((await count()).tabs).toMatchObject({ top_performers: 0, patterns: 0 })
})

it('refuses people outside the workspace, and unknown tabs', async () => {
  const stranger = await makePerson(app, 'Stranger')
  expect(await refusalOf(count(stranger))).toMatchObject({ status: 404 })
  const unknown = owner.call(markTabSeen, { params: { ...params, tab: 'money' as 'reports' }, body: {} })
  expect((await refusalOf(unknown)).status).toBe(400)
})
