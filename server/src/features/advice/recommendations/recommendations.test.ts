import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { makePerson, makeWorkspace, type Person, refusalOf } from '../../../../test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { PLANTED_NOW, plantCampaigns } from '../../../../test/planted/campaigns.ts'
import { type PlantedCampaign, plantLoser } from '../../../../test/planted/loser.ts'
import { jobs } from '../../../app.ts'
import {
  applyRecommendation,
  dismissRecommendation,
  listRecommendations,
  undoRecommendation,
} from './contract.ts'
import { differSignificantly, isBrandSearch, propose, scorePrediction } from './rules.ts'

describe('the rules', () => {
  const badCampaigns = (fields: object = {}) =>
    plantCampaigns({ seed: 3, costMinor: 1500, factor: (index) => (index === 0 ? 0.2 : 1) }).map(
      (facts, index) => (index === 0 ? { ...facts, ...fields } : facts),
    )
  const pausesFirst = (campaigns: ReturnType<typeof badCampaigns>) =>
    propose(campaigns, PLANTED_NOW).some((p) => p.kind === 'pause_underperformer' && p.subject.id === 'c0')

  it('pause a clearly bad campaign, but not one that was changed, is paused or has too little data', () => {
    expect(pausesFirst(badCampaigns())).toBe(true)
    // The others differ only by chance.
    expect(propose(badCampaigns(), PLANTED_NOW).map(({ subject }) => subject.id)).toEqual(['c0'])
    expect(pausesFirst(badCampaigns({ unchangedSince: new Date('2026-11-14T09:00:00Z') }))).toBe(false)
    expect(pausesFirst(badCampaigns({ unchangedSince: null }))).toBe(false)
    expect(pausesFirst(badCampaigns({ isRunning: false }))).toBe(false)
    expect(pausesFirst(badCampaigns({ spendMinor: 2000, exposureMinor: 2000, outcomes: 0 }))).toBe(false)
  })
  it('find no difference if chance explains it', () => {
    const toMembers = (counts: number[]) =>
      counts.map((count) => ({ count, exposure: 100, dispersion: { degrees: 20 } }))
    expect(differSignificantly(toMembers([20, 24, 18, 22]))).toBe(false)
    expect(differSignificantly(toMembers([20, 24, 2, 22]))).toBe(true)
    let open = 0
    for (let seed = 0; seed < 60; seed++)
      open += propose(plantCampaigns({ seed }), PLANTED_NOW).length > 0 ? 1 : 0
    expect(open).toBeLessThanOrEqual(4)
  })
  it('move at most a fifth of a budget, and decrease before they increase', () => {
    const proposals = propose(
      plantCampaigns({ seed: 5, costMinor: 1500, factor: (index) => [0.1, 0.2, 3][index] ?? 1 }),
      PLANTED_NOW,
    )
    const move = proposals.find(({ kind }) => kind === 'budget_reallocate_winners')!
    const steps = move.steps.map((step) => (step.write === 'pause' ? 0 : step.toMinor - step.fromMinor))
    expect(steps[0]).toBe(-steps[1]!)
    expect(steps[0]).toBeLessThan(0)
    for (const step of move.steps)
      if (step.write === 'daily_budget')
        expect(Math.abs(step.toMinor / step.fromMinor - 1)).toBeLessThanOrEqual(0.2)
  })
  it('name a campaign in one recommendation at a time', () => {
    for (let seed = 0; seed < 20; seed++)
      for (const factors of [
        [0.2, 3],
        [0.1, 0.2, 3],
        [0.1, 3, 3],
      ]) {
        const world = { seed, costMinor: 1500, factor: (index: number) => factors[index] ?? 1 }
        const named = propose(plantCampaigns(world), PLANTED_NOW).flatMap(({ steps }) =>
          steps.map(({ platformId }) => platformId),
        )
        expect(new Set(named).size).toBe(named.length)
      }
  })
  it('compare no brand search, and name what was counted by which model', () => {
    const best = plantCampaigns({ seed: 5, costMinor: 1500, factor: (index) => (index === 0 ? 3 : 1) })
    const kindsOf = (isBrand: boolean) =>
      propose(
        best.map((facts, index) => ({ ...facts, isBrandSearch: isBrand && index === 0 })),
        PLANTED_NOW,
      ).map(({ kind, subject, evidence }) => [kind, subject.id, evidence[0]])
    expect(kindsOf(false)).toEqual([
      ['scale_winner', 'c0', expect.stringMatching(/^\d+ payments by last touch in 28 settled days\.$/)],
    ])
    expect(kindsOf(true)).toEqual([])
  })
  it.each([
    ['engine_ads', 'Search | Brand', true],
    ['microsoft_ads', 'DE_Marke_exact', true],
    ['engine_ads', 'Hazel & Pine exact', true],
    ['engine_ads', 'Search | Non-Brand', false],
    ['engine_ads', 'Brandy shop', false],
    ['social_ads', 'Brand film', false],
  ])('%s “%s” is brand search: %s', (provider, name, isBrand) => {
    expect(isBrandSearch(provider, name, 'Hazel & Pine')).toBe(isBrand)
  })
  it('score a prediction by the observed result', () => {
    const expected = { metric: 'outcomes_per_day', low: 2, high: 4, basis: '' } as const
    expect(scorePrediction(expected, { outcomes: 42, spendMinor: 1 })).toMatchObject({
      observed: 3,
      held: true,
    })
    expect(scorePrediction(expected, { outcomes: 14, spendMinor: 1 })).toMatchObject({ held: false })
  })
})

