import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeOwnProfile, type OwnProfile, refusalOf } from '../../../../test/make.ts'
import { jobs } from '../../../app.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { getPacing } from '../../advice/pacing/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { getOverview, listCampaigns } from '../../insights/reports/contract.ts'
import { recordRefund } from '../payments/contract.ts'
import { deleteExchangeRate, listExchangeRates, saveExchangeRate } from './contract.ts'

let app: TestApp
let profile: OwnProfile
const may = { date_from: '2026-05-01', date_to: '2026-05-31' }

beforeAll(async () => {
  app = await startTestApp()
  profile = await makeOwnProfile(app, [
    'campaigns:read',
    'events:write',
    'payments:write',
    'tracking:read',
    'tracking:write',
  ])
  await saveRecords(app, profile.profileId, [
    makeEntity('campaign', 'C1'),
    makeDelivery('campaign', 'C1', '2026-05-04', { spendMinor: 1000, currency: 'GBP' }),
  ])
  const pay = (key: string, day: string, value: number, currency: string) =>
    profile.call(sendEvent, {
      body: {
        event_name: 'payment_received',
        idempotency_key: key,
        timestamp: `2026-05-${day}T10:00:00Z`,
        properties: { value, currency },
        user_traits: { email: 'ana@x.co' },
        ad: { campaign_id: 'C1' },
      },
    })
  await pay('euro', '02', 130, 'EUR')
  await pay('pound', '04', 50, 'GBP')
  await pay('later', '13', 7, 'GBP')
  await app.service.processor.settled(profile.profileId)
  await profile.call(recordRefund, {
    params: { payment_id: eventIdOf(profile.profileId, 'pound') },
    body: { amount: 10, refunded_at: '2026-05-06T10:00:00Z' },
  })
})
afterAll(() => app.close())

/** The campaign's row counts the same amounts without a rate as the report: payments of 50 and 7, a refund of 10, and spend. */
const checkRows = async (fxMissing: number) => {
  for (const model of models) {
    const listed = await profile.call(listCampaigns, { query: { ...may, model } })
    expect(listed.data).toMatchObject([{ fx_missing: fxMissing }])
    expect(listed.total).toMatchObject({ fx_missing: fxMissing })
    const channels = await profile.call(getChannels, { query: { ...may, model } })
    expect(channels.total).toMatchObject({ fx_missing: fxMissing })
  }
}

const read = async () => {
  await drainJobs(app.service, jobs)
  const { data, meta } = await profile.call(getOverview, { query: may })
  const { reconciliation, fx_missing } = meta as {
    fx_missing: number
    reconciliation: { total: number; delta: number; left_out: number }
  }
  const { revenue, spend } = data.totals
  return { revenue, spend, fx_missing, total: reconciliation.total, left_out: reconciliation.left_out }
}

it('the reconciliation of a report counts the amounts that lack an exchange rate', async () => {
  expect(await read()).toEqual({ revenue: 130, spend: null, fx_missing: 4, total: 130, left_out: 3 })
  await checkRows(4)
})

it('a day with only a refund that lacks a rate shows no money and no outcome', async () => {
  const day = { date_from: '2026-05-06', date_to: '2026-05-06' }
  for (const model of models) {
    const { data, meta } = await profile.call(listCampaigns, { query: { ...day, model } })
    const counts = { outcome_count: 0, outcome_credit: 0, attributed_outcome_count: 0 }
    expect(data).toMatchObject([{ ...counts, outcome_value: null, attributed_outcomes_by_type: {} }])
    expect(data).toMatchObject([{ fx_missing: 1 }])
    expect(meta).toMatchObject({ fx_missing: 1, fx_missing_rates: [{ currency: 'GBP', day: '2026-05-06' }] })
  }
})

it('payments without a rate count as payments in pacing and advice as they do in reports', async () => {
  const { owner, workspaceId } = profile
  const { data } = await owner.call(getPacing, { params: { workspaceId }, query: { month: '2026-05' } })
  expect(data).toMatchObject([{ outcomes_mtd: 3, revenue_mtd: 130 }])
})

it('an entered rate converts amounts that lacked one, on its day and for up to 7 days after', async () => {
  const body = { currency: 'gbp', day: '2026-05-04', rate: '1.20' }
  const { data } = await profile.call(saveExchangeRate, { body })
  expect(data).toMatchObject({ currency: 'GBP', day: '2026-05-04', target: 'EUR', rate: '1.2' })
  // The payment of 50 and its refund of 10 at 1.2; the payment nine days later still lacks a rate.
  expect(await read()).toEqual({ revenue: 178, spend: 12, fx_missing: 1, total: 178, left_out: 1 })
  await checkRows(1)
  const { data: rows } = await profile.call(listCampaigns, { query: may })
  expect(rows).toMatchObject([{ spend: 12, outcome_value: 178, fx_missing: 1 }])
})

it('correcting a rate converts the amounts again, and removing it excludes them again', async () => {
  await profile.call(saveExchangeRate, { body: { currency: 'GBP', day: '2026-05-04', rate: '1.5' } })
  await profile.call(saveExchangeRate, { body: { currency: 'GBP', day: '2026-05-06', rate: '2' } })
  // 130 + 50 × 1.5 − 10 × 2 + 7 × 2
  expect(await read()).toEqual({ revenue: 199, spend: 15, fx_missing: 0, total: 199, left_out: 0 })
  await checkRows(0)
  for (const day of ['2026-05-04', '2026-05-06'])
    await profile.call(deleteExchangeRate, { params: { currency: 'GBP', day } })
  expect(await read()).toEqual({ revenue: 130, spend: null, fx_missing: 4, total: 130, left_out: 3 })
  await checkRows(4)
  expect((await profile.call(listExchangeRates, {})).data).toEqual([])
})

it('a rate applies to one profile, needs the scope and a foreign currency, and is audited', async () => {
  const body = { currency: 'GBP', day: '2026-05-04', rate: '1.2' }
  const other = await makeOwnProfile(app, ['tracking:read', 'tracking:write', 'campaigns:read'])
  await other.call(saveExchangeRate, { body })
  expect((await profile.call(listExchangeRates, {})).data).toEqual([])
  expect(await read()).toMatchObject({ revenue: 130 })
  const reader = await makeOwnProfile(app, ['tracking:read'])
  expect((await refusalOf(reader.call(saveExchangeRate, { body }))).code).toBe('insufficient_scope')
  for (const rate of ['0', '-1', '1e3', ''])
    expect((await refusalOf(profile.call(saveExchangeRate, { body: { ...body, rate } }))).status).toBe(422)
  expect(
    await refusalOf(profile.call(saveExchangeRate, { body: { ...body, currency: 'EUR' } })),
  ).toMatchObject({
    status: 409,
    code: 'invalid_state',
    reason: 'reporting_currency',
  })
  const unknown = profile.call(deleteExchangeRate, { params: { currency: 'GBP', day: '2026-05-04' } })
  expect((await refusalOf(unknown)).code).toBe('not_found')
  const params = { workspaceId: profile.workspaceId }
  const { data } = await profile.owner.call(listChanges, { params })
  const actions = data.map(({ action }) => action).filter((action) => action.startsWith('exchange_rate'))
  expect(actions).toHaveLength(5)
})
