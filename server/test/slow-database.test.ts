/** A slow database: requests time out, and the connection is not reused. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { archiveWorkspace, getReportingCurrency } from '../src/features/account/workspaces/contract.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from './make.ts'

let app: TestApp
/** A process with a timeout of one second. */
let hasty: TestApp
let owner: Person
let workspaceId: string
let key: string
beforeAll(async () => {
  app = await startTestApp()
  hasty = await app.startTwin({ env: { DATABASE_TIMEOUT_SECONDS: '1' } })
  owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner)
  key = await makeKey(app, await makeProfile(owner, workspaceId), ['conversions:read', 'campaigns:apply'])
})
afterAll(async () => {
  await hasty.close()
  await app.close()
})

const goals = () => fetch(`${hasty.baseUrl}/api/v1/goals`, { headers: { authorization: `Bearer ${key}` } })

/** Retries after Retry-After like a caller, because on a busy machine any statement may take a second. */
async function served(request: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const reply = await request()
    if (reply.status !== 503) return reply
  }
}

async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = await app.pool.connect()
  try {
    await client.query('begin')
    await client.query(`lock table ${table} in access exclusive mode`)
    await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

it('a read that stalls in the handler is 503 with Retry-After, and the next one succeeds', async () => {
  expect((await served(goals)).status).toBe(200)
  await whileLocked('goals', async () => {
    // More than the pool's connections: timed-out requests must release theirs.
    const replies = await Promise.all(Array.from({ length: 25 }, () => goals()))
    for (const reply of replies) {
      const { error } = (await reply.json()) as { error: { code: string } }
      expect([reply.status, error.code]).toEqual([503, 'database_unavailable'])
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
  expect((await served(goals)).status).toBe(200)
})

it('a write that stalls in its transaction changes nothing, and its idempotency key can be reused', async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'stalled' }
  const setCurrency = () =>
    fetch(`${hasty.baseUrl}/api/v1/workspaces/${workspaceId}/reporting-currency`, {
      method: 'PATCH',
      headers: { ...headers, authorization: `Bearer ${owner.token}` },
      body: JSON.stringify({ reporting_currency: 'SEK' }),
    })
  await whileLocked('audit_log', async () => {
    const reply = await setCurrency()
    expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      'database_unavailable',
    ])
  })
  const params = { workspaceId }
  expect((await owner.call(getReportingCurrency, { params })).data.reporting_currency).toBeNull()
  const again = await served(setCurrency)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null])
})

it('a route over all of the data may take longer', async () => {
  const other = await makeWorkspace(owner)
  await makeProfile(owner, other)
  let archived: Promise<unknown> | undefined
  await whileLocked('touches', async () => {
    archived = hasty.as(owner.token)(archiveWorkspace, { params: { workspaceId: other } })
    const waits = async () =>
      (await app.pool.query("select 1 from pg_locks where not granted and relation = 'touches'::regclass"))
        .rowCount
    await expect.poll(waits, { timeout: 20_000 }).toBe(1)
    // Longer than the statement timeout of a request.
    await app.pool.query('select pg_sleep(1.5)')
    expect(await waits()).toBe(1)
  })
  expect(await archived).toMatchObject({ data: { archived: true } })
})

it('metrics do not wait for a hanging database', async () => {
  const fresh = await app.startTwin()
  try {
    await whileLocked('jobs', async () => {
      const reply = await fetch(`${fresh.baseUrl}/metrics`, { signal: AbortSignal.timeout(30_000) })
      const text = await reply.text()
      expect(text).toMatch(/^jobs_dead NaN$/m)
      expect(text).toMatch(/^database_pool_open \d+$/m)
    })
  } finally {
    await fresh.close()
  }
})
