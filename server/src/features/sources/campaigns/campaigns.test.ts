import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, refusalOf } from '../../../../test/make.ts'
import { makeShop, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { getCampaign, listCampaigns } from '../../insights/reports/contract.ts'
import { startSync } from '../connections/contract.ts'
import { importSpend } from '../imports/contract.ts'
import {
  getCampaignStatus,
  pauseAd,
  pauseAdSet,
  pauseCampaign,
  resumeAd,
  resumeAdSet,
  resumeCampaign,
  setAdSetBudget,
  setCampaignBudget,
} from './contract.ts'

let app: TestApp
let shop: Shop
let connectionId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  connectionId = (await shop.connected('social_ads')).id
  await drainJobs(app.service, jobs)
})
afterAll(() => app.close())

async function entities(level: 'campaign' | 'ad_set', hasDaily: boolean) {
  return app.service.db
    .selectFrom('ad_entities')
    .select(['id', 'external_id', 'status', 'daily_budget_minor', 'lifetime_budget_minor'])
    .where('profile_id', '=', shop.profileId)
    .where('level', '=', level)
    .where('daily_budget_minor', hasDaily ? 'is not' : 'is', null)
    .orderBy('external_id')
    .execute()
}
async function audits(subject: string) {
  const rows = await app.service.db
    .selectFrom('audit_log')
    .select(['action', 'detail'])
    .where('profile_id', '=', shop.profileId)
    .where('subject', '=', subject)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const { outcome, code } = row.detail as { outcome: string; code?: string }
    return [row.action, outcome, code ?? null]
  })
}
function lastDays(count: number) {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { date_from: day(Date.now() - count * 86_400_000), date_to: day(Date.now()) }
}

const writes = async () =>
  ((await (await fetch(`${app.baseUrl}/sandbox/writes`)).json()) as { data: unknown[] }).data

