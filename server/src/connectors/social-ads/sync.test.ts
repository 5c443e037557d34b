import { afterEach, beforeEach, describe, expect } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { longIt, shortIt as test } from '../../../test/length.ts'
import { openSession, type RunningSandbox, startSandbox, syncAllPages } from '../../../test/sandbox-server.ts'
import type { Session, SyncRecord } from '../connector.ts'
import { socialAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === socialAds)!
let running: RunningSandbox
let session: Session
beforeEach(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterEach(() => running.close())

const syncAll = (sinceDay: string, untilDay: string) =>
  syncAllPages(socialAds, session, { sinceDay, untilDay })

test('the first sync reads 120 days at three levels whose spend agrees', async () => {
  const records = await syncAll('2025-01-01', '2026-03-02')
  const delivery = records.filter((record) => record.type === 'delivery')
  expect(new Set(delivery.map(({ day }) => day)).size).toBe(120)
  const spend = (level: string) =>
    delivery.filter((row) => row.level === level).reduce((sum, { spendMinor }) => sum + spendMinor, 0)
  expect(spend('campaign')).toBeGreaterThan(0)
  expect(spend('ad_set')).toBe(spend('campaign'))
  expect(spend('ad')).toBe(spend('campaign'))
  const entities = records.filter((record) => record.type === 'ad_entity')
  expect(new Set(entities.map(({ status }) => status))).toContain('ARCHIVED')
  const entityKeys = new Set(entities.map(({ level, externalId }) => `${level} ${externalId}`))
  for (const { level, externalId } of delivery) expect(entityKeys).toContain(`${level} ${externalId}`)
})

test('deleted entities keep their delivery, and ads add up to their ad sets', async () => {
  const before = await syncAll('2026-02-01', '2026-03-02')
  const ad = before.find(
    (record) => record.type === 'ad_entity' && record.level === 'ad' && record.status === 'ACTIVE',
  )
  if (ad?.type !== 'ad_entity') throw new Error('unreachable')
  await running.sandbox.act('set_status', { id: ad.externalId, status: 'DELETED' })
  const records = await syncAll('2026-02-01', '2026-03-02')
  const deliveries = (from: SyncRecord[], externalId: string) =>
    from.flatMap((record) => (record.type === 'delivery' && record.externalId === externalId ? [record] : []))
  expect(deliveries(records, ad.externalId).map(({ spendMinor }) => spendMinor)).toEqual(
    deliveries(before, ad.externalId).map(({ spendMinor }) => spendMinor),
  )
  expect(deliveries(records, ad.externalId)[0]!.entity).toMatchObject({ name: ad.name, isDeleted: true })
  expect(
    records.filter((record) => record.type === 'ad_entity' && record.externalId === ad.externalId),
  ).toEqual([])
  const spend = (level: string) =>
    records.reduce(
      (sum, row) => (row.type === 'delivery' && row.level === level ? sum + row.spendMinor : sum),
      0,
    )
  expect(spend('ad')).toBe(spend('ad_set'))
})

test('after a response that was too large, half of the days are requested and never the same request again', async () => {
  const requestedUrls: string[] = []
  const tooLarge: string[] = []
  const expected = await syncAll('2026-02-01', '2026-03-02')
  await running.sandbox.act('most_data', { rows: 40, page: 30 })
  const http = {
    ...running.http,
    send: async (request: Parameters<typeof session.http.send>[0]) => {
      requestedUrls.push(request.url)
      const reply = await running.http.send(request)
      if (reply.status === 500) tooLarge.push(request.url)
      return reply
    },
  }
  session = { ...session, http }
  const records = await syncAll('2026-02-01', '2026-03-02')
  const identity = (record: SyncRecord) =>
    record.type === 'delivery'
      ? `${record.level} ${record.externalId} ${record.day} ${record.spendMinor}`
      : ''
  expect(records.map(identity).sort()).toEqual(expected.map(identity).sort())
  expect(records).toHaveLength(expected.length)
  expect(tooLarge.length).toBeGreaterThan(5)
  for (const url of tooLarge) expect(requestedUrls.filter((other) => other === url)).toHaveLength(1)
  expect(running.pauses).toEqual([])
  // If even a single entry is too much, the error reaches the caller.
  await running.sandbox.act('most_data', { page: 0 })
  await expect(syncAll('2026-03-02', '2026-03-02')).rejects.toMatchObject({ reason: 'asks_for_less' })
})

describe('a single day that is too large for one response', () => {
  const day = ['2026-03-01', '2026-03-01'] as const
  const identity = (record: SyncRecord) => JSON.stringify(record)
  const posts: string[] = []
  const counting = () => {
    posts.splice(0)
    const send = async (request: Parameters<typeof session.http.send>[0]) => {
      if (request.method === 'POST') posts.push(request.url)
      return running.http.send(request)
    }
    session = { ...session, http: { ...running.http, send } }
  }

  test('is read completely through an asynchronous report', async () => {
    const expected = await syncAll(...day)
    await running.sandbox.act('most_data', { rows: 3 })
    await running.sandbox.act('report_runs', { polls: 1 })
    counting()
    const records = await syncAll(...day)
    expect(records.map(identity).sort()).toEqual(expected.map(identity).sort())
    expect(posts.length).toBeGreaterThan(0)
  })

  test('is read in smaller pages if the report’s pages are too large as well', async () => {
    const expected = await syncAll(...day)
    await running.sandbox.act('most_data', { rows: 3, page: 25 })
    const records = await syncAll(...day)
    expect(records.map(identity).sort()).toEqual(expected.map(identity).sort())
  })

  test('is requested again up to three times if a report fails or no longer exists', async () => {
    const expected = await syncAll(...day)
    await running.sandbox.act('most_data', { rows: 3 })
    await running.sandbox.act('report_runs', { failures: 2 })
    expect(await syncAll(...day)).toHaveLength(expected.length)
    await running.sandbox.act('report_runs', { failures: 100 })
    counting()
    await expect(syncAll(...day)).rejects.toMatchObject({ reason: 'asks_for_less' })
    expect(posts).toHaveLength(3)
  })

  longIt(
    'that takes longer than a page is come back to at the same report',
    async () => {
      await running.sandbox.act('most_data', { rows: 3 })
      await running.sandbox.act('report_runs', { polls: 1000 })
      counting()
      let cursor: string | null = null
      const window = { sinceDay: day[0], untilDay: day[1] }
      const walk = async () => {
        for (;;) {
          const page = await socialAds.sync!.page(session, window, cursor)
          if (page.cursor === null) return
          cursor = page.cursor
        }
      }
      await expect(walk()).rejects.toMatchObject({ reason: 'rate_limited', retryAfterSeconds: 60 })
      expect(posts).toHaveLength(1)
      await running.sandbox.act('report_runs', { polls: 0 })
      await walk()
      expect(new Set(posts).size).toBe(1)
    },
    60_000,
  )
})
