import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace, type Person } from '../../../../test/make.ts'
import type { OutcomeRecord, PaymentRecord, RefundRecord } from '../../../connectors/connector.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { applyRefunds } from '../../attribution/pipeline/refunds.ts'
import { type IntegrationRecord, toIntegrationEvents } from './integrations.ts'
import { writeEvents } from './queries.ts'

let app: TestApp
let person: Person
let workspaceId: string
let profileId: string

beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app)
  workspaceId = await makeWorkspace(person, 'agency')
})
beforeEach(async () => {
  profileId = await makeProfile(person, workspaceId)
})
afterAll(() => app.close())

const now = new Date('2026-05-20T00:00:00Z')

async function take(records: readonly IntegrationRecord[], provider = 'storefront') {
  const setting = { profileId, provider, country: null, pepper: app.service.identityPepper, now }
  const statuses = await inTransaction(app.service.db, (tx) =>
    writeEvents(tx, { profileId, events: toIntegrationEvents(records, setting) }),
  )
  await app.service.processor.settled(profileId)
  return statuses
}
const refund = (records: readonly RefundRecord[], provider = 'storefront') =>
  inTransaction(app.service.db, async (tx) =>
    applyRefunds(tx, await loadAttributionProfile(tx, profileId), provider, records, now),
  )

const buyer = {
  ...emptyPerson(),
  email: 'ana@example.com',
  clickIds: { fbc: 'fb.1.1700000000.AbC', fbp: 'fb.1.1.2' },
  ad: { adId: 'A1', adSetId: null, campaignId: 'C1' },
}
const payment: PaymentRecord = {
  type: 'payment',
  externalId: 'ch_1',
  occurredAt: '2026-05-02T10:00:00.000Z',
  amount: { amountMinor: 5000, currency: 'EUR' },
  status: 'succeeded',
  person: buyer,
  orderId: null,
}
const givenBack: RefundRecord = {
  type: 'refund',
  externalId: 're_1',
  paymentExternalId: 'ch_1',
  occurredAt: '2026-05-05T10:00:00.000Z',
  amount: { amountMinor: 2000, currency: 'EUR' },
  kind: 'refund',
}

const campaignMoney = async () =>
  (
    await sql<{ day: string; count: number; minor: number }>`
      select day, last_touch_count as count, last_touch_minor as minor from credit_daily
      where profile_id = ${profileId} and level = 'campaign' and revenue_type like 'cash%' order by day`.execute(
      app.service.db,
    )
  ).rows

it("counts a payment once, with the provider's click as its touch, and updates its status", async () => {
  expect(await take([{ ...payment, status: 'pending' }])).toEqual(['accepted'])
  expect(await campaignMoney()).toEqual([])
  expect(await take([payment])).toEqual(['updated'])
  expect(await take([payment, payment])).toEqual(['unchanged'])
  expect(await campaignMoney()).toEqual([{ day: '2026-05-02', count: 1, minor: 5000 }])
  const { rows } = await sql<{ channel: string; click_id: string }>`
    select channel, click_id from touches where profile_id = ${profileId}`.execute(app.service.db)
  expect(rows).toEqual([{ channel: 'paid_social', click_id: 'AbC' }])
})

it('nets a refund once, on its own day, whether it arrives before or after its payment', async () => {
  const expected = [
    { day: '2026-05-02', count: 1, minor: 5000 },
    { day: '2026-05-05', count: 0, minor: -2000 },
  ]
  await refund([givenBack])
  expect(await campaignMoney()).toEqual([])
  await take([payment])
  expect(await campaignMoney()).toEqual(expected)
  await refund([givenBack, givenBack])
  expect(await campaignMoney()).toEqual(expected)
  await refund([{ ...givenBack, amount: { amountMinor: 3000, currency: 'EUR' } }])
  expect((await campaignMoney())[1]!.minor).toBe(-3000)
  const waitingRefunds = await sql`select 1 from refunds_waiting where profile_id = ${profileId}`.execute(
    app.service.db,
  )
  expect(waitingRefunds.rows).toEqual([])
})

it('distinguishes two outcomes of one provider id, and retracts one that no longer applies', async () => {
  const booked: OutcomeRecord = {
    type: 'outcome',
    externalId: 'ap_1',
    outcomeType: 'appointment_booked',
    occurredAt: '2026-05-02T10:00:00.000Z',
    value: null,
    person: { ...emptyPerson(), contactId: 'c1' },
    stageId: null,
    retracted: false,
  }
  const attended = { ...booked, outcomeType: 'appointment_attended', occurredAt: '2026-05-03T10:00:00.000Z' }
  await take([booked, attended], 'crmsuite')
  const types = async () =>
    (
      await sql<{ outcome_type: string }>`
        select outcome_type from conversions where profile_id = ${profileId} order by outcome_type`.execute(
        app.service.db,
      )
    ).rows.map((row) => row.outcome_type)
  expect(await types()).toEqual(['appointment_attended', 'appointment_booked'])
  await take([{ ...attended, retracted: true }], 'crmsuite')
  expect(await types()).toEqual(['appointment_booked'])
})

it('a stage keeps its event when the mapping changes', async () => {
  const stage: OutcomeRecord = {
    type: 'outcome',
    externalId: 'op_1:st_1',
    outcomeType: 'quote_presented',
    occurredAt: '2026-05-02T10:00:00.000Z',
    value: null,
    person: { ...emptyPerson(), contactId: 'c1' },
    stageId: 'st_1',
    retracted: false,
  }
  await take([stage], 'crmsuite')
  expect(await take([{ ...stage, outcomeType: 'closed_won' }], 'crmsuite')).toEqual(['updated'])
})
