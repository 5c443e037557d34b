/**
 * Every report of every profile is the same on plain PostgreSQL, after distributing its database, and after moving
 * shards to another worker. Needs CITUS_URL (see one-shard.test.ts) with two workers and a login that may create
 * databases.
 */
import { models } from '@whence/engine'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app.ts'
import { sendEvent } from '../../src/features/facts/events/contract.ts'
import { distributeDatabase } from '../../src/platform/db/distribute-command.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { makeAdWorld } from '../ad-world.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { sampleOf } from '../samples.ts'
import { makeTenant, send, type Tenant } from '../tenants.ts'
import { makeOwnCitusDatabase, type OwnCitusDatabase } from './own-database.ts'

const url = process.env.CITUS_URL
const TENANTS = 8
const SHARDS = 4

const reads = routes
  .map(({ entry }) => entry)
  .filter((entry) => entry.method === 'GET' && entry.access.kind === 'profile')

describe.skipIf(url === undefined)('figures on Citus (skipped without CITUS_URL)', () => {
  let cluster: OwnCitusDatabase
  let base: TestApp
  let app: TestApp
  const tenants: Tenant[] = []
  let plain: Map<string, string>

  /** By profile, report and model: its hash and its delta. */
  async function figures(): Promise<Map<string, string>> {
    const hashes = new Map<string, string>()
    for (const tenant of tenants)
      for (const entry of reads)
        for (const model of models) {
          const sample = sampleOf(entry)
          const request = { ...sample, query: { ...sample.query, model } }
          const { body } = await send(app, entry, `Bearer ${tenant.key}`, request)
          const { meta } = body as { meta?: { result_hash?: string; reconciliation?: { delta: number } } }
          if (meta?.result_hash === undefined) break
          hashes.set(
            `${tenant.profileId} ${entry.name} ${model}`,
            `${meta.result_hash} ${meta.reconciliation?.delta}`,
          )
        }
    return hashes
  }

  beforeAll(async () => {
    cluster = await makeOwnCitusDatabase(url!, SHARDS)
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2 })
    await migrate(pool)
    await pool.end()
    base = await startTestApp()
    app = await base.startOn(cluster.url)
    for (let index = 0; index < TENANTS; index++) {
      const tenant = await makeTenant(app)
      const call = app.as(tenant.key)
      await makeAdWorld(app, tenant.profileId, call)
      // No two profiles have the same figures.
      const paid = {
        event_name: 'payment_received',
        anonymous_id: 'ana',
        timestamp: '2026-05-09T10:00:00Z',
        properties: { value: index + 1 },
        idempotency_key: 'own',
      }
      await call(sendEvent, { body: paid })
      await app.service.processor.settled(tenant.profileId)
      tenants.push(tenant)
    }
    plain = await figures()
    await app.close()
  }, 300_000)
  afterAll(async () => {
    await app?.close()
    await base?.close()
    await cluster?.drop()
  })

  it('the profiles differ in many reports, and all deltas are 0', () => {
    expect(plain.size).toBeGreaterThanOrEqual(TENANTS * models.length * 4)
    const overviews = [...plain].filter(([name]) => name.includes(' getOverview linear'))
    expect(new Set(overviews.map(([, hash]) => hash)).size).toBe(TENANTS)
    expect([...plain.values()].filter((hash) => !/ (0|undefined)$/.test(hash))).toEqual([])
  })

  it('they are the same once the database is distributed', { timeout: 300_000 }, async () => {
    await cluster.addExtension()
    await cluster.addWorker(cluster.workers[0]!)
    await distributeDatabase(cluster.url, () => {})
    app = await base.startOn(cluster.url)
    expect(app.service.nodes.isDistributed).toBe(true)
    expect(await figures()).toEqual(plain)
  })

  it('they are the same once half of the shards are on another worker', { timeout: 300_000 }, async () => {
    expect(app.service.nodes.list().length).toBe(1)
    await cluster.addWorker(cluster.workers[1]!)
    await cluster.run(`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`)
    await app.service.nodes.refresh()
    expect(app.service.nodes.list().length).toBe(2)
    expect(await figures()).toEqual(plain)
  })
})
