import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKey, makeOwnProfile, startTestProfile } from '../../../../test/make.ts'
import { paymentTimes } from '../../../../test/payments.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { listPayments } from '../../corrections/payments/contract.ts'
import { toEvent } from './to-event.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['events:write'])
})
afterAll(() => profile.app.close())

const send = (body: unknown, secret = profile.key) =>
  fetch(`${profile.app.baseUrl}/mp/collect?measurement_id=G-1&api_secret=${secret}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const stored = async (profileId = profile.profileId) =>
  (
    await profile.app.pool.query<{ name: string }>(
      'select name from events where profile_id = $1 order by name',
      [profileId],
    )
  ).rows.map((row) => row.name)

const purchase = { name: 'purchase', params: { transaction_id: 'T-1', value: 49.9, currency: 'EUR' } }
const visitor = { client_id: 'visitor-1', timestamp_micros: 1_777_636_800_000_000 }

it('stores events once, under the names that goals count', async () => {
  const body = {
    ...visitor,
    user_id: 'customer-1',
    events: [
      { name: 'page_view', params: { page_location: 'https://shop.example/?gclid=g1', session_id: 7 } },
      { name: 'sign_up', params: { method: 'mail' } },
      purchase,
      { name: 'add_to_cart', params: { value: {} } },
      { params: {} },
    ],
  }
  const answer = await send(body)
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  expect((await send(body)).status).toBe(204)
  expect((await send({ ...visitor, client_id: 'retry', events: [purchase] })).status).toBe(204)
  expect(await stored()).toEqual(['lead_created', 'page_view', 'payment_received'])
})

it('a wrong secret, one without the scope, or one of a user stores nothing', async () => {
  const other = await makeOwnProfile(profile.app, ['events:write'])
  const reader = await makeKey(profile.app, other.profileId, ['campaigns:read'])
  for (const [secret, status] of [
    ['nonsense', 401],
    ['', 401],
    [other.owner.token, 401],
    [reader, 403],
  ] as const)
    expect([secret, (await send({ ...visitor, events: [purchase] }, secret)).status]).toEqual([
      secret,
      status,
    ])
  expect(await stored(other.profileId)).toEqual([])
  expect((await send({ ...visitor, events: [purchase] }, other.key)).status).toBe(204)
  expect(await stored(other.profileId)).toEqual(['payment_received'])
})

it('a body without a list of events is a 400, and never a redirect or 500', async () => {
  for (const body of ['', '[]', '{', '{}', '{"events":7}', '{"events":{}}'])
    expect([body, (await send(body)).status]).toEqual([body, 400])
  for (const events of [[null], [7], [{ name: 'x', params: 7, timestamp_micros: 'x' }]])
    expect((await send({ events, client_id: {}, user_id: [], consent: 7 })).status).toBe(204)
})

it('reads campaign, consent, time and page', () => {
  const details = { name: 'campaign_details', params: { source: 'mail', medium: 'email', campaign: 'may' } }
  expect(toEvent(details, visitor, '')).toMatchObject({
    event_name: 'visit',
    anonymous_id: 'visitor-1',
    timestamp: '2026-05-01T12:00:00.000Z',
    utm: { source: 'mail', medium: 'email', campaign: 'may' },
  })
  const params = { ...purchase.params, page_location: 'https://shop.example/thanks', page_title: 'Thanks' }
  const consent = { ad_user_data: 'DENIED', ad_personalization: 'GRANTED' }
  expect(toEvent({ ...purchase, params }, { ...visitor, consent }, '')).toMatchObject({
    idempotency_key: 'ga4:purchase:T-1',
    properties: {
      value: 49.9,
      currency: 'EUR',
      order_id: 'T-1',
      consent: { ad_user_data: 'denied', ad_personalization: 'granted' },
    },
    page: { url: 'https://shop.example/thanks', title: 'Thanks' },
  })
})

it('an event with unstorable text or an invalid time does not affect other events', async () => {
  const otherProfile = await makeOwnProfile(profile.app, ['events:write'])
  const page_location = 'https://shop.example/?utm_source=%00a&utm_term=%ED%A0%80&gclid=%00'
  const body = {
    client_id: `${'x'.repeat(199)}😀`,
    timestamp_micros: { valueOf: 1, toString: 1 },
    events: [
      { name: 'page_view', params: { page_location, page_title: `${'x'.repeat(511)}😀` } },
      { name: 'far', timestamp_micros: '9'.repeat(20) },
      { name: 'sign_up', timestamp_micros: [] },
    ],
  }
  expect((await send(body, otherProfile.key)).status).toBe(204)
  expect(await stored(otherProfile.profileId)).toEqual(['far', 'lead_created', 'page_view'])
})

const refund = (params: object) => ({ name: 'refund', params: { transaction_id: 'T-9', ...params } })
const purchased = { timestamp_micros: Date.parse('2026-05-01T12:00:00Z') * 1000 }
const paid = { ...purchased, name: 'purchase', params: { transaction_id: 'T-9', value: 50, currency: 'EUR' } }

async function startShop() {
  const otherProfile = await makeOwnProfile(profile.app, ['events:write', 'payments:read'])
  const call = profile.app.as(otherProfile.key)
  return {
    ...otherProfile,
    send: async (...events: object[]) =>
      (await send({ client_id: 'buyer', events }, otherProfile.key)).status,
    sendEvents: async (...events: object[]) => {
      const { status } = await send({ client_id: 'buyer', events }, otherProfile.key)
      await profile.app.service.processor.settled(otherProfile.profileId)
      return status
    },
    payments: async () =>
      (await call(listPayments, { query: paymentTimes })).data.map((payment) => [
        payment.value,
        payment.refunded_value,
        payment.net_value,
      ]),
  }
}

it('a refund reduces its purchase once, before or after it arrives, and never by more than its amount', async () => {
  const shop = await startShop()
  const before = refund({ value: 10, currency: 'EUR' })
  expect(await shop.sendEvents(before, before)).toBe(204)
  expect(await shop.payments()).toEqual([])
  await shop.sendEvents(paid)
  expect(await shop.payments()).toEqual([[50, 10, 40]])
  await shop.sendEvents(before)
  expect(await shop.payments()).toEqual([[50, 10, 40]])
  await shop.sendEvents({ ...before, timestamp_micros: Date.parse('2026-05-02T12:00:00Z') * 1000 })
  expect(await shop.payments()).toEqual([[50, 20, 30]])
  await shop.sendEvents(refund({ value: 99, currency: 'EUR' }))
  expect(await shop.payments()).toEqual([[50, 50, 0]])
})

it('a refund is accepted while a recompute holds the profile’s lock, and applied after it', async () => {
  const shop = await startShop()
  await shop.sendEvents(paid)
  const { service } = profile.app
  const status = await inTransaction(service.db, async (tx) => {
    await lockProfile(tx, shop.profileId)
    return shop.send(refund({ value: 10, currency: 'EUR' }))
  })
  expect(status).toBe(204)
  await service.processor.settled(shop.profileId)
  expect(await shop.payments()).toEqual([[50, 10, 40]])
})

it('a refund without an amount refunds all that is left', async () => {
  const shop = await startShop()
  await shop.sendEvents(paid, refund({ value: 10, currency: 'EUR' }), refund({ currency: 'EUR' }))
  expect(await shop.payments()).toEqual([[50, 50, 0]])
})

it('a refund without an order, of another profile, or refused has no effect', async () => {
  const shop = await startShop()
  const other = await startShop()
  await shop.sendEvents(paid)
  await other.sendEvents(refund({ value: 5, currency: 'EUR' }))
  const tooLate = (profile.app.service.clock.now().getTime() + 3 * 86_400_000) * 1000
  const status = await shop.sendEvents(
    refund({ value: {}, currency: 'EUR' }),
    refund({ value: 5, currency: 'nonsense' }),
    { name: 'refund', params: { value: 5, currency: 'EUR' } },
    { ...refund({ value: 5, currency: 'EUR' }), timestamp_micros: tooLate },
  )
  expect([status, await shop.payments()]).toEqual([204, [[50, 0, 50]]])
})

it('without a time, the same event in two requests is two events', () => {
  const keyOf = (unique: string, body: object) =>
    toEvent({ name: 'view_item' }, { ...body }, unique)?.idempotency_key
  expect(keyOf('a', {})).not.toBe(keyOf('b', {}))
  expect(keyOf('a', visitor)).toBe(keyOf('b', visitor))
})
