import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import type { TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { startTestProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { comparePlatforms } from '../../insights/reports/contract.ts'
import { startRecompute } from './contract.ts'
import { attributionJobs } from './jobs.ts'

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile([
    'analytics:read',
    'events:write',
    'campaigns:read',
    'tracking:write',
  ]))
})
afterAll(() => app.close())

const totals = async () => {
  const query = {
    date_from: '2026-05-01',
    date_to: '2026-05-31',
    model: 'linear',
    level: 'campaign',
  } as const
  const { data } = await call(comparePlatforms, { query })
  return Object.fromEntries(
    data.platforms.map((row) => [row.platform, [row.atribu_conversions, row.atribu_cash_conversions]]),
  )
}

const stored = async () =>
  (
    await sql`select * from platform_daily where profile_id = ${profileId}
      order by level, day, platform, outcome_type, revenue_type`.execute(app.service.db)
  ).rows

it('counts a shared conversion once per platform, whenever the platform of a campaign becomes known', async () => {
  const at = (day: number) => `2026-05-0${day}T10:00:00Z`
  const visit = { event_name: 'visit', anonymous_id: 'v' }
  await call(sendEvent, { body: { ...visit, timestamp: at(1), ad: { campaign_id: 'C1' } } })
  await call(sendEvent, { body: { ...visit, timestamp: at(2), ad: { campaign_id: 'C2' } } })
  await call(sendEvent, {
    body: {
      event_name: 'payment_received',
      anonymous_id: 'v',
      timestamp: at(3),
      properties: { value: 10 },
      idempotency_key: 'paid',
    },
  })
  await call(sendEvent, {
    body: { event_name: 'lead_created', anonymous_id: 'v', timestamp: at(4), idempotency_key: 'lead' },
  })
  await app.service.processor.settled(profileId)
  expect(await totals()).toEqual({ unknown: [2, 1] })

  await saveRecords(app, profileId, [makeEntity('campaign', 'C1')])
  expect(await totals()).toEqual({ social: [2, 1], unknown: [2, 1] })

  await saveRecords(app, profileId, [makeEntity('campaign', 'C2')])
  expect(await totals()).toEqual({ social: [2, 1] })

  await saveRecords(app, profileId, [makeEntity('campaign', 'C2')], 'engine_ads')
  expect(await totals()).toEqual({ engine: [2, 1], social: [2, 1] })

  const moved = await stored()
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, attributionJobs)
  expect(await stored()).toEqual(moved)
  await sql`delete from platform_daily where profile_id = ${profileId}`.execute(app.service.db)
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, attributionJobs)
  expect(await stored()).toEqual(moved)
})