describe('a campaign at the platform', () => {
  it('is paused and resumed by its platform id, with every attempt audited', async () => {
    const campaign = (await entities('campaign', true)).find((row) => row.status === 'ACTIVE')!
    const params = { id: campaign.external_id }
    const before = (await writes()).length
    expect((await shop.call(pauseCampaign, { params })).data).toEqual({
      platform_id: campaign.external_id,
      outcome: 'changed',
      previous_status: 'ACTIVE',
      status: 'PAUSED',
    })
    expect((await shop.call(getCampaignStatus, { params })).data).toMatchObject({
      campaign_id: campaign.id,
      status: 'PAUSED',
    })
    expect((await shop.call(pauseCampaign, { params })).data.outcome).toBe('no_change')
    expect((await shop.call(resumeCampaign, { params })).data.outcome).toBe('changed')
    expect((await shop.call(resumeCampaign, { params })).data.outcome).toBe('no_change')
    expect((await writes()).length).toBe(before + 2)
    await triggerSandbox(app, 'social_ads', 'act', {
      action: 'set_status',
      args: { id: campaign.external_id, status: 'ARCHIVED' },
    })
    expect(await refusalOf(shop.call(pauseCampaign, { params }))).toMatchObject({
      status: 409,
      code: 'campaign_not_pausable',
    })
    const ours = (await entities('campaign', true)).find((row) => row.id === campaign.id)!
    expect(ours.status).toBe('ARCHIVED')
    expect(await refusalOf(shop.call(resumeCampaign, { params }))).toMatchObject({
      status: 409,
      code: 'campaign_not_resumable',
    })
    const body = { daily_budget: 1000 }
    expect(await refusalOf(shop.call(setCampaignBudget, { params, body }))).toMatchObject({
      status: 409,
      code: 'campaign_not_editable',
    })
    expect(await audits(campaign.external_id)).toEqual([
      ['campaign.pause', 'changed', null],
      ['campaign.pause', 'no_change', null],
      ['campaign.resume', 'changed', null],
      ['campaign.resume', 'no_change', null],
      ['campaign.pause', 'refused', 'campaign_not_pausable'],
      ['campaign.resume', 'refused', 'campaign_not_resumable'],
      ['campaign.budget', 'refused', 'campaign_not_editable'],
    ])
  })

  it.each([
    ['campaign', pauseCampaign, resumeCampaign],
    ['ad_set', pauseAdSet, resumeAdSet],
    ['ad', pauseAd, resumeAd],
  ] as const)(
    '%s: a pause is in the report immediately, and remains after the next sync',
    async (level, pause, resume) => {
      const rows = async () => {
        const query = { ...lastDays(60), level, limit: '100' } as const
        return (await shop.call(listCampaigns, { query })).data
      }
      const { platform_id } = (await rows()).find((row) => row.platform_actions?.includes('pause'))!
      const params = { id: platform_id }
      const statusAndActions = async () => {
        const { status, platform_actions } = (await rows()).find((row) => row.platform_id === platform_id)!
        return [status, platform_actions!.filter((action) => action !== 'budget')]
      }
      expect((await shop.call(pause, { params })).data).toMatchObject({
        outcome: 'changed',
        status: 'PAUSED',
      })
      expect(await statusAndActions()).toEqual(['PAUSED', ['resume']])
      await shop.call(startSync, { body: { connection_id: connectionId } })
      await drainJobs(app.service, jobs)
      expect(await statusAndActions()).toEqual(['PAUSED', ['resume']])
      expect((await shop.call(resume, { params })).data).toMatchObject({
        outcome: 'changed',
        status: 'ACTIVE',
      })
      expect(await statusAndActions()).toEqual(['ACTIVE', ['pause']])
      expect((await shop.call(resume, { params })).data.outcome).toBe('no_change')
      expect(await audits(platform_id)).toEqual([
        [`${level}.pause`, 'changed', null],
        [`${level}.resume`, 'changed', null],
        [`${level}.resume`, 'no_change', null],
      ])
    },
  )

  it('that was paused at the platform is shown as paused after an attempt that changes nothing', async () => {
    const [campaign] = await entities('campaign', true)
    const args = { id: campaign!.external_id, status: 'PAUSED' }
    await triggerSandbox(app, 'social_ads', 'act', { action: 'set_status', args })
    const params = { id: campaign!.external_id }
    expect((await shop.call(pauseCampaign, { params })).data.outcome).toBe('no_change')
    expect((await entities('campaign', true))[0]!.status).toBe('PAUSED')
    await shop.call(resumeCampaign, { params })
  })

  it('that was imported offers and accepts no changes', async () => {
    const day = lastDays(0).date_to
    const row = { source: 'podcast', level: 'campaign', date: day, spend: 12, currency: 'EUR' } as const
    await shop.call(importSpend, { body: { rows: [{ ...row, campaign_id: 'spring' }] } })
    const { data } = await shop.call(getCampaign, { params: { id: 'spring' }, query: lastDays(1) })
    expect(data.platform_actions).toEqual([])
    expect(await refusalOf(shop.call(pauseCampaign, { params: { id: 'spring' } }))).toMatchObject({
      status: 409,
      code: 'social_connection_required',
      message: expect.stringContaining('podcast'),
    })
  })

  it('is not changed by a request whose body the route does not read', async () => {
    const before = await writes()
    const { external_id: id } = (await entities('campaign', true)).find((row) => row.status === 'ACTIVE')!
    const key = await makeKey(app, shop.profileId, ['campaigns:apply'])
    const post = async (action: string, body: string, type = 'application/json') => {
      const reply = await fetch(`${app.baseUrl}/api/v1/campaigns/${id}/${action}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        body,
      })
      return [reply.status, ((await reply.json()) as { error?: { code: string } }).error?.code]
    }
    expect(await post('pause', '{"dry_run": true}')).toEqual([422, 'validation_error'])
    for (const body of ['{"dry_run', '[]', 'true'])
      expect([body, ...(await post('resume', body))]).toEqual([body, 400, 'invalid_request'])
    expect(await post('pause', 'dry_run=true', 'application/x-www-form-urlencoded')).toEqual([
      400,
      'invalid_request',
    ])
    expect(await writes()).toEqual(before)
    expect(await post('resume', '{}')).toEqual([200, undefined])
  })

  it('that the profile does not have returns not found, and the attempt is audited', async () => {
    const params = { id: '999999999' }
    expect(await refusalOf(shop.call(pauseCampaign, { params }))).toMatchObject({
      status: 404,
      code: 'campaign_not_found',
    })
    expect(await audits('999999999')).toEqual([['campaign.pause', 'refused', 'campaign_not_found']])
  })

  it('changes its budget by at most half, also under an idempotency key', async () => {
    const listed = [...(await entities('campaign', true)), ...(await entities('ad_set', true))]
      .filter((row) => row.status === 'ACTIVE' && row.daily_budget_minor! > 1000)
      .at(-1)!
    const isCampaign = (await entities('campaign', true)).some((row) => row.id === listed.id)
    const entry = isCampaign ? setCampaignBudget : setAdSetBudget
    const params = { id: listed.external_id }
    const now = listed.daily_budget_minor! / 100
    const headers = { 'idempotency-key': 'a budget too far' }
    const tooFar = shop.call(entry, { params, body: { daily_budget: now * 2 }, headers })
    expect(await refusalOf(tooFar)).toMatchObject({ status: 422, code: 'budget_change_out_of_bounds' })
    const { data } = await shop.call(entry, { params, body: { daily_budget: now + 1 } })
    const { data: campaign } = await shop.call(getCampaign, { params, query: lastDays(1) })
    expect(campaign.daily_budget).toBe(now + 1)
    expect(data).toMatchObject({
      outcome: 'changed',
      budget_type: 'daily',
      previous_budget: now,
      budget: now + 1,
    })
    const request = shop.call(entry, { params, body: { daily_budget: 1, lifetime_budget: 1 } })
    expect((await refusalOf(request)).code).toBe('validation_error')
    // A test above may have paused and resumed the same campaign.
    const ofBudget = (await audits(listed.external_id)).filter(([action]) => action!.endsWith('.budget'))
    expect(ofBudget.map(([, outcome, code]) => [outcome, code])).toEqual([
      ['refused', 'budget_change_out_of_bounds'],
      ['changed', null],
    ])
  })

  it('whose consent is read-only reports that', async () => {
    await triggerSandbox(app, 'social_ads', 'act', {
      action: 'decline_permission',
      args: { permission: 'ads_management' },
    })
    const reader = await makeShop(app)
    await reader.connected('social_ads')
    await drainJobs(app.service, jobs)
    const campaign = await app.service.db
      .selectFrom('ad_entities')
      .select('external_id')
      .where('profile_id', '=', reader.profileId)
      .where('level', '=', 'campaign')
      .where('status', '=', 'ACTIVE')
      .orderBy('external_id', 'desc')
      .executeTakeFirstOrThrow()
    const refusal = await refusalOf(reader.call(pauseCampaign, { params: { id: campaign.external_id } }))
    expect(refusal).toMatchObject({ status: 403, code: 'social_write_permission_missing' })
  })
})
