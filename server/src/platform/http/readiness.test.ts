import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../../test/make.ts'
import { forgetCredentials } from '../access/authenticate.ts'
import { uuidv7 } from '../contract/ids.ts'
import { job } from '../contract/job.ts'
import { openDatabase } from '../db/database.ts'
import { nodeAnswers } from '../db/node-answers.ts'
import { tableKinds } from '../db/tables.ts'
import { runJob } from '../jobs/run.ts'
import { createReadiness, readyAnswer } from './readiness.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let key: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app)
  workspaceId = await makeWorkspace(owner)
  key = await makeKey(app, await makeProfile(owner, workspaceId), ['events:write', 'conversions:read'])
})
afterAll(() => app.close())

const ready = { status: 'ready', takes: ['everything', 'events', 'reads'] }

/** In a process that has not probed yet. */
async function readyz(path = '/readyz'): Promise<[number, unknown]> {
  const twin = await app.startTwin()
  try {
    const reply = await fetch(`${twin.baseUrl}${path}`)
    return [reply.status, await reply.json()]
  } finally {
    await twin.close()
  }
}

const request = async (path: string, token: string, body?: unknown) => {
  const reply = await fetch(`${app.baseUrl}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const { error } = (await reply.json()) as { error?: { code: string; message: string } }
  return { status: reply.status, code: error?.code, retryAfter: reply.headers.get('retry-after') }
}

describe('a schema that is newer than the code', () => {
  const future = (runsWith: string | null) =>
    app.pool.query(
      `insert into schema_migrations (name, applied_at, runs_with) values ('9990_future.sql', now(), $1)`,
      [runsWith],
    )
  afterEach(() => app.pool.query(`delete from schema_migrations where name = '9990_future.sql'`))

  it('makes a running process not ready', async () => {
    expect(await readyz()).toEqual([200, ready])
    await future(null)
    expect(await readyz()).toEqual([503, { status: 'not_ready', reason: 'schema_too_new', takes: [] }])
  })

  it('keeps it ready if the newer migration allows older code', async () => {
    await future('0420_readiness.sql')
    expect(await readyz()).toEqual([200, ready])
  })
})

/** Every write fails as it does on a full disk; reads continue. */
async function withFullDisk(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const tables = Object.keys(tableKinds)
  await pool.query(`create function disk_full() returns trigger language plpgsql as
    $$begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end$$`)
  for (const table of tables)
    await pool.query(`create trigger full_${table.slice(0, 40)} before insert or update on "${table}"
      for each statement execute function disk_full()`)
  try {
    await work()
  } finally {
    await pool.query('drop function disk_full cascade')
  }
}

describe('a full disk', () => {
  it('returns 503 with Retry-After for writes, while reads continue', async () => {
    const event = {
      event_name: 'payment_received',
      idempotency_key: 'full-1',
      properties: { value: 1, currency: 'EUR' },
      user_traits: { email: 'ana@example.com' },
    }
    await withFullDisk(app.pool, async () => {
      const notReady = { status: 'not_ready', reason: 'database_not_writable' }
      const refusal = { status: 503, code: 'database_unavailable', retryAfter: '30' }
      expect(await request('/events', key, event)).toEqual(refusal)
      expect(await readyz()).toEqual([503, { ...notReady, takes: ['reads'] }])
      expect(await readyz('/readyz/events')).toEqual([503, { ...notReady, takes: ['reads'] }])
      expect(await readyz('/readyz/reads')).toEqual([200, { status: 'ready', takes: ['reads'] }])
      expect((await fetch(`${app.baseUrl}/healthz`)).status).toBe(200)
    })
    expect(await request('/events', key, event)).toMatchObject({ status: 202 })
    expect(await readyz()).toEqual([200, ready])
  })

  it('allows requests that only read', async () => {
    await app.pool.query(
      `update credentials set created_at = now() - interval '1 hour' where kind = 'session'`,
    )
    await withFullDisk(app.pool, async () => {
      // The rate limit itself is a write, and so is recording the use of a session.
      forgetCredentials(app.service)
      expect((await request('/goals', key)).status).toBe(200)
      expect((await request('/auth/me', owner.token)).status).toBe(200)
      expect((await request(`/workspaces/${workspaceId}/members`, owner.token)).status).toBe(200)
    })
  })

  it('does not make jobs dead, however often they retry', async () => {
    const full = Object.assign(new Error('No space left on device'), { code: '53100' })
    const definition = job({ name: 'test.full', payload: z.object({}), run: () => Promise.reject(full) })
    const claimed = {
      id: uuidv7(),
      name: definition.name,
      profile_id: uuidv7(),
      payload: {},
      attempts: 40,
      max_attempts: 5,
      lease_id: uuidv7(),
      dedupe_key: null,
      turn: 1,
    }
    const outcome = await runJob(app.service, definition, claimed, new AbortController().signal)
    expect(outcome).toMatchObject({ result: 'waits', dead: false })
  })
})

it('a clock that differs from the database’s by more than a minute is reported, and the process stays ready', async () => {
  const machineNow = () => new Date(Date.now() - 90_000)
  const service = { ...app.service, clock: { ...app.service.clock, machineNow } }
  const answer = readyAnswer(await createReadiness(service, () => false)('everything'), 'Set TRUST_PROXY.')
  expect(answer).toMatchObject({ status: 200, body: { status: 'ready' } })
  expect(answer.body.warning).toMatch(/^The clock .* 90 seconds behind .* Set TRUST_PROXY\.$/)
})

describe('without the coordinator of a distributed database', () => {
  const away = openDatabase({ connectionString: 'postgres://whence@127.0.0.1:1/none' })
  afterAll(() => away.close())
  const node = (name: string, db: typeof app.service.db) => ({ name, db, backgroundDb: db, shards: null })
  const readyWith = (otherNodes: ReturnType<typeof node>[]) => {
    const main = node('coordinator', away.db)
    const nodes = { ...app.service.nodes, isDistributed: true, main, list: () => [main, ...otherNodes] }
    return createReadiness({ ...app.service, db: away.db, nodes }, () => false)
  }

  it('only events and reads continue while a node with profiles responds', async () => {
    const readiness = readyWith([node('worker-1', away.db), node('worker-2', app.service.db)])
    const takes = ['events', 'reads']
    expect(await readiness('events')).toEqual({ reason: null, takes })
    expect(await readiness('reads')).toEqual({ reason: null, takes })
    expect(await readiness('everything')).toEqual({ reason: 'database_unavailable', takes })
  })

  it('a coordinator known to be unavailable is not queried', async () => {
    const main = node('coordinator', away.db)
    expect(await nodeAnswers(main)).toBe(false)
    const nodes = { ...app.service.nodes, isDistributed: true, main }
    // If queried, this database would report ready.
    const readiness = createReadiness({ ...app.service, nodes }, () => false)
    expect((await readiness('everything')).reason).toBe('database_unavailable')
  })

  it('a hanging database is not ready, without a log line per probe', async () => {
    const holder = await app.pool.connect()
    await holder.query('begin')
    await holder.query('lock table schema_migrations in access exclusive mode')
    const warn = vi.fn()
    const log = { ...app.service.log, warn }
    const readiness = createReadiness({ ...app.service, log }, () => false)
    expect(await readiness('everything')).toEqual({ reason: 'database_unavailable', takes: [] })
    expect(warn).not.toHaveBeenCalled()
    await holder.query('rollback')
    holder.release()
  })

  it('nothing is ready if no node responds', async () => {
    const readiness = readyWith([node('worker-1', away.db)])
    for (const use of ['events', 'reads'] as const)
      expect(await readiness(use)).toEqual({ reason: 'database_unavailable', takes: [] })
  })
})
