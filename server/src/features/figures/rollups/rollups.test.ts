import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { coverRange } from '../definitions/rules.ts'
import { creditByEntity } from './credit-by-entity.ts'
import { deliveryByEntity } from './delivery-by-entity.ts'
import { readSums } from './sums.ts'

let app: TestApp
let profileId: string
beforeAll(async () => {
  ;({ app, profileId } = await startTestProfile())
  // Enough rows that the number of days matters to the planner.
  await app.pool.query(
    `insert into credit_daily (profile_id, level, entity_id, day, outcome_type, revenue_type,
       last_touch_count, first_touch_count, linear_count, time_decay_count, last_non_direct_count,
       last_touch_minor, first_touch_minor, linear_minor, time_decay_minor, last_non_direct_minor)
     select $1, 'ad', md5(ad::text)::uuid, '2026-01-01'::date + day, 'payment', 'cash', 1, 1, 1, 1, 1, 5, 5, 5, 5, 5
     from generate_series(0, 99) as day, generate_series(1, 50) as ad`,
    [profileId],
  )
  await app.pool.query(
    `insert into delivery_daily (profile_id, level, entity_id, day, source, spend_minor, fx_missing)
     select $1, 'ad', md5(ad::text)::uuid, '2026-01-01'::date + day, 'social', 7, 0
     from generate_series(0, 99) as day, generate_series(1, 50) as ad`,
    [profileId],
  )
  await app.pool.query('analyze credit_daily, delivery_daily')
})
afterAll(() => app.close())

/** PostgreSQL creates this many custom plans before it compares them with a generic plan. */
const FIRST_PLANS = 5
const TIMES = 8

it('reports over different days share a generic plan and return their own days', async ({ skip }) => {
  skip(app.service.nodes.isDistributed, 'Citus plans statements itself')
  await app.service.db.transaction().execute(async (tx) => {
    for (let first = 0; first < TIMES; first++) {
      const from = addDays('2026-01-07', first)
      const cover = coverRange({ from, to: from })
      const scope = { profileId, level: 'ad', cover } as const
      const credit = await creditByEntity(tx, { ...scope, model: 'last_touch' })
      const delivery = await deliveryByEntity(tx, scope)
      expect([credit.length, credit[0]!.value_minor]).toEqual([50, 5])
      expect([delivery.length, delivery[0]!.spend_minor]).toEqual([50, 7])
    }
    const { rows } = await sql<{ generic: number; custom: number }>`
      select generic_plans as generic, custom_plans as custom from pg_prepared_statements
      where statement like '%from credit_spans%' or statement like '%from delivery_spans%'`.execute(tx)
    const reused = { generic: TIMES - FIRST_PLANS, custom: FIRST_PLANS }
    expect(rows.filter(({ generic, custom }) => generic + custom === TIMES)).toEqual([reused, reused])
  })
})

it('sums of several tables are one row per combination of dimensions', async () => {
  const other = '018f0000-0000-7000-8000-000000000001'
  await app.pool.query(
    `insert into delivery_daily (profile_id, level, entity_id, day, source, spend_minor, impressions, clicks, messaging_started_7d,
       fx_missing)
     select $1, 'campaign', $2::uuid, day::date, 'social_ads', 100, 10, null, case when day = '2025-03-02' then 4 end, 0
     from unnest(array['2025-03-01', '2025-03-02', '2025-03-03']) as day`,
    [profileId, other],
  )
  await app.pool.query(
    `insert into conversion_daily (profile_id, day, outcome_type, revenue_type, conversions, value_minor, fx_missing)
     values ($1, '2025-03-02', 'payment_received', 'cash', 2, 500, 0), ($1, '2025-03-02', 'lead_created', 'pipeline', 3, 0, 0)`,
    [profileId],
  )
  const march = { profileId, from: '2025-03-01', to: '2025-03-31' }
  const byDay = await readSums(app.service.db, {
    ...march,
    to: '2025-03-02',
    measures: ['spend_minor', 'clicks', 'messaging_started', 'payments', 'conversions'],
    by: ['day'],
  })
  expect(byDay).toEqual([
    { day: '2025-03-01', spend_minor: 100, clicks: 0, messaging_started: null, payments: 0, conversions: 0 },
    { day: '2025-03-02', spend_minor: 100, clicks: 0, messaging_started: 4, payments: 2, conversions: 5 },
  ])
  const ofEntity = await readSums(app.service.db, {
    ...march,
    entities: [other],
    measures: {
      all: 'spend_minor',
      later: { of: 'impressions', from: '2025-03-02' },
      last: 'last_spend_day',
      credited: 'credited_minor',
    },
    by: ['entity_id'],
  })
  expect(ofEntity).toEqual([{ entity_id: other, all: 300, later: 20, last: '2025-03-03', credited: 0 }])
  const stranger = { ...march, profileId: other, measures: ['spend_minor', 'cash_minor'], by: [] } as const
  expect(await readSums(app.service.db, stranger)).toEqual([{ spend_minor: 0, cash_minor: 0 }])
})
