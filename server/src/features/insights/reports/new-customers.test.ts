import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, makeDelivery, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getUnattributed, listCampaigns } from './contract.ts'

let app: TestApp
let profileId: string
let call: Client

const may = { date_from: '2026-05-01', date_to: '2026-05-31' }

beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app, 'Owner')
  profileId = await makeProfile(owner, await makeWorkspace(owner, 'agency'))
  call = app.as(await makeKey(app, profileId, ['campaigns:read', 'events:write', 'tracking:write']))
  await saveRecords(app, profileId, [
    ...adStructure,
    makeDelivery('campaign', 'C1', '2026-05-10', { spendMinor: 6000 }),
  ])
  await visit('ana', 1, 'A1')
  await pay('ana', 2, 100)
  await pay('ana', 6, 50)
  await pay('ana', 20, 30)
  await visit('ben', 3, 'A1')
  await visit('ben', 4, 'A3')
  await pay('ben', 5, 10)
  await pay('cleo', 7, 7)
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

async function send(who: string, day: number, body: { event_name: string; [more: string]: unknown }) {
  const timestamp = `2026-05-${String(day).padStart(2, '0')}T10:00:00Z`
  const defaults = {
    timestamp,
    idempotency_key: `${who}-${day}-${body.event_name}`,
    user_traits: { email: `${who}@x.co` },
  }
  await call(sendEvent, { body: { ...defaults, ...body } })
}
const visit = (who: string, day: number, adId: string) =>
  send(who, day, { event_name: 'visit', ad: { ad_id: adId } })
const pay = (who: string, day: number, value: number) =>
  send(who, day, { event_name: 'payment_received', properties: { value, currency: 'EUR' } })

const brief = (row: object) =>
  Object.entries(row)
    .filter(([name]) => name.startsWith('new_customer'))
    .map(([, value]) => value)

it('a deposit and its balance are one new customer with the money of both; later payments are not', async () => {
  const { data, total } = await call(listCampaigns, { query: { ...may, level: 'campaign' } })
  const rows = Object.fromEntries(data.map((row) => [row.platform_id, brief(row)]))
  expect(rows.C1).toEqual([1, 150, 60, 2.5])
  expect(data.find((row) => row.platform_id === 'C1')).toMatchObject({ outcome_count: 3, outcome_value: 180 })
  expect(brief(total as object).slice(0, 2)).toEqual([2, 160])
})

it.each(models)(
  'under %s rows and the unattributed part add up to all first payments, each new customer once',
  async (model) => {
    const query = { ...may, model }
    const { data, total } = await call(listCampaigns, { query: { ...query, level: 'campaign' } })
    const { data: unattributed } = await call(getUnattributed, { query })
    const value = data.reduce((sum, row) => sum + (row.new_customer_value ?? 0), 0)
    expect(value + (unattributed.new_customer_value ?? 0)).toBe(167)
    expect([total, unattributed]).toMatchObject([{ new_customer_count: 2 }, { new_customer_count: 1 }])
  },
)

it('a payment that arrives late with an earlier date becomes the first payment', async () => {
  await pay('ana', 1, 5)
  await app.service.processor.settled(profileId)
  const { data } = await call(listCampaigns, { query: { ...may, level: 'campaign' } })
  expect(brief(data.find((row) => row.platform_id === 'C1')!).slice(0, 2)).toEqual([1, 155])
})
