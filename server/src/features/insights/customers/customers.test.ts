import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeApp,
  makeKey,
  makeOwnProfile,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  provision,
  refusalOf,
} from '../../../../test/make.ts'
import { listPersonAccess } from '../../../platform/audit/contract.ts'
import type { Client } from '../../../platform/contract/client.ts'
import type { Pagination } from '../../../platform/contract/page.ts'
import { updateComplianceOverview } from '../../account/workspaces/contract.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { createGoal } from '../../corrections/goals/contract.ts'
import { listPayments, recordRefund } from '../../corrections/payments/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getRealtime, listVisitors } from '../visitors/contract.ts'
import { getCustomer, listCustomers } from './contract.ts'
import { inOrder } from './journey.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let call: Client

const at = (minutesAgo: number) => new Date(app.service.clock.now().getTime() - minutesAgo * 60_000)

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId)
  call = app.as(
    await makeKey(app, profileId, [
      'customers:read',
      'visitors:read',
      'realtime:read',
      'events:write',
      'payments:read',
      'payments:write',
    ]),
  )
  const send = (body: Record<string, unknown>) => call(sendEvent, { body: body as { event_name: string } })
  await send({
    event_name: 'page_view',
    anonymous_id: 'phone-of-ana',
    session_start: true,
    timestamp: at(25).toISOString(),
    page: { url: 'https://shop.example/sale?email=ana@example.com', referrer: 'https://www.google.com/' },
  })
  await send({
    event_name: 'visit',
    anonymous_id: 'laptop-of-ana',
    timestamp: at(4).toISOString(),
    ad: { ad_id: 'A1' },
  })
  for (const anonymous_id of ['phone-of-ana', 'laptop-of-ana'])
    await send({
      event_name: 'lead_created',
      anonymous_id,
      idempotency_key: `lead-${anonymous_id}`,
      timestamp: at(3).toISOString(),
      user_traits: { email: 'ana@example.com', phone: '+34600111222', first_name: 'Ana' },
    })
  await send({
    event_name: 'payment_received',
    idempotency_key: 'invoice-1',
    timestamp: at(2).toISOString(),
    properties: { value: 100, currency: 'EUR', order_id: 'gid://store/Order/1001' },
    user_traits: { email: 'ana@example.com' },
  })
  await send({
    event_name: 'payment_received',
    idempotency_key: 'invoice-2',
    timestamp: at(60).toISOString(),
    properties: { value: 30, currency: 'EUR', consent: { ad_user_data: false } },
    user_traits: { email: 'bob@example.com' },
  })
  await send({
    event_name: 'payment_received',
    idempotency_key: 'unidentified',
    properties: { value: 5, currency: 'EUR' },
  })
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

const nextOf = (page: Record<string, unknown>) => (page.pagination as Pagination).cursor!
const find = async (search: string) => (await call(listCustomers, { query: { search } })).data

it('finds a person by email, phone, order, visitor id, conversion and customer id, but not by a partial address', async () => {
  const [ana, ...otherPeople] = await find(' ANA@Example.com ')
  expect(otherPeople).toEqual([])
  expect(ana).toMatchObject({
    contact: { email: 'ana@example.com', phone: '+34600111222', first_name: 'Ana' },
    identifier_kinds: ['email', 'phone', 'anonymous_id', 'anonymous_id'],
    payments: 1,
    revenue: 100,
  })
  const conversion = (await call(getCustomer, { params: { id: ana!.customer_id } })).data.journey.find(
    (entry) => entry.kind === 'conversion',
  )!
  for (const search of [
    '+34 600 111 222',
    '1001',
    '#1001',
    'laptop-of-ana',
    ana!.customer_id,
    conversion.conversion_id,
  ])
    expect([search, (await find(search)).map((row) => row.customer_id)]).toEqual([search, [ana!.customer_id]])
  for (const search of ['example.com', 'na', 'invoice-1', '00000000-0000-7000-8000-000000000000'])
    expect([search, await find(search)]).toEqual([search, []])
})

