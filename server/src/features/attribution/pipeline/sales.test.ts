import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { jobs } from '../../../app.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { createGoal, listGoals, updateGoal } from '../../corrections/goals/contract.ts'
import { listPayments, reportCardGatewayPayment } from '../../corrections/payments/contract.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { toIntegrationEvents } from '../../facts/events/integrations.ts'
import { getOverview } from '../../insights/reports/contract.ts'
import {
  getTrackingSettings,
  issueTrackingKey,
  updateTrackingSettings,
} from '../../sources/tracking/contract.ts'
import { explainConversion, startRecompute } from '../crediting/contract.ts'

let app: TestApp
let person: Person
let workspaceId: string
let profileId: string
let call: Client
let trackingKey: string

beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app)
  workspaceId = await makeWorkspace(person, 'agency')
})
afterAll(() => app.close())
beforeEach(async () => {
  profileId = await makeProfile(person, workspaceId, { currency: 'USD', timezone: 'UTC' })
  call = app.as(
    await makeKey(app, profileId, [
      'events:write',
      'campaigns:read',
      'conversions:read',
      'tracking:read',
      'tracking:write',
      'payments:read',
      'payments:write',
    ]),
  )
  trackingKey = (await call(issueTrackingKey, {})).data.key
})

const browser = async (
  value: number,
  orderId: string | null,
  at = '2026-10-05T10:00:00Z',
  email?: string,
) => {
  const page = makeWirePage({
    event_id: uuidv7(new Date()),
    anonymous_id: `v-${orderId}`,
    type: 'purchase',
    event_name: 'payment_received',
    occurred_at: at,
    sent_at: app.service.clock.now().toISOString(),
    properties: { value, currency: 'USD', ...(orderId === null ? {} : { order_id: orderId }) },
    user_traits: email === undefined ? {} : { email },
  })
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    body: JSON.stringify({ ...page, key: trackingKey }),
  })
  expect(reply.status).toBe(202)
}
const server = (value: number, orderId: string | null, key: string, at = '2026-10-05T10:00:05Z') =>
  call(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: key,
      timestamp: at,
      properties: { value, ...(orderId === null ? {} : { order_id: orderId }) },
      user_traits: { email: 'ana@example.com' },
    },
  })
const card = (value: number, orderId: string, id: string) =>
  call(reportCardGatewayPayment, {
    body: {
      merchant_id: 'm',
      payment_id: id,
      value,
      currency: 'USD',
      occurred_at: '2026-10-05T10:01:00Z',
      order_id: orderId,
    },
  })
const store = async (value: number, orderId: string) => {
  const record = {
    type: 'payment' as const,
    externalId: orderId,
    occurredAt: '2026-10-05T10:00:30.000Z',
    amount: { amountMinor: value * 100, currency: 'USD' },
    status: 'succeeded' as const,
    person: { ...emptyPerson(), email: 'ana@example.com' },
    orderId,
  }
  const { identityPepper: pepper, clock, ingest } = app.service
  const setting = { profileId, provider: 'storefront', country: null, pepper, now: clock.now() }
  await ingest.add(profileId, toIntegrationEvents([record], setting))
}
const revenue = async () => {
  await app.service.processor.settled(profileId)
  const { data } = await call(getOverview, { query: { date_from: '2026-10-01', date_to: '2026-10-31' } })
  return { revenue: data.totals.revenue, payments: data.totals.payments }
}
const payments = async () => {
  const query = { from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z' }
  const { data } = await call(listPayments, { query })
  return data.map((row) => [row.provider, row.status]).sort()
}
async function credits(): Promise<unknown> {
  const tables = ['credits', 'credit_daily', 'conversion_daily', 'conversions', 'payments'] as const
  return Promise.all(
    tables.map(
      async (table) =>
        (
          await sql<{ row: string }>`
            select t::text as row from ${sql.table(table)} t where profile_id = ${profileId} order by 1`.execute(
            app.service.db,
          )
        ).rows,
    ),
  )
}

it('one order reported by browser, server, store and card processor is one sale, in any order of arrival', async () => {
  const reports = [
    () => browser(100, 'gid://shopify/Order/77'),
    () => server(100, '77', 'k'),
    () => store(100, '77'),
    () => card(100, '77', 'ch_1'),
  ]
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
  ]) {
    profileId = await makeProfile(person, workspaceId, { currency: 'USD', timezone: 'UTC' })
    const key = await makeKey(app, profileId, [
      'events:write',
      'campaigns:read',
      'tracking:write',
      'payments:read',
      'payments:write',
      'conversions:read',
    ])
    call = app.as(key)
    trackingKey = (await call(issueTrackingKey, {})).data.key
    for (const index of order) {
      await reports[index]!()
      await app.service.processor.settled(profileId)
    }
    expect(await revenue()).toEqual({ revenue: 100, payments: 1 })
    expect(await payments()).toEqual([
      ['cardgateway', 'succeeded'],
      ['events', 'duplicate'],
      ['storefront', 'duplicate'],
      ['web', 'duplicate'],
    ])
  }
  const { data } = await call(explainConversion, { params: { id: 'k' }, query: {} })
  const countedConversions = await sql<{ id: string }>`
    select id from payments where profile_id = ${profileId} and provider = 'cardgateway'`.execute(
    app.service.db,
  )
  expect(data).toMatchObject({
    duplicate_of: countedConversions.rows[0]!.id,
    attribution_eligible: false,
    models: [],
  })
})

