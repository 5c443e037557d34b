/** Regressions found by random worlds, each as its smallest history. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { explainConversion } from '../../src/features/attribution/crediting/contract.ts'
import { loadAttributionProfile } from '../../src/features/attribution/crediting/settings.ts'
import { mergeCustomers, undoMerge } from '../../src/features/corrections/identity-review/merges.ts'
import {
  deleteRefund,
  listPayments,
  recordRefund,
  setInstallment,
  setPayer,
} from '../../src/features/corrections/payments/contract.ts'
import { type EventInput, sendEvent } from '../../src/features/facts/events/contract.ts'
import { eventIdOf } from '../../src/features/facts/events/rules.ts'
import { identifierId } from '../../src/features/facts/identity/identifiers.ts'
import { getAdIdQuality, listCampaigns } from '../../src/features/insights/reports/contract.ts'
import { importSpend } from '../../src/features/sources/imports/contract.ts'
import type { Client } from '../../src/platform/contract/client.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person, refusalOf } from '../make.ts'

let app: TestApp
let person: Person
let workspaceId: string
let profileId: string
let call: Client
const may = { date_from: '2026-05-01', date_to: '2026-05-31' }

beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app)
  workspaceId = await makeWorkspace(person, 'agency')
})
beforeEach(async () => {
  profileId = await makeProfile(person, workspaceId)
  call = app.as(
    await makeKey(app, profileId, [
      'events:write',
      'payments:read',
      'payments:write',
      'campaigns:read',
      'campaigns:apply',
      'conversions:read',
    ]),
  )
})
afterAll(() => app.close())

type Sent = Parameters<typeof EventInput.parse>[0] & Record<string, unknown>

const settle = () => app.service.processor.settled(profileId)
async function send(fields: Sent): Promise<void> {
  const body = { event_name: 'identify', timestamp: '2026-05-02T10:00:00Z', ...fields }
  await call(sendEvent, { body })
  await settle()
}
const visit = (who: string, ad_id: string, day = '2026-05-01') =>
  send({ event_name: 'visit', anonymous_id: who, timestamp: `${day}T10:00:00Z`, ad: { ad_id } })
const pay = (key: string, who: Sent, value = 100) =>
  send({
    event_name: 'payment_received',
    timestamp: '2026-05-10T10:00:00Z',
    idempotency_key: key,
    properties: { value },
    ...who,
  })
const idOf = (kind: 'email' | 'anonymous_id' | 'external_id', value: string) =>
  identifierId(kind, value, profileId, app.service.identityPepper)

async function merge(from: string, into: string, minute: number): Promise<string> {
  const now = new Date(Date.UTC(2026, 4, 20, 10, minute))
  const id = uuidv7(now)
  await inTransaction(app.service.db, async (tx) => {
    const profile = await loadAttributionProfile(tx, profileId)
    await mergeCustomers(tx, profile, { id, fromCustomerId: from, intoCustomerId: into, by: null, now })
  })
  return id
}

/** Value of each ad under last touch. */
async function creditedAds(level: 'ad' | 'campaign' = 'ad'): Promise<Record<string, number>> {
  const { data } = await call(listCampaigns, { query: { ...may, level } })
  return Object.fromEntries(
    data
      .filter((row) => row.outcome_count > 0)
      .map((row) => [row.platform_id, row.outcome_value ?? Number.NaN]),
  )
}

