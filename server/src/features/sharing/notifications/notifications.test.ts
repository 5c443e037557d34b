import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeShop, type Shop } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { doctorFinding } from '../../facts/outbox/event-factories.ts'
import { recordEvent, recordEvents } from '../../facts/outbox/record.ts'
import { listNotifications, readNotifications } from './contract.ts'

let app: TestApp
let shop: Shop
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  await shop.connected('social_ads')
  await drainJobs(app.service, jobs)
})
afterAll(() => app.close())

it('lists notifications with the read state of the caller', async () => {
  const query = { profile_id: shop.profileId }
  const read = async () => {
    const { data, unread_count } = await shop.owner.call(listNotifications, { query })
    return {
      kinds: data.map(({ kind, subject, is_unread }) => [kind, subject, is_unread]),
      unread_count,
      data,
    }
  }
  const first = await read()
  expect(first.kinds).toEqual(
    expect.arrayContaining([
      ['first_sync_done', 'social_ads', true],
      ['connection_connected', 'social_ads', true],
    ]),
  )
  expect(first.unread_count).toBe(first.data.length)
  await shop.owner.call(readNotifications, { query, body: { through: first.data[0]!.at } })
  expect((await read()).unread_count).toBe(0)
  const data = {
    profile_id: shop.profileId,
    provider: 'social_ads',
    connection_id: shop.profileId,
    status: 'reconnect_required',
    reason: 'token_expired',
  }
  const now = new Date(Date.now() + 1000)
  await inTransaction(app.service.db, (tx) =>
    recordEvent(
      tx,
      {
        profileId: shop.profileId,
        type: 'connection.reconnect_required',
        provider: 'platform',
        occurredAt: now,
        data,
      },
      now,
    ),
  )
  const later = await read()
  expect(later.unread_count).toBe(1)
  expect(later.data[0]).toMatchObject({ kind: 'connection_broken', detail: 'token_expired', is_unread: true })
})

it('creates one notification for all problems of one data check, and none for warnings', async () => {
  const now = new Date(Date.now() + 5000)
  const finding = (checkId: string, status: 'problem' | 'warning') =>
    doctorFinding(
      'doctor.finding.opened',
      shop.profileId,
      { check_id: checkId, status, count: 1, value: null, since: null },
      now,
    )
  await inTransaction(app.service.db, (tx) =>
    recordEvents(
      tx,
      [finding('bots', 'problem'), finding('unknown_ads', 'problem'), finding('clock_skew', 'warning')],
      now,
    ),
  )
  const query = { profile_id: shop.profileId }
  const { data } = await shop.owner.call(listNotifications, { query })
  const problems = data.filter(({ kind }) => kind === 'data_problem')
  expect(problems).toMatchObject([{ at: now.toISOString(), detail: '2', is_unread: true }])
})