describe('at the platform', () => {
  let app: TestApp
  let shop: Shop
  let campaigns: PlantedCampaign[]
  beforeAll(async () => {
    app = await startTestApp()
    shop = await makeShop(app)
    // The sandbox's account is in dollars, and budget steps need the profile's currency.
    await app.pool.query(`update profiles set currency = 'USD' where id = $1`, [shop.profileId])
    await shop.connected('social_ads')
    await drainJobs(app.service, jobs)
    campaigns = await plantLoser(app, shop)
    await daily()
    await moveClock(app, 4 * 86_400)
    await daily()
  })
  afterAll(() => app.close())

  async function daily(): Promise<void> {
    await runSchedule(app.service, jobs, 'recommendations.queue')
    await drainJobs(app.service, jobs)
  }
  const params = () => ({ workspaceId: shop.workspaceId })
  const list = async (status = 'open') =>
    (await shop.owner.call(listRecommendations, { params: params(), query: { status } })).data
  const takeAction = (entry: typeof applyRecommendation, id: string) =>
    shop.owner.call(entry, { params: { ...params(), id } })
  const liveStatus = async (id: string) => {
    const reply = await fetch(`${app.baseUrl}/sandbox/writes`)
    const { data } = (await reply.json()) as { data: { id: string; status?: string }[] }
    return data.filter((write) => write.id === id).map(({ status }) => status)
  }

  it('viewers, strangers and owners of other workspaces cannot change anything', async () => {
    const pause = (await list()).find(({ kind }) => kind === 'pause_underperformer')!
    const addMember = async (role: string) => {
      const person = await makePerson(app)
      await app.service.db
        .insertInto('workspace_members')
        .values({ workspace_id: shop.workspaceId, user_id: person.id, role, created_at: new Date() })
        .execute()
      return person
    }
    const other = await makePerson(app)
    const otherWorkspaceId = await makeWorkspace(other)
    const before = await liveStatus(campaigns[0]!.external_id)
    for (const entry of [applyRecommendation, undoRecommendation, dismissRecommendation]) {
      const statusOf = async (person: Person, workspaceId = shop.workspaceId) =>
        (await refusalOf(person.call(entry, { params: { workspaceId, id: pause.id } }))).status
      const statuses = {
        viewer: await statusOf(await addMember('viewer')),
        stranger: await statusOf(await makePerson(app)),
        'other owner': await statusOf(other, otherWorkspaceId),
      }
      expect([entry.name, statuses]).toEqual([entry.name, { viewer: 403, stranger: 404, 'other owner': 404 }])
    }
    expect(await liveStatus(campaigns[0]!.external_id)).toEqual(before)
    expect((await list()).map(({ id }) => id)).toContain(pause.id)
    // An editor may: undoing a recommendation that is not applied fails because of its state, not the role.
    const editor = await addMember('editor')
    const undo = editor.call(undoRecommendation, { params: { ...params(), id: pause.id } })
    expect(await refusalOf(undo)).toMatchObject({ code: 'invalid_state' })
  })

  it('the simulated loser is paused, and restored exactly', async () => {
    const open = await list()
    const pause = open.find(({ kind }) => kind === 'pause_underperformer')!
    expect(pause.subject.platform_id).toBe(campaigns[0]!.external_id)
    expect(pause.evidence[0]).toContain('1 payment by last touch in')
    expect(pause.expected_effect!.low).toBeLessThan(pause.expected_effect!.high)
    expect((await takeAction(applyRecommendation, pause.id)).data).toMatchObject({ status: 'applied' })
    expect(await liveStatus(campaigns[0]!.external_id)).toEqual(['PAUSED'])
    expect(await refusalOf(takeAction(applyRecommendation, pause.id))).toMatchObject({
      code: 'invalid_state',
    })
    expect((await takeAction(undoRecommendation, pause.id)).data).toMatchObject({ status: 'undone' })
    expect(await liveStatus(campaigns[0]!.external_id)).toEqual(['PAUSED', 'ACTIVE'])
    const { rows } = await app.pool.query(
      `select action from audit_log where profile_id = $1 and action ~ '^(campaign|recommendation)' order by occurred_at, id`,
      [shop.profileId],
    )
    expect(rows.map((row) => row.action)).toEqual(
      expect.arrayContaining([
        'campaign.pause',
        'recommendation.applied',
        'campaign.resume',
        'recommendation.undone',
      ]),
    )
    await daily()
    expect((await list()).map(({ id }) => id)).not.toContain(pause.id)
  })

  it('changes made at the platform in the meantime are kept', async () => {
    await app.pool.query(`delete from recommendations where profile_id = $1`, [shop.profileId])
    await daily()
    const pause = (await list()).find(({ kind }) => kind === 'pause_underperformer')!
    const set = (status: string) =>
      triggerSandbox(app, 'social_ads', 'act', {
        action: 'set_status',
        args: { id: campaigns[0]!.external_id, status },
      })
    const written = (await liveStatus(campaigns[0]!.external_id)).length
    await set('PAUSED')
    expect(await refusalOf(takeAction(applyRecommendation, pause.id))).toMatchObject({
      code: 'invalid_state',
    })
    await set('ACTIVE')
    // Of two concurrent requests one succeeds.
    const results = await Promise.allSettled([
      takeAction(applyRecommendation, pause.id),
      takeAction(applyRecommendation, pause.id),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await liveStatus(campaigns[0]!.external_id)).toHaveLength(written + 1)
    await set('ACTIVE')
    expect(await refusalOf(takeAction(undoRecommendation, pause.id))).toMatchObject({
      status: 409,
      code: 'invalid_state',
    })
    expect((await list('applied')).map(({ id }) => id)).toContain(pause.id)
    await set('PAUSED')
    await takeAction(undoRecommendation, pause.id)
  })

  it('a dismissed one is not created again, and a prediction is scored after 14 days', async () => {
    await app.pool.query(`delete from recommendations where profile_id = $1`, [shop.profileId])
    await daily()
    const [first] = await list()
    expect((await takeAction(dismissRecommendation, first!.id)).data.status).toBe('dismissed')
    await daily()
    expect(
      (await list()).some(({ kind, subject }) => kind === first!.kind && subject.id === first!.subject.id),
    ).toBe(false)
    // The clock of the service is four days ahead.
    const appliedBefore = (days: number) =>
      app.pool.query(
        `update recommendations set status = 'applied', applied_at = now() - $3 * interval '1 day' where profile_id = $1 and id = $2`,
        [shop.profileId, first!.id, days - 4],
      )
    await appliedBefore(16)
    await daily()
    expect((await list('applied'))[0]!.prediction).toBeNull()
    await appliedBefore(20)
    await daily()
    const [scored] = await list('applied')
    expect(scored!.prediction).toMatchObject({
      metric: first!.expected_effect!.metric,
      held: expect.anything(),
    })
    const { meta } = await shop.owner.call(listRecommendations, { params: params() })
    expect(meta).toMatchObject({ predictions: { scored: 1 } })
    expect(scored!.track_record).toMatchObject({ applied: { scored: 1 }, not_applied: { scored: 0 } })
  })

  it('a recommendation not applied is scored after 14 days, and the next one shows the result', async () => {
    await app.pool.query(`delete from recommendations where profile_id = $1`, [shop.profileId])
    await daily()
    const pause = (await list()).find(({ kind }) => kind === 'pause_underperformer')!
    expect(pause.track_record.not_applied).toEqual({ scored: 0, turned_out_right: 0 })
    await app.pool.query(
      `update recommendations set status = 'expired', created_at = now() - interval '14 days' where profile_id = $1 and id = $2`,
      [shop.profileId, pause.id],
    )
    await daily()
    const next = (await list()).find(({ kind }) => kind === 'pause_underperformer')!
    await daily()
    const updated = (await list()).find(({ id }) => id === next.id)!
    expect(updated.track_record.not_applied).toEqual({ scored: 1, turned_out_right: 1 })
    expect(updated.confidence).toBeLessThanOrEqual(0.99)
  })
})
