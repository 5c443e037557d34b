import { searchconsole } from '@googleapis/searchconsole'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { connect, openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import { listDays } from '../../platform/contract/dates.ts'
import type { Session, SyncRecord, SyncWindow } from '../connector.ts'
import { engineSearchConsole } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === engineSearchConsole)!
let running: RunningSandbox
let session: Session
beforeEach(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterEach(() => running.close())

async function syncAll(window: SyncWindow) {
  const records: SyncRecord[] = []
  let pages = 0
  let cursor: string | null = null
  do {
    const page = await engineSearchConsole.sync!.page(session, window, cursor)
    records.push(...page.records)
    pages += 1
    cursor = page.cursor
  } while (cursor !== null)
  return { pages, queries: records.flatMap((record) => (record.type === 'search_query' ? [record] : [])) }
}

test('every day of the window is read', async () => {
  const { queries } = await syncAll({ sinceDay: '2026-02-20', untilDay: '2026-03-01' })
  expect([...new Set(queries.map(({ day }) => day))]).toEqual(listDays('2026-02-20', '2026-03-01'))
})

test('a day with more queries than a page is read to its end', async () => {
  await running.sandbox.act('long_tail', { queries: 5200 })
  const { pages, queries } = await syncAll({ sinceDay: '2026-02-25', untilDay: '2026-02-25' })
  expect(pages).toBe(2)
  const rare = new Set(
    queries.filter(({ query }) => query.startsWith('kitchen idea')).map(({ query }) => query),
  )
  expect(rare.size).toBe(5200)
})

test('a site of another person is refused', async () => {
  const several = await connect(spec, running, 'approve-several')
  const sites = await engineSearchConsole.listAccounts(running.http, running.app, several)
  const other = sites.find(({ id }) => id !== session.accountId)!
  const window = { sinceDay: '2026-02-25', untilDay: '2026-02-25' }
  const reading = engineSearchConsole.sync!.page({ ...session, accountId: other.id }, window, null)
  await expect(reading).rejects.toMatchObject({ reason: 'permission_missing' })
})

test('a consent without the permission is refused', async () => {
  await running.sandbox.act('untick_permission', {})
  await expect(connect(spec, running)).rejects.toMatchObject({ reason: 'permission_missing' })
})

test('the official client reads sites and queries and receives the platform’s errors', async () => {
  // The client accepts another origin; the sandbox's path is prefixed to its paths.
  const { origin, pathname } = new URL(running.app.apiBaseUrl)
  const client = searchconsole({
    version: 'v1',
    rootUrl: `${origin}/`,
    retry: false,
    fetchImplementation: (url: string | URL | Request, init?: RequestInit) => {
      const requested = new URL(url instanceof Request ? url.url : url)
      return fetch(new URL(`${pathname}${requested.pathname}${requested.search}`, origin), init)
    },
  })
  const as = { headers: { authorization: `Bearer ${session.token.accessToken}` } }
  const { data: sites } = await client.sites.list({}, as)
  expect(sites.siteEntry).toEqual([{ siteUrl: session.accountId, permissionLevel: 'siteOwner' }])
  const query = (requestBody: Record<string, unknown>) =>
    client.searchanalytics.query({ siteUrl: session.accountId, requestBody }, as)
  const day = { startDate: '2026-02-25', endDate: '2026-02-25' }
  const { data } = await query({ ...day, dimensions: ['query', 'page'], rowLimit: 3, dataState: 'all' })
  expect(data.rows).toHaveLength(3)
  expect(data.rows![0]!.keys).toHaveLength(2)
  for (const invalidQuery of [
    { ...day, rowLimit: 25_001 },
    { ...day, dimensions: ['mood'] },
    { ...day, dataState: 'fresh' },
    { ...day, startRow: -1 },
    { ...day, sort: 'clicks' },
    { startDate: '2026-02-25' },
    { startDate: '2026-02-26', endDate: '2026-02-25' },
  ])
    await expect(query(invalidQuery), JSON.stringify(invalidQuery)).rejects.toMatchObject({
      response: { status: 400 },
    })
  await expect(client.sites.list({}, { headers: { authorization: 'Bearer unknown' } })).rejects.toMatchObject(
    {
      response: { status: 401 },
    },
  )
})
