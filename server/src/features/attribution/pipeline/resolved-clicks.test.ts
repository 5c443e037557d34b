import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../../../test/make.ts'
import { jobs } from '../../../app.ts'
import type { AdClickRecord } from '../../../connectors/connector.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { listCampaigns } from '../../insights/reports/contract.ts'
import { saveClicks } from './resolved-clicks.ts'

let app: TestApp
let profileId: string
let call: Client
let owner: Person
let workspaceId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
  const key = await makeKey(app, profileId, ['events:write', 'campaigns:read'])
  call = app.as(key)
  await saveRecords(app, profileId, adStructure, 'engine_ads')
})
afterAll(() => app.close())

const click = (externalId: string, fields: Partial<AdClickRecord> = {}): AdClickRecord => ({
  type: 'ad_click',
  externalId,
  clickIdKind: 'gclid',
  day: '2026-05-02',
  campaignExternalId: 'C1',
  adSetExternalId: 'S1',
  adExternalId: 'A1',
  ...fields,
})

async function resolve(...records: AdClickRecord[]): Promise<void> {
  const now = new Date('2026-05-05T00:00:00Z')
  await inTransaction(app.service.db, (tx) =>
    saveClicks(tx, { profileId, connectionId: uuidv7(), records, now }),
  )
  app.service.processor.wake(profileId)
  await app.service.processor.settled(profileId)
}

async function paid(name: string, gclid: string): Promise<void> {
  const anonymous_id = `visitor ${name}`
  await call(sendEvents, {
    body: {
      events: [
        {
          event_name: 'visit',
          anonymous_id,
          timestamp: '2026-05-02T10:00:00Z',
          idempotency_key: `visit ${name}`,
          click_ids: { gclid },
        },
        {
          event_name: 'payment_received',
          anonymous_id,
          timestamp: '2026-05-03T10:00:00Z',
          idempotency_key: `paid ${name}`,
          properties: { value: 10 },
          user_traits: { external_id: name },
        },
      ],
    },
  })
  await app.service.processor.settled(profileId)
}

const query = { date_from: '2026-05-01', date_to: '2026-05-31' }
async function creditOfAd(): Promise<number> {
  const { data } = await call(listCampaigns, { query: { ...query, level: 'ad' } })
  return data.reduce((sum, row) => sum + Number(row.outcome_value ?? 0), 0)
}
const touchOf = async (clickId: string) =>
  (
    await app.service.db
      .selectFrom('touches')
      .select(['ad_external_id', 'ad_set_external_id', 'campaign_external_id', 'platform'])
      .where('profile_id', '=', profileId)
      .where('click_id', '=', clickId)
      .execute()
  )[0]

it('gives the credit of a click to its ad once the platform reports the ad', async () => {
  await paid('late', 'g-late')
  expect(await touchOf('g-late')).toMatchObject({ platform: 'engine', ad_external_id: null })
  expect(await creditOfAd()).toBe(0)
  await resolve(click('g-late'), click('g-never-clicked'))
  expect(await touchOf('g-late')).toEqual({
    platform: 'engine',
    ad_external_id: 'A1',
    ad_set_external_id: 'S1',
    campaign_external_id: 'C1',
  })
  expect(await creditOfAd()).toBe(10)
})

it('uses the ad immediately if the platform reported the click before', async () => {
  await resolve(click('g-early', { adExternalId: 'A2' }))
  await paid('early', 'g-early')
  expect(await touchOf('g-early')).toMatchObject({ ad_external_id: 'A2' })
})

it('an unresolved click stays a click without an ad', async () => {
  const before = await creditOfAd()
  await paid('unknown', 'g-unknown')
  expect(await touchOf('g-unknown')).toMatchObject({ platform: 'engine', ad_external_id: null })
  expect(await creditOfAd()).toBe(before)
})

it('an erasure keeps the ad of the touch and deletes the click', async () => {
  const before = await creditOfAd()
  const body = { profile_id: profileId, external_id: 'late' }
  await owner.call(eraseWorkspaceCustomer, { params: { workspaceId }, body })
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(profileId)
  expect(await touchOf('g-late')).toBeUndefined()
  expect(await creditOfAd()).toBe(before)
  const remaining = await app.service.db
    .selectFrom('ad_clicks')
    .select('click_id')
    .where('profile_id', '=', profileId)
    .orderBy('click_id')
    .execute()
  expect(remaining.map((row) => row.click_id)).toEqual(['g-early', 'g-never-clicked'])
})

it('deletes old unused clicks, and no others', async () => {
  const now = new Date('2026-09-01T00:00:00Z')
  await inTransaction(app.service.db, (tx) =>
    saveClicks(tx, {
      profileId,
      connectionId: uuidv7(),
      records: [click('g-new', { day: '2026-08-31' })],
      now,
    }),
  )
  const { rows } = await sql<{ click_id: string }>`
    select click_id from ad_clicks where profile_id = ${profileId} order by click_id`.execute(app.service.db)
  expect(rows.map((row) => row.click_id)).toEqual(['g-early', 'g-new'])
})
