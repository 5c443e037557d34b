import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace, type Person, refusalOf } from '../../../../test/make.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { getPacing, setPacingTarget } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let otherId: string
const today = new Date().toISOString().slice(0, 10)
const month = today.slice(0, 7)

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId, { name: 'Shop', currency: 'EUR', timezone: 'UTC' })
  otherId = await makeProfile(owner, workspaceId, { name: 'Other', currency: 'EUR', timezone: 'UTC' })
  const days = Array.from({ length: 60 }, (_, index) => addDays(today, index - 59))
  await saveRecords(app, profileId, [
    makeEntity('campaign', 'C1', { dailyBudgetMinor: 5000 }),
    makeEntity('campaign', 'C2', { status: 'PAUSED', dailyBudgetMinor: 9000 }),
    ...days.map((day) => makeDelivery('campaign', 'C1', day, { spendMinor: 4800 })),
  ])
})
afterAll(() => app.close())

const read = (query = {}) => owner.call(getPacing, { params: { workspaceId }, query })
const set = (body: Record<string, unknown>) =>
  owner.call(setPacingTarget, {
    params: { workspaceId },
    body: { profile_id: profileId, provider: 'social_ads', month, budget: 2000, ...body },
  })

describe('pacing', () => {
  it('uses the daily budgets of running campaigns until a target is set', async () => {
    const length = (await read()).data[0]!.days.length
    expect((await read()).data).toMatchObject([
      {
        profile_id: profileId,
        provider: 'social_ads',
        currency: 'EUR',
        budget: 50 * length,
        budget_source: 'platform',
        projected_spend: 48 * length,
        status: expect.stringMatching(/under|on/),
      },
    ])
    expect((await set({ budget: '2000.00' })).data).toMatchObject({ budget: 2000, currency: 'EUR' })
    const [row] = (await read()).data
    expect(row).toMatchObject({ budget: 2000, budget_source: 'target' })
    const { rows } = await app.pool.query(
      `select action, detail from audit_log where profile_id = $1 and action = 'pacing.target_set'`,
      [profileId],
    )
    expect(rows).toMatchObject([
      { detail: { before: { budget_minor: null }, after: { budget_minor: 200_000 } } },
    ])
    await set({ budget: null })
    expect((await read()).data[0]).toMatchObject({ budget_source: 'platform' })
  })

  it('does not treat days without a sync as days without spend', async () => {
    const otherWorkspaceId = await makeWorkspace(owner)
    const stalled = await makeProfile(owner, otherWorkspaceId, {
      name: 'Stalled',
      currency: 'EUR',
      timezone: 'UTC',
    })
    const days = Array.from({ length: 40 }, (_, index) => addDays(today, index - 44))
    await saveRecords(app, stalled, [
      makeEntity('campaign', 'C9', { dailyBudgetMinor: 5000 }),
      ...days.map((day) => makeDelivery('campaign', 'C9', day, { spendMinor: 4800 })),
    ])
    const [row] = (await owner.call(getPacing, { params: { workspaceId: otherWorkspaceId } })).data
    expect(row).toMatchObject({
      complete_through: addDays(today, -8),
      projected_spend: 48 * row!.days.length,
    })
  })

  it('a campaign that is paused later keeps the budget of the days on which it ran', async () => {
    const otherWorkspaceId = await makeWorkspace(owner)
    const shop = await makeProfile(owner, otherWorkspaceId, {
      name: 'Paused',
      currency: 'EUR',
      timezone: 'UTC',
    })
    const days = Array.from({ length: 70 }, (_, index) => addDays(today, index - 69))
    await saveRecords(app, shop, [
      makeEntity('campaign', 'C5', { dailyBudgetMinor: 5000 }),
      ...days.map((day) => makeDelivery('campaign', 'C5', day, { spendMinor: 4800 })),
    ])
    const { rows } = await app.pool.query(
      `select day::text, status, daily_budget_minor from campaign_settings_days where profile_id = $1`,
      [shop],
    )
    expect(rows).toMatchObject([{ day: today, daily_budget_minor: 5000 }])
    const before = new Date(Date.parse(`${month}-01`) - 86_400_000).toISOString().slice(0, 7)
    const lastMonth = async () =>
      (await owner.call(getPacing, { params: { workspaceId: otherWorkspaceId }, query: { month: before } }))
        .data[0]!
    const running = await lastMonth()
    await saveRecords(app, shop, [makeEntity('campaign', 'C5', { status: 'PAUSED', dailyBudgetMinor: 5000 })])
    expect(await lastMonth()).toMatchObject({ budget: running.budget, status: running.status })
    expect(running.budget).toBe(50 * running.days.length)
  })

  it('rejects invalid input', async () => {
    expect(await refusalOf(set({ budget: 0 }))).toMatchObject({ status: 422, code: 'validation_error' })
    expect(await refusalOf(read({ month: '2999-01' }))).toMatchObject({ code: 'invalid_parameter' })
    expect((await read({ profile_ids: otherId })).data).toEqual([])
    const stranger = await makePerson(app, 'Stranger')
    const otherProfileId = await makeProfile(stranger, await makeWorkspace(stranger))
    expect(await refusalOf(read({ profile_ids: otherProfileId }))).toMatchObject({ code: 'not_found' })
    expect(await refusalOf(set({ profile_id: otherProfileId }))).toMatchObject({ code: 'not_found' })
  })

  it('shows a viewer only accessible profiles, and does not let them set targets', async () => {
    const viewer = await makePerson(app, 'Viewer')
    await app.service.db
      .insertInto('workspace_members')
      .values({ workspace_id: workspaceId, user_id: viewer.id, role: 'viewer', created_at: new Date() })
      .execute()
    const asViewer = () => viewer.call(getPacing, { params: { workspaceId } })
    expect((await asViewer()).data).toHaveLength(1)
    const body = { profile_id: profileId, provider: 'social_ads', month, budget: 10 } as const
    const attempt = viewer.call(setPacingTarget, { params: { workspaceId }, body })
    expect(await refusalOf(attempt)).toMatchObject({ status: 403, code: 'forbidden' })
    // Permissions of a profile membership replace those of the role.
    await app.service.db
      .insertInto('profile_members')
      .values({
        id: viewer.id,
        profile_id: profileId,
        user_id: viewer.id,
        role: 'viewer',
        permissions: ['webhooks:read'],
        created_at: new Date(),
      })
      .execute()
    expect((await asViewer()).data).toEqual([])
  })
})
