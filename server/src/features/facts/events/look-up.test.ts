import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { lookUpEvents, sendEvent, sendEvents } from './contract.ts'
import { createRefusals, listRefused } from './refusals.ts'

let app: TestApp
let owner: Person
let profileId: string
let call: Client
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app)
  profileId = await makeProfile(owner, await makeWorkspace(owner))
  call = app.as(await makeKey(app, profileId, ['events:write']))
})
afterAll(() => app.close())

const payment = (fields: object) => ({ event_name: 'payment_received', ...fields })
const lookUp = async (query: Record<string, string>) => (await call(lookUpEvents, { query })).data

it('an accepted event is found by its key, its id and its order', async () => {
  const properties = { value: 10, currency: 'EUR', order_id: 'order-1' }
  const data = await inTransaction(app.service.db, async (tx) => {
    // Processing waits for this lock.
    await lockProfile(tx, profileId)
    const sent = await call(sendEvent, { body: payment({ idempotency_key: 'paid-1', properties }) })
    const { event_id } = sent.data
    const waitingEvents = (await lookUp({ idempotency_key: 'paid-1' })).events
    expect(waitingEvents).toMatchObject([{ event_id, state: 'waiting', event_name: 'payment_received' }])
    return sent.data
  })
  await app.service.processor.settled(profileId)
  const expected = [{ event_id: data.event_id, state: 'processed' }]
  expect((await lookUp({ idempotency_key: 'paid-1' })).events).toMatchObject(expected)
  expect((await lookUp({ event_id: data.event_id })).events).toMatchObject(expected)
  expect((await lookUp({ order_id: 'order-1' })).events).toMatchObject(expected)
})

it('a refused event is found by its key, order and request, without values of the person', async () => {
  const user_traits = { email: 'ana@example.com' }
  const properties = { value: 'ana@example.com', currency: 'EUR', order_id: 'order-2' }
  const body = payment({ idempotency_key: 'ana@example.com', properties, user_traits })
  const refusal = await refusalOf(call(sendEvent, { body }))
  expect(refusal.status).toBe(422)
  const queries: Record<string, string>[] = [
    { idempotency_key: 'ana@example.com' },
    { order_id: 'order-2' },
    { request_id: refusal.request_id! },
  ]
  for (const query of queries)
    expect((await lookUp(query)).refused, JSON.stringify(query)).toMatchObject([
      {
        request_id: refusal.request_id,
        status: 422,
        code: 'validation_error',
        event_name: 'payment_received',
      },
    ])
  const { rows } = await app.pool.query('select * from refused_events')
  expect(JSON.stringify(rows)).not.toMatch(/ana@|order-2/)
})

it('events that fail the schema are recorded too, as is each refused event of a batch', async () => {
  await refusalOf(call(sendEvent, { body: payment({ idempotency_key: 'bad-shape', surprise: 1 }) }))
  expect((await lookUp({ idempotency_key: 'bad-shape' })).refused).toMatchObject([{ status: 422 }])
  const good = { event_name: 'lead_created', idempotency_key: 'good', anonymous_id: 'a' }
  const { data } = await call(sendEvents, {
    body: { events: [payment({ idempotency_key: 'no-name', event_name: undefined }), good] },
  })
  expect(data).toMatchObject({ accepted: 1, refused: 1 })
  expect((await lookUp({ idempotency_key: 'no-name' })).refused).toHaveLength(1)
  expect((await lookUp({ idempotency_key: 'good' })).refused).toEqual([])
})

it('a request with an invalid API key is recorded without a tenant', async () => {
  const stranger = app.as('whence_live_0000000000_nothing')
  const refusal = await refusalOf(stranger(sendEvent, { body: payment({ idempotency_key: 'x' }) }))
  expect(refusal.status).toBe(401)
  expect((await lookUp({ request_id: refusal.request_id! })).refused).toEqual([])
  const { rows } = await app.pool.query(
    'select profile_id, status, code from refused_events where request_id = $1',
    [refusal.request_id],
  )
  expect(rows).toEqual([
    { profile_id: '00000000-0000-0000-0000-000000000000', status: 401, code: 'unauthorized' },
  ])
})

it('another profile cannot find them', async () => {
  const other = app.as(
    await makeKey(app, await makeProfile(owner, await makeWorkspace(owner)), ['events:write']),
  )
  await refusalOf(call(sendEvent, { body: payment({ idempotency_key: 'mine', properties: { value: 'x' } }) }))
  await app.service.refusals.flush()
  const { data } = await other(lookUpEvents, { query: { idempotency_key: 'mine' } })
  expect(data).toEqual({ events: [], refused: [] })
})

it('requires exactly one lookup key', async () => {
  for (const query of [{}, { event_id: 'x' }, { idempotency_key: 'a', order_id: 'b' }])
    expect(await refusalOf(call(lookUpEvents, { query: query }))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    })
  expect((await refusalOf(call(lookUpEvents, {}))).message).toMatch(/^The query: exactly one of /)
})

describe('refusals are bounded', () => {
  const refusedEvent = (at: number) => ({
    profileId,
    requestId: `req_${at}`,
    status: 422,
    code: 'validation_error',
    message: 'no',
    event: {},
  })
  const count = async () =>
    Number(
      (await app.pool.query('select count(*) from refused_events where profile_id = $1', [profileId])).rows[0]
        .count,
    )
  const parts = () => ({
    db: app.service.db,
    pepper: app.service.identityPepper,
    log: app.service.log,
    now: () => new Date(),
  })

  it('at fifty a second and a thousand in all, newest kept', async () => {
    const refusals = createRefusals(parts())
    for (let flush = 0; flush < 22; flush++) {
      for (let at = 0; at < 60; at++) refusals.add(refusedEvent(flush * 100 + at))
      await refusals.flush()
    }
    expect(await count()).toBe(1000)
    const none = { profileId, eventId: null, orderRef: null, requestId: null, limit: 1 }
    expect(await listRefused(app.service.db, none)).toMatchObject([{ request_id: 'req_2149' }])
  })

  it('to seven days', async () => {
    const later = new Date(Date.now() + 8 * 86_400_000)
    const refusals = createRefusals({ ...parts(), now: () => later })
    refusals.add(refusedEvent(9999))
    await refusals.flush()
    expect(await count()).toBe(1)
  })
})