describe('people', () => {
  it('a merged customer keeps everything when a stronger identifier becomes its root', async () => {
    await visit('phone', 'A1')
    await send({ anonymous_id: 'laptop', user_traits: { email: 'eva@example.com' } })
    await merge(idOf('anonymous_id', 'phone'), idOf('email', 'eva@example.com'), 1)
    await send({ user_traits: { email: 'eva@example.com', external_id: 'crm-1' } })
    await pay('eva', { user_traits: { external_id: 'crm-1' } })
    expect(await creditedAds()).toEqual({ A1: 100 })
  })

  it('undoing a merge restores both sides, also after the root changed', async () => {
    await visit('phone', 'A1')
    await send({ anonymous_id: 'laptop', user_traits: { email: 'eva@example.com' } })
    const id = await merge(idOf('anonymous_id', 'phone'), idOf('email', 'eva@example.com'), 1)
    await send({ user_traits: { email: 'eva@example.com', external_id: 'crm-1' } })
    await pay('eva', { user_traits: { external_id: 'crm-1' } })
    await inTransaction(app.service.db, async (tx) => {
      const profile = await loadAttributionProfile(tx, profileId)
      expect(await undoMerge(tx, profile, { id, by: null, now: new Date() })).toBe(true)
    })
    expect(await creditedAds()).toEqual({})
  })

  it('explains a touch that a later link moved elsewhere as superseded by the earlier merge', async () => {
    await visit('phone', 'A1')
    await visit('laptop', 'A2')
    for (const name of ['xavi', 'yago'])
      await send({ anonymous_id: `of-${name}`, user_traits: { email: `${name}@example.com` } })
    await pay('yago', { user_traits: { email: 'yago@example.com' } })
    await merge(idOf('anonymous_id', 'phone'), idOf('email', 'xavi@example.com'), 1)
    await merge(idOf('anonymous_id', 'laptop'), idOf('email', 'yago@example.com'), 2)
    expect(await creditedAds()).toEqual({ A2: 100 })
    for (const anonymous_id of ['phone', 'laptop'])
      await send({ anonymous_id, user_traits: { email: 'zoe@example.com' } })
    expect(await creditedAds()).toEqual({})
    const { data } = await call(explainConversion, { params: { id: 'yago' }, query: { model: 'linear' } })
    expect(
      data.models[0]?.touches.map((touch) => [touch.ad?.platform_id, touch.status, touch.reason]),
    ).toEqual([
      ['A1', 'excluded', 'superseded_by_merge'],
      ['A2', 'excluded', 'superseded_by_merge'],
    ])
  })

  it('an identifier that occurs only in an older version of an event is removed', async () => {
    await pay('p', { user_traits: { email: 'old@example.com' } })
    const params = { payment_id: eventIdOf(profileId, 'p') }
    await pay('p', { user_traits: { email: 'new@example.com' } })
    expect((await refusalOf(call(setPayer, { params, body: { email: 'old@example.com' } }))).code).toBe(
      'customer_not_in_profile',
    )
    await call(setPayer, { params, body: { email: 'new@example.com' } })
  })
})

describe('payments', () => {
  it('the merchant’s marks survive a version of the event that is no payment', async () => {
    await send({ anonymous_id: 'eva', user_traits: { email: 'eva@example.com' } })
    await pay('p', { anonymous_id: 'somebody' })
    const params = { payment_id: eventIdOf(profileId, 'p') }
    await call(setPayer, { params, body: { email: 'eva@example.com' } })
    await call(setInstallment, { params, body: { is_installment: true } })
    await pay('p', { anonymous_id: 'somebody', event_name: 'noise' })
    const times = { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' }
    expect((await call(listPayments, { query: times })).data).toEqual([])
    await pay('p', { anonymous_id: 'somebody' })
    expect((await call(listPayments, { query: times })).data).toMatchObject([
      {
        customer_id: idOf('email', 'eva@example.com'),
        payer: { assigned: true },
        is_installment: true,
        is_first_payment: false,
      },
    ])
  })

  it('a refund and its undo leave the rollups unchanged', async () => {
    await visit('eva', 'A1')
    await pay('p', { anonymous_id: 'eva' })
    const rollups = async () => {
      const { rows } = await sql`
        select 'credit' as kind, day, level, entity_id from credit_daily where profile_id = ${profileId}
        union all select 'total', day, '', null from conversion_daily where profile_id = ${profileId}
        order by 1, 2, 3, 4`.execute(app.service.db)
      return rows
    }
    const before = await rollups()
    const params = { payment_id: eventIdOf(profileId, 'p') }
    await call(recordRefund, { params, body: { amount: 40, refunded_at: '2026-05-12T10:00:00Z' } })
    expect((await rollups()).length).toBeGreaterThan(before.length)
    await call(deleteRefund, { params })
    expect(await rollups()).toEqual(before)
  })
})

describe('ads', () => {
  it('credit belongs to the campaign of its ad set, like the delivery of that set', async () => {
    const row = { source: 'radio', date: '2026-05-01', spend: '1' }
    const ad = { ...row, level: 'ad' as const, ad_id: 'A1', ad_set_id: 'S1', campaign_id: 'C1' }
    const set = { ...row, level: 'ad_set' as const, ad_set_id: 'S1', campaign_id: 'C2' }
    await call(importSpend, { body: { rows: [ad] } })
    await call(importSpend, { body: { rows: [set] } })
    await visit('eva', 'A1')
    await pay('p', { anonymous_id: 'eva' })
    expect(await creditedAds('campaign')).toEqual({ C2: 100 })
  })

  it('unknown ads are those of touches in the range', async () => {
    await visit('eva', 'A1', '2026-04-10')
    await visit('eva', 'A2', '2026-05-10')
    const { data } = await call(getAdIdQuality, { query: may })
    expect(data.unknown_ads.map((row) => row.ad_id)).toEqual(['A2'])
    expect(data.unknown_ads_total).toBe(1)
  })
})
