/**
 * From each release to this one: `<release>.backup` holds its schema and data (a shop with visits, leads, payments and
 * a retraction), `<release>.json` the responses recorded from that release, without the counts of the last 28 days,
 * which depend on the day of the test. Only additions are allowed.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApi } from '../../src/api.ts'
import { jobs } from '../../src/app.ts'
import { restoreBackup } from '../../src/commands/backup/files.ts'
import { queueRecomputes } from '../../src/commands/recompute.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { closeService, createService } from '../../src/service.ts'
import { type ClonedDatabase, emptyDatabase } from '../database.ts'
import { drainJobs } from '../jobs.ts'

type Recorded = {
  masterKeys: string
  apiKey: string
  answers: { path: string; body: Record<string, unknown> }[]
  migrations: Record<string, string>
}
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** With the time of the lead of one customer. */
describe.each([
  ['0.1.0', '2026-10-04T11:00:00Z'],
  ['0.2.0', '2026-10-17T11:00:00Z'],
])('from %s', (release, leadAt) => {
  const recorded: Recorded = JSON.parse(readFileSync(file(`${release}.json`), 'utf8'))
  let database: ClonedDatabase
  let service: Awaited<ReturnType<typeof createService>>
  let stop: () => Promise<void>
  let baseUrl: string
  beforeAll(async () => {
    database = await emptyDatabase()
    const { connectionString } = database
    await restoreBackup({ connectionString }, file(`${release}.backup`), recorded.masterKeys, new Date())
    const opened = openDatabase({ connectionString, max: 10, connectionTimeoutMillis: 60_000 })
    const config = readConfig({ SANDBOX: 'off', LOG_LEVEL: 'silent', DATABASE_TIMEOUT_SECONDS: '60' })
    const parts = { config, db: opened.db, log: createLog('silent'), masterKeys: recorded.masterKeys }
    service = await createService(parts)
    const api = createApi(service)
    baseUrl = await api.http.listen({ host: '127.0.0.1', port: 0 })
    stop = async () => {
      await api.close()
      await closeService(service)
      await opened.close()
    }
  })
  afterAll(async () => {
    await stop?.()
    await database?.drop()
  })

  async function call(
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const reply = await fetch(`${baseUrl}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${recorded.apiKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }

  it('no migration of the release has been edited', () => {
    const folder = new URL('../../migrations/', import.meta.url)
    const hashOf = (name: string) =>
      createHash('sha256')
        .update(readFileSync(new URL(name, folder)))
        .digest('hex')
        .slice(0, 16)
    const now = Object.fromEntries(Object.keys(recorded.migrations).map((name) => [name, hashOf(name)]))
    expect(now).toEqual(recorded.migrations)
  })

  it.each(recorded.answers.map((answer) => [answer.path, answer] as const))(
    '%s answers as the release did',
    async (path, answer) => {
      const { status, body } = await call(path)
      expect(status).toBe(200)
      expect(body).toMatchObject(answer.body)
    },
  )

  it('a recompute by this release does not change the figures', async () => {
    await queueRecomputes(service.db, 'all')
    await drainJobs(service, jobs)
    for (const { path, body } of recorded.answers) expect((await call(path)).body, path).toMatchObject(body)
  })

  it('a key of the release still works, and a repeated event is recognised', async () => {
    const event = {
      event_name: 'lead_created',
      anonymous_id: 'browser-new',
      idempotency_key: 'after-upgrade',
    }
    expect((await call('/events', event)).body.data).toMatchObject({ status: 'accepted' })
    const lead = {
      event_name: 'lead_created',
      idempotency_key: 'lead-ana',
      timestamp: leadAt,
    }
    const ana = { anonymous_id: 'browser-ana', user_traits: { email: 'ana@example.com' } }
    expect((await call('/events', { ...lead, ...ana })).body.data).toMatchObject({ status: 'unchanged' })
  })
})
