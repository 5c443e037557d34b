import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeOwnProfile } from '../../../../test/make.ts'
import { reportQuestions, revalidatedRoutes } from '../../../../test/report-questions.ts'
import { openReportedWorld, type ReportedWorld, range } from '../../../../test/reported-world.ts'
import { comparedByContent, countedTables } from '../../../../test/watch-report-numbers.ts'
import type { ProfileContext } from '../../../context.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { tableKinds } from '../../../platform/db/tables.ts'
import { responseCacheOf } from './response-cache.ts'
import { withRevalidation } from './revalidate.ts'
import { reportRoutes } from './routes.ts'

let world: ReportedWorld
beforeAll(async () => {
  world = await openReportedWorld()
  // Even an idle run of the processor could increase the change number between two requests.
  await world.app.service.processor.stop()
})
afterAll(() => world.app.close())

const overview = `/reports/overview?date_from=${range.date_from}&date_to=${range.date_to}`
const get = (path: string, headers: Record<string, string> = {}, token = world.token) =>
  fetch(`${world.app.baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
const Timed = z.looseObject({
  meta: z.looseObject({ freshness: z.looseObject({ computed_through: z.string() }) }),
})
const isTable = (word: string) => word in tableKinds

/** The tables that statements read while `work` runs. */
async function tablesReadBy(work: () => Promise<void>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const queries = spy.mock.calls.map(([query]) => query as string | { text: string })
    const texts = queries.map((query) => (typeof query === 'string' ? query : query.text))
    const matches = texts.flatMap((text) => [...text.matchAll(/\b(?:from|join)\s+"?(\w+)/g)])
    return [...new Set(matches.map((match) => match[1]!))].filter(isTable).sort()
  } finally {
    spy.mockRestore()
  }
}

it('every table that a report reads increases the change number or is compared by content', async () => {
  const questions = reportQuestions(world, world.app.service.clock.now())
  expect(new Set(questions.map(({ name }) => name))).toEqual(
    new Set(revalidatedRoutes.map(({ entry }) => entry.name)),
  )
  const read = await tablesReadBy(async () => {
    for (const { path } of questions) expect([path, (await get(path)).status]).toEqual([path, 200])
  })
  expect(read.length).toBeGreaterThan(20)
  const accessTables = [
    'api_usage',
    'credentials',
    'key_copies',
    'profiles',
    'workspaces',
    'apps',
    'app_authorizations',
  ]
  const stateTables = ['report_changes', 'rate_buckets', 'profile_entitlements', 'schema_migrations']
  // Meanwhile the processor and the dispatcher poll for work, and the process records which keys it has.
  const backgroundTables = [
    'key_holders',
    'sealing_key',
    'service_secrets',
    'profile_locks',
    'outbox_counters',
    'webhook_fanouts',
    'webhook_queues',
    'jobs',
    'job_schedules',
  ]
  const expected = new Set([
    ...comparedByContent,
    ...countedTables,
    ...accessTables,
    ...stateTables,
    ...backgroundTables,
  ])
  expect(read.filter((table) => !expected.has(table))).toEqual([])
})

it('an unchanged report is 304 after one database query', async () => {
  const first = await get(overview)
  const etag = first.headers.get('etag')!
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const read = await tablesReadBy(async () => {
    const repeated = await get(overview, { 'if-none-match': etag })
    expect([repeated.status, await repeated.text(), repeated.headers.get('etag')]).toEqual([304, '', etag])
  })
  expect(read.filter((table) => /daily|spans|credits/.test(table))).toEqual([])
  expect((await get(overview, { 'if-none-match': `"other", ${etag.slice(2)}` })).status).toBe(304)
  expect((await get(overview, { 'if-none-match': 'W/"other"' })).status).toBe(200)
})

it.each(['getCohorts', 'getJourneys', 'listJourneyPayments', 'listAdPeople'])(
  '%s does not read facts again while nothing has changed',
  async (name) => {
    const questions = reportQuestions(world, world.app.service.clock.now())
    const { path } = questions.find((question) => question.name === name)!
    const etag = (await get(path)).headers.get('etag')!
    const read = await tablesReadBy(async () => {
      expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
    })
    expect(read.filter((table) => /payments|conversions|credits|reach/.test(table))).toEqual([])
  },
)

it('a cached response has the current computed_through and staleness', async () => {
  const clock = vi.spyOn(world.app.service.clock, 'now')
  const start = new Date()
  try {
    clock.mockReturnValue(start)
    const read = async () => (await get(overview)).json() as Promise<z.infer<typeof Timed>>
    const before = await read()
    clock.mockReturnValue(new Date(start.getTime() + 5000))
    const after = await read()
    expect(after.meta.freshness.computed_through).toBe(new Date(start.getTime() + 5000).toISOString())
    expect({ ...after, meta: { ...after.meta, freshness: before.meta.freshness } }).toEqual(before)
  } finally {
    clock.mockRestore()
  }
})

it('ETags of different profiles differ, even with equal change numbers', async () => {
  const keys = [1, 2].map(() => makeOwnProfile(world.app, ['campaigns:read']))
  const tags = await Promise.all(
    keys.map(async (profile) => (await get(overview, {}, (await profile).key)).headers.get('etag')),
  )
  expect(tags[0]).toMatch(/^W\/"/)
  expect(tags[0]).not.toBe(tags[1])
})

it('ETags differ on the next day and for another caller', async () => {
  const etag = (await get(overview)).headers.get('etag')
  const narrow = await get(overview, {}, await world.makeKey(['campaigns:read']))
  const clock = vi
    .spyOn(world.app.service.clock, 'now')
    .mockReturnValue(new Date(Date.now() + 2 * 86_400_000))
  const tomorrow = await get(overview).finally(() => clock.mockRestore())
  const tags = [narrow, tomorrow].map(({ headers }) => headers.get('etag'))
  expect(new Set([etag, ...tags]).size).toBe(3)
})

it('a response computed while a change was committed is not cached', async () => {
  const { service } = world.app
  const entry = { ...reportRoutes[0]!.entry, name: 'readWhileWritten' }
  let computed = 0
  const respond = (commits: boolean) =>
    withRevalidation({
      entry,
      async handle() {
        computed++
        if (commits) await inTransaction(service.db, (tx) => lockProfile(tx, world.profileId))
        return { data: computed }
      },
    }).handle(
      {
        service,
        db: service.db,
        now: service.clock.now(),
        profile: { id: world.profileId, timezone: 'Europe/Madrid' },
        caller: { kind: 'key', appId: null },
        scopes: [],
        role: null,
        shown: new Set(),
      } as unknown as ProfileContext,
      { headers: {}, params: {}, query: {}, body: null, raw: null, stream: null },
    )
  expect((await respond(true)).etag).toBeUndefined()
  expect((await respond(false)).etag).toBeDefined()
  await respond(false)
  expect(computed).toBe(2)
})

it('the cache is bounded by size', () => {
  const cache = responseCacheOf(world.app.service)
  const big = { data: { text: 'x'.repeat(1024 * 1024) }, meta: {}, extra: undefined }
  for (let index = 0; index < 20; index++) cache.set(`big ${index}`, big)
  expect(cache.characters).toBeLessThanOrEqual(8 * 1024 * 1024)
  cache.set('too big', { ...big, data: { text: 'x'.repeat(1024 * 1024 + 1) } })
  expect(cache.get('too big')).toBeUndefined()
})
