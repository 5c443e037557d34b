import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeOwnProfile } from '../../../../test/make.ts'
import type { Job } from '../../../platform/contract/job.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { fxJobs } from '../../attribution/pipeline/rates-job.ts'
import { recordRefund } from '../../corrections/payments/contract.ts'
import { getOverview, listCampaigns } from '../../insights/reports/contract.ts'
import { sendEvent } from '../events/contract.ts'
import { eventIdOf } from '../events/rules.ts'
import { readReferenceRates } from './reference-rates.ts'

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube>
    <Cube time="2026-05-04"><Cube currency="USD" rate="1.25"/><Cube currency="JPY" rate="160.5"/><Cube currency="ZZZ" rate="3"/></Cube>
    <Cube time="2026-05-05"><Cube currency="USD" rate="1.6"/></Cube>
  </Cube>
</gesmes:Envelope>`

it('reads the published XML, the history CSV and the daily CSV', () => {
  expect(readReferenceRates(xml)).toEqual([
    { day: '2026-05-04', currency: 'EUR', rate: '1' },
    { day: '2026-05-05', currency: 'EUR', rate: '1' },
    { day: '2026-05-04', currency: 'USD', rate: '1.25' },
    { day: '2026-05-04', currency: 'JPY', rate: '160.5' },
    { day: '2026-05-05', currency: 'USD', rate: '1.6' },
  ])
  const day = [{ day: '2026-05-04', currency: 'EUR', rate: '1' }]
  const usd = { day: '2026-05-04', currency: 'USD', rate: '1.25' }
  expect(readReferenceRates('Date,USD,CYP,JPY,\n2026-05-04,1.25,N/A,N/A,\n')).toEqual([...day, usd])
  expect(readReferenceRates('Date, USD, \n04 May 2026, 1.25, \n')).toEqual([...day, usd])
  for (const bad of ['', 'hello', '<html></html>', 'Date,USD\nsoon,1.2', 'Day,USD\n2026-05-04,1.2'])
    expect(() => readReferenceRates(bad)).toThrow(/reference rates/)
})

let app: TestApp
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-rates-'))
  app = await startTestApp({ FX_RATES_SOURCE: join(folder, 'rates.xml') })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

it('converts sales, refunds and spend once their exchange rate arrives', async () => {
  const { profileId, call } = await makeOwnProfile(app, ['events:write', 'campaigns:read', 'payments:write'])
  await saveRecords(app, profileId, [
    makeEntity('campaign', 'C1'),
    makeDelivery('campaign', 'C1', '2026-05-04', { spendMinor: 1000, currency: 'USD' }),
  ])
  const at = '2026-05-04T10:00:00Z'
  await call(sendEvent, {
    body: { event_name: 'visit', anonymous_id: 'v', timestamp: at, ad: { campaign_id: 'C1' } },
  })
  await call(sendEvent, {
    body: {
      event_name: 'payment_received',
      anonymous_id: 'v',
      timestamp: at,
      idempotency_key: 'p',
      properties: { value: 100, currency: 'USD' },
    },
  })
  await app.service.processor.settled(profileId)
  const params = { payment_id: eventIdOf(profileId, 'p') }
  await call(recordRefund, { params, body: { amount: 16, refunded_at: '2026-05-05T10:00:00Z' } })
  const report = (date_from = '2026-05-01', date_to = '2026-05-31') =>
    call(listCampaigns, { query: { date_from, date_to, level: 'campaign' } })
  const before = await report()
  // Each amount is missing on its own day, and figures without any rate are null.
  expect(before.meta).toMatchObject({
    fx_missing: 3,
    fx_missing_rates: [
      { currency: 'USD', day: '2026-05-05' },
      { currency: 'USD', day: '2026-05-04' },
    ],
  })
  const unknown = { spend: null, outcome_value: null, roas: null, cac: null, avg_cpc: null }
  expect(before.data).toMatchObject([{ ...unknown, outcome_count: 1, outcome_credit: 1, fx_missing: 3 }])
  expect(before.total).toMatchObject({ ...unknown, outcome_count: 1 })
  const onRefundDay = await report('2026-05-05', '2026-05-05')
  expect(onRefundDay.meta).toMatchObject({
    fx_missing: 1,
    fx_missing_rates: [{ currency: 'USD', day: '2026-05-05' }],
  })
  const overview = await call(getOverview, { query: { date_from: '2026-05-04', date_to: '2026-05-06' } })
  expect(overview.data.totals).toMatchObject({
    spend: null,
    revenue: null,
    credited_revenue: null,
    cac: null,
  })
  expect(overview.data.days.map((day) => [day.spend, day.revenue])).toEqual([
    [null, null],
    [0, null],
    [0, 0],
  ])

  await writeFile(join(folder, 'rates.xml'), xml)
  const run = async () => {
    await enqueue(app.service.db, fxJobs[0] as Job<object>, {})
    await drainJobs(app.service, fxJobs)
  }
  await run()
  const after = await report()
  expect(after.meta).toMatchObject({ fx_missing: 0, reconciliation: { total: 70, delta: 0 } })
  // 100 USD at 1.25, 16 USD back at 1.6 the next day, 10 USD of spend at 1.25.
  expect(after.data).toMatchObject([
    { spend: 8, outcome_count: 1, outcome_value: 70, roas: 8.75, fx_missing: 0 },
  ])
  expect(after.meta.fx_missing_rates).toEqual([])
  await run()
  expect((await report()).data).toEqual(after.data)
})
