import { models } from '@whence/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdWorld } from '../../../../test/ad-world.ts'
import type { TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { refusalOf, startTestProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { listCampaigns } from '../../insights/reports/contract.ts'
import {
  explainConversion,
  getAttributionSettings,
  startRecompute,
  updateAttributionSettings,
} from './contract.ts'
import { attributionJobs } from './jobs.ts'

let app: TestApp
let profileId: string
let call: Client
const range = { date_from: '2026-05-01', date_to: '2026-05-31' }

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile([
    'analytics:read',
    'events:write',
    'campaigns:read',
    'conversions:read',
    'tracking:write',
  ]))
  await makeAdWorld(app, profileId, call)
})
afterAll(() => app.close())

const derived = async () => {
  const tables = [
    'credits',
    'credit_daily',
    'credit_spans',
    'conversion_daily',
    'held_daily',
    'platform_daily',
    'uncredited_daily',
  ]
  const dump: Record<string, unknown[]> = {}
  for (const table of tables) {
    const { rows } = await sql<{ line: string }>`
      select t::text as line from ${sql.table(table)} t where profile_id = ${profileId} order by 1`.execute(
      app.service.db,
    )
    dump[table] = rows.map((row) => row.line)
  }
  return dump
}

it('explains every candidate touch, for each kind of conversion id', async () => {
  const { data, meta } = await call(explainConversion, { params: { id: 'ana-1' } })
  expect(data).toMatchObject({
    outcome_event_id: eventIdOf(profileId, 'ana-1'),
    outcome_type: 'payment_received',
    value: 100,
    currency: 'EUR',
    report_value: 100,
    attribution_eligible: true,
  })
  expect(meta.currency).toBe('EUR')
  expect(data.models.map((entry) => entry.model)).toEqual([...models])
  const verdicts = Object.fromEntries(
    data.models.map((entry) => [
      entry.model,
      entry.touches.map((touch) => [touch.ad?.platform_id, touch.reason ?? touch.credited_value]),
    ]),
  )
  expect(verdicts).toEqual({
    last_touch: [
      ['A1', 'not_last'],
      ['A3', 100],
    ],
    first_touch: [
      ['A1', 100],
      ['A3', 'not_first'],
    ],
    linear: [
      ['A1', 50],
      ['A3', 50],
    ],
    time_decay: [
      ['A1', 45.07],
      ['A3', 54.93],
    ],
    last_non_direct: [
      ['A1', 'not_last'],
      ['A3', 100],
    ],
  })
  expect(data.models[0]!.touches[0]).toMatchObject({
    campaign: { platform_id: 'C1', name: 'Name of C1' },
    ad_set: { platform_id: 'S1' },
    weight: null,
    status: 'excluded',
  })
  for (const id of [data.conversion_id, data.outcome_event_id]) {
    const explanation = await call(explainConversion, { params: { id }, query: { model: 'linear' } })
    expect(explanation.data.models.map((entry) => [entry.model, entry.credited_value])).toEqual([
      ['linear', 100],
    ])
  }
  expect(await refusalOf(call(explainConversion, { params: { id: 'unknown-1' } }))).toMatchObject({
    status: 404,
    code: 'conversion_not_found',
  })
})

it('gives the reason for a touch after the conversion or before the lookback', async () => {
  const body = { event_name: 'visit', anonymous_id: 'bob', ad: { ad_id: 'A1' } }
  await call(sendEvent, { body: { ...body, timestamp: '2026-05-06T10:00:00Z' } })
  await call(sendEvent, { body: { ...body, timestamp: '2026-03-01T10:00:00Z' } })
  await app.service.processor.settled(profileId)
  const { data } = await call(explainConversion, { params: { id: 'bob-1' }, query: { model: 'last_touch' } })
  expect(data.models[0]!.touches.map((touch) => touch.reason)).toEqual([
    'outside_lookback',
    null,
    'after_conversion',
  ])
})

it('a full recompute writes the same rows, and reports are stale until it is done', async () => {
  const before = await derived()
  expect(before.credits).toHaveLength(5)
  const { data } = await call(startRecompute, { body: {} })
  expect(data).toMatchObject({ state: 'queued', scope: 'full' })
  const repeated = await call(startRecompute, { body: {} })
  expect(repeated.data.recompute_id).toBe(data.recompute_id)
  const staleCampaigns = await call(listCampaigns, { query: range })
  expect(staleCampaigns.meta.freshness).toMatchObject({ stale: true })
  await drainJobs(app.service, attributionJobs)
  expect(await derived()).toEqual(before)
  const { rows } = await sql<{ data: Record<string, unknown> }>`
    select data from outbox_events where profile_id = ${profileId} and type = 'recompute.completed'`.execute(
    app.service.db,
  )
  expect(rows.map((row) => row.data)).toEqual([
    {
      profile_id: profileId,
      recompute_id: data.recompute_id,
      scope: 'full',
      conversions: 5,
      duration_ms: expect.any(Number),
    },
  ])
  expect((await call(listCampaigns, { query: range })).meta.freshness).toMatchObject({ stale: false })
})

it('a full recompute restores deleted credit', async () => {
  const before = await derived()
  await sql`delete from credits where profile_id = ${profileId}`.execute(app.service.db)
  for (const table of ['credit_daily', 'credit_spans', 'conversion_daily', 'held_daily', 'platform_daily'])
    await sql`delete from ${sql.table(table)} where profile_id = ${profileId}`.execute(app.service.db)
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, attributionJobs)
  expect(await derived()).toEqual(before)
})

it('a change of the windows recomputes credit; unchanged settings queue no recompute', async () => {
  expect((await call(getAttributionSettings)).data).toEqual({
    lookback_days: 30,
    first_touch_lookback_days: 90,
    half_life_days: 7,
    grace_hours: 48,
    updated_at: null,
  })
  const none = await call(updateAttributionSettings, { body: { lookback_days: 30 } })
  expect(none.data.recompute).toBeNull()
  const { data } = await call(updateAttributionSettings, {
    body: { lookback_days: 2, first_touch_lookback_days: 1 },
  })
  expect(data).toMatchObject({ lookback_days: 2, half_life_days: 7, recompute: { scope: 'settings' } })
  await drainJobs(app.service, attributionJobs)
  const linear = await call(listCampaigns, { query: { ...range, model: 'linear' } })
  expect(linear.meta.lookback_days).toBe(2)
  // Ana's first touch is three days before she paid, Bob's three days before he did.
  expect(linear.data.map((row) => [row.platform_id, row.outcome_value])).toEqual([
    ['C2', 100],
    ['C1', 0],
  ])
  for (const body of [{ lookback_days: 0 }, { half_life_days: 366 }, { lookback_days: 1.5 }, { other: 1 }])
    expect(await refusalOf(call(updateAttributionSettings, { body: body }))).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
})