it('without a search lists customers by their latest conversion, page by page, without unidentified payers', async () => {
  const first = await call(listCustomers, { query: { limit: '1' } })
  const second = await call(listCustomers, { query: { limit: '1', cursor: nextOf(first) } })
  const emails = [...first.data, ...second.data].map((row) => row.contact?.email)
  expect(emails).toEqual(['ana@example.com', 'bob@example.com'])
  expect(first.pagination).toMatchObject({ has_next: true })
  expect(second.pagination).toEqual({ has_next: false, cursor: null })
  const unreadable = call(listCustomers, { query: { limit: '1', cursor: 'WyJ4Il0' } })
  await expect(unreadable).rejects.toMatchObject({ status: 400, code: 'invalid_parameter' })
})

it('returns the journey across devices in chronological order, and revenue less refunds', async () => {
  const [ana] = await find('ana@example.com')
  const { data } = await call(getCustomer, { params: { id: ana!.customer_id } })
  expect(data.journey.map((entry) => entry.kind)).toEqual([
    'touch',
    'touch',
    'conversion',
    'conversion',
    'conversion',
    'payment',
  ])
  const [search, ad] = data.journey.flatMap((entry) => (entry.kind === 'touch' ? [entry] : []))
  expect(search).toMatchObject({ channel: 'organic_search', landing_path: '/sale', ad: null })
  expect(ad).toMatchObject({ ad: { platform_id: 'A1', name: null } })
  expect(search!.identifier_id).not.toBe(ad!.identifier_id)
  expect(data).toMatchObject({
    first_seen_at: search!.occurred_at,
    last_seen_at: data.journey.at(-1)!.occurred_at,
    journey_truncated: false,
    merged_customer_ids: [],
  })
  expect(data.identifiers).toHaveLength(4)
  const payments = await call(listPayments, {
    query: { from: at(90).toISOString(), to: at(-1).toISOString() },
  })
  const invoice = payments.data.find((row) => row.value === 100)!
  await call(recordRefund, { params: { payment_id: invoice.payment_id }, body: { amount: 40 } })
  const after = await call(getCustomer, { params: { id: ana!.customer_id } })
  expect(after.data.revenue).toBe(60)
  expect(after.data.journey.at(-1)).toMatchObject({ kind: 'payment', value: 100, refunded_value: 40 })
})

it('returns the latest stated consent, or null without one', async () => {
  const consentAt = async (email: string) => {
    const [customer] = await find(email)
    return (await call(getCustomer, { params: { id: customer!.customer_id } })).data.consent
  }
  expect(await consentAt('ana@example.com')).toBe(null)
  expect(await consentAt('bob@example.com')).toMatchObject({
    ad_user_data: 'denied',
    ad_personalization: 'unspecified',
  })
})