it('when the counted event is retracted, the next one counts; instalments of one source all count', async () => {
  await server(100, '9', 'a')
  await browser(100, '9')
  expect(await revenue()).toEqual({ revenue: 100, payments: 1 })
  await server(50, '9', 'b')
  expect(await revenue()).toEqual({ revenue: 150, payments: 2 })
  await call(updateTrackingSettings, { body: { browser_revenue: 'count' } })
  for (const key of ['a', 'b']) await call(retractEvent, { body: { idempotency_key: key } })
  expect(await revenue()).toEqual({ revenue: 100, payments: 1 })
  expect(await payments()).toEqual([['web', 'succeeded']])
})

it('browser money counts until a server reports payments; after that it needs confirmation', async () => {
  expect((await call(getTrackingSettings, {})).data.browser_revenue).toBe('confirm')
  await browser(10, 'early', '2026-10-01T10:00:00Z')
  await browser(20, 'late', '2026-10-08T10:00:00Z')
  expect(await revenue()).toEqual({ revenue: 30, payments: 2 })
  await server(500, 'other', 'srv', '2026-10-05T00:00:00Z')
  expect(await revenue()).toEqual({ revenue: 510, payments: 2 })
  await browser(7_000_000, 'forged', '2026-10-09T10:00:00Z')
  await browser(500, 'other', '2026-10-05T00:00:02Z')
  expect(await revenue()).toEqual({ revenue: 510, payments: 2 })
  expect(await payments()).toEqual([
    ['events', 'succeeded'],
    ['web', 'duplicate'],
    ['web', 'succeeded'],
    ['web', 'unconfirmed'],
    ['web', 'unconfirmed'],
  ])
  // A server payment with an earlier time moves the time from which browser money needs confirmation.
  await server(1, null, 'first', '2026-09-30T00:00:00Z')
  expect(await revenue()).toEqual({ revenue: 500, payments: 1 })
  await call(retractEvent, { body: { idempotency_key: 'first' } })
  expect(await revenue()).toEqual({ revenue: 510, payments: 2 })
})

it('a change of browser_revenue restates figures, is audited, and equals a full recompute', async () => {
  await server(500, 'other', 'srv', '2026-10-05T00:00:00Z')
  await browser(20, 'late', '2026-10-08T10:00:00Z')
  expect(await revenue()).toEqual({ revenue: 500, payments: 1 })
  await call(updateTrackingSettings, { body: { browser_revenue: 'count' } })
  expect(await revenue()).toEqual({ revenue: 520, payments: 2 })
  await call(updateTrackingSettings, { body: { browser_revenue: 'ignore' } })
  expect(await revenue()).toEqual({ revenue: 500, payments: 1 })
  const before = await credits()
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, jobs)
  expect(await credits()).toEqual(before)
  const { data: audit } = await person.call(listChanges, {
    params: { workspaceId },
    query: { profile_id: profileId },
  })
  expect(audit.filter((row) => row.action === 'tracking_settings.browser_revenue_changed')).toHaveLength(2)
})

it('an erasure of the payer does not change duplicates', async () => {
  await server(100, '77', 'k')
  await browser(100, '77')
  await app.service.processor.settled(profileId)
  expect(await revenue()).toEqual({ revenue: 100, payments: 1 })
  await person.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, email: 'ana@example.com' },
  })
  await drainJobs(app.service, jobs)
  expect(await revenue()).toEqual({ revenue: 100, payments: 1 })
  expect(await payments()).toEqual([
    ['events', 'succeeded'],
    ['web', 'duplicate'],
  ])
})

it('two goals cannot both turn one event into cash', async () => {
  const goal = {
    display_name: 'Sale',
    conversion_key: 'sale',
    source_event_names: ['sale', 'payment_received'],
    outcome_type: 'sale',
    revenue_type: 'cash' as const,
    attribution_eligible: true,
  }
  const expectedRefusal = { status: 409, code: 'invalid_state', reason: 'cash_counted_by_other_goal' }
  const refusal = await refusalOf(call(createGoal, { body: goal }))
  expect(refusal).toMatchObject(expectedRefusal)
  expect(refusal.message).toContain('payment_received')
  const gross = await call(createGoal, { body: { ...goal, revenue_type: 'gross' } })
  const params = { id: gross.data.id }
  expect(await refusalOf(call(updateGoal, { params, body: { revenue_type: 'cash' } }))).toMatchObject(
    expectedRefusal,
  )
  await call(updateGoal, { params, body: { revenue_type: 'cash', source_event_names: ['sale'] } })
  const { data } = await call(listGoals, {})
  const paid = data.find((row) => row.conversion_key === 'payment_received')!
  const body = { source_event_names: ['payment_received', 'sale'] }
  expect(await refusalOf(call(updateGoal, { params: { id: paid.id }, body }))).toMatchObject(expectedRefusal)
})
