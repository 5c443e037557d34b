/**
 * A distributed database with a row in every table gets the newest migrations, which also read and write distributed
 * tables, as a plain one does. Needs CITUS_URL (see one-shard.test.ts) and a login that may create databases.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { knownMigrations, migrate } from '../../src/platform/db/migrate.ts'
import { tableKinds } from '../../src/platform/db/tables.ts'
import { plantRows } from '../rows.ts'
import { makeCitusProfile } from './make.ts'
import { makeOwnCitusDatabase, type OwnCitusDatabase } from './own-database.ts'

const url = process.env.CITUS_URL
/** The last migration before the tested ones. This code inserts profiles, so its columns must exist. */
const BEFORE = '1470_restatements_packed.sql'

describe.skipIf(url === undefined)(
  'migrations of a full database on Citus (skipped without CITUS_URL)',
  () => {
    let cluster: OwnCitusDatabase
    let database: OpenDatabase

    beforeAll(async () => {
      cluster = await makeOwnCitusDatabase(url!, 4)
      await cluster.addExtension()
      for (const worker of cluster.workers) await cluster.addWorker(worker)
      database = openDatabase({ connectionString: cluster.url, max: 3 })
    }, 120_000)
    afterAll(async () => {
      await database?.close()
      await cluster?.drop()
    })

    it('all apply, and every table is distributed as expected', { timeout: 600_000 }, async () => {
      const { pool, db } = database
      const last = knownMigrations.indexOf(BEFORE)
      await migrate(pool, knownMigrations.slice(0, last + 1))
      const profileId = await makeCitusProfile(db)
      const { planted } = await plantRows(pool, profileId)
      expect(Object.keys(planted).length).toBeGreaterThan(60)
      for (const [index] of knownMigrations.entries())
        if (index > last) await migrate(pool, knownMigrations.slice(0, index + 1))
      const { rows } = await pool.query<{ name: string }>(
        `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`,
      )
      const distributed = Object.keys(tableKinds).filter((table) => tableKinds[table] === 'distributed')
      const missing = distributed.filter((table) => !rows.some(({ name }) => name === table))
      expect(missing).toEqual([])
    })
  },
)