it('logs access to customers, and another profile finds none of them', async () => {
  const [ana] = await find('ana@example.com')
  const { data: log } = await owner.call(listPersonAccess, { params: { workspaceId } })
  expect(log[0]).toMatchObject({ route: 'listCustomers', customer_ids: [ana!.customer_id] })
  const other = await makeProfile(owner, workspaceId)
  const stranger = app.as(await makeKey(app, other, ['customers:read']))
  expect((await stranger(listCustomers, { query: { search: 'ana@example.com' } })).data).toEqual([])
  expect(await refusalOf(stranger(getCustomer, { params: { id: ana!.customer_id } }))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
})

it('lists each visitor once, most recent first, without personal data', async () => {
  const first = await call(listVisitors, { query: { limit: '1' } })
  expect(first.data[0]).toMatchObject({ is_identified: true, last_visit: { ad: { platform_id: 'A1' } } })
  const nextPage = await call(listVisitors, { query: { cursor: nextOf(first) } })
  const unreadable = call(listVisitors, { query: { cursor: 'WyJ4Il0' } })
  await expect(unreadable).rejects.toMatchObject({ status: 400, code: 'invalid_parameter' })
  expect(nextPage.data.map((row) => row.last_visit.landing_path)).toEqual(['/sale'])
  expect(JSON.stringify([first, nextPage])).not.toContain('ana@')
})

it('the realtime view counts the last half hour and reduces URLs to their paths', async () => {
  const { data } = await call(getRealtime, {})
  expect(data).toMatchObject({ window_minutes: 30, is_sampled: false, active_visitors: 1 })
  expect(data.minutes).toHaveLength(30)
  expect(data.minutes.reduce((sum, minute) => sum + minute.events, 0)).toBe(data.events)
  expect(data.pages).toEqual([{ path: '/sale', views: 1, visitors: 1 }])
  expect(data.conversions.map((row) => row.value)).toEqual([5, 100, null, null])
  expect(JSON.stringify(data)).not.toContain('ana@')
})

it('lists customers of a goal excluded from attribution, and ignores unconfirmed conversions', async () => {
  const profile = await makeOwnProfile(app, [
    'customers:read',
    'events:write',
    'tracking:read',
    'tracking:write',
  ])
  await profile.call(createGoal, {
    body: {
      display_name: 'Deposit',
      conversion_key: 'deposit',
      source_event_names: ['deposit'],
      outcome_type: 'deposit',
      revenue_type: 'cash',
      attribution_eligible: false,
    },
  })
  let minute = 0
  const pay = (event_name: string, email: string, value: number, properties: object = {}) =>
    profile.call(sendEvent, {
      body: {
        event_name,
        idempotency_key: `pay-${minute}`,
        timestamp: `2026-05-04T10:0${minute++}:00Z`,
        properties: { value, currency: 'EUR', ...properties },
        user_traits: { email },
      },
    })
  await pay('deposit', 'dia@example.com', 100)
  await pay('payment_received', 'eva@example.com', 7)
  await pay('payment_received', 'eva@example.com', 55, { currency: 'USD' })
  await app.service.processor.settled(profile.profileId)
  const { data } = await profile.call(listCustomers, {})
  // The amount without an exchange rate is excluded and counted; the rest is still shown.
  expect(data).toMatchObject([
    { contact: { email: 'eva@example.com' }, conversions: 2, payments: 2, revenue: 7, fx_missing: 1 },
    { contact: { email: 'dia@example.com' }, conversions: 1, payments: 1, revenue: 100, fx_missing: 0 },
  ])
  await sql`
    update conversions set unconfirmed = true, attribution_eligible = false
    where profile_id = ${profile.profileId} and currency = 'USD'`.execute(app.service.db)
  const [eva] = (await profile.call(listCustomers, {})).data
  expect(eva).toMatchObject({ conversions: 1, last_conversion_at: '2026-05-04T10:01:00.000Z', fx_missing: 0 })
})

it('a partner app cannot read customers of a healthcare workspace', async () => {
  const partner = await makeApp(app, workspaceId)
  const keys = await provision(app, profileId, partner, ['analytics_pii'])
  const asPartner = app.as(keys.apiKey)
  expect((await asPartner(listCustomers, { query: {} })).data.length).toBeGreaterThan(0)
  await owner.call(updateComplianceOverview, { params: { workspaceId }, body: { healthcare: true } })
  expect(await refusalOf(asPartner(listCustomers, { query: {} }))).toMatchObject({ status: 403 })
  await owner.call(updateComplianceOverview, { params: { workspaceId }, body: { healthcare: false } })
})

it('an erased customer is no longer found', async () => {
  const [bob] = await find('bob@example.com')
  await owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, email: 'bob@example.com' },
  })
  expect(await find('bob@example.com')).toEqual([])
  expect(await refusalOf(call(getCustomer, { params: { id: bob!.customer_id } }))).toMatchObject({
    status: 404,
  })
  const listed = await call(listCustomers, { query: {} })
  expect(listed.data.map((row) => row.customer_id)).not.toContain(bob!.customer_id)
})

it('entries with equal times are ordered from cause to effect', () => {
  const occurred_at = '2026-05-01T10:00:00.000Z'
  const kinds = ['payment', 'conversion', 'touch'] as const
  const entries = kinds.map((kind) => ({ kind, occurred_at }) as Parameters<typeof inOrder>[0][number])
  expect(inOrder(entries).map((entry) => entry.kind)).toEqual(['touch', 'conversion', 'payment'])
})
