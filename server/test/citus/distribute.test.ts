/**
 * A database with data becomes a distributed one, also after an interruption, and no personal data remains on the
 * coordinator. Needs CITUS_URL (see one-shard.test.ts) with a login that may create databases on every node.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePartitions } from '../../src/features/facts/events/partitions.ts'
import { writeEvents } from '../../src/features/facts/events/queries.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/database.ts'
import { distributeDatabase } from '../../src/platform/db/distribute-command.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { tableKinds } from '../../src/platform/db/tables.ts'
import { makeCitusProfile, newEvent } from './make.ts'
import { makeOwnCitusDatabase, type OwnCitusDatabase } from './own-database.ts'

const url = process.env.CITUS_URL
const EMAIL = `left-behind-${randomBytes(6).toString('hex')}@example.com`
const EVENTS = 200

describe.skipIf(url === undefined)(
  'distributing a full database on Citus (skipped without CITUS_URL)',
  () => {
    let cluster: OwnCitusDatabase
    let database: OpenDatabase
    let keysBefore: string[]

    const keys = async () =>
      (
        await database.pool.query<{ name: string }>(
          `select c.relname || '.' || k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
         where k.contype = 'f' and k.conparentid = 0 and c.relname = any($1) order by 1`,
          [Object.keys(tableKinds)],
        )
      ).rows.map((row) => row.name)

    beforeAll(async () => {
      cluster = await makeOwnCitusDatabase(url!)
      database = openDatabase({ connectionString: cluster.url, max: 3 })
      await migrate(database.pool)
      await ensurePartitions(database.db, new Date())
      const profileId = await makeCitusProfile(database.db)
      const events = Array.from({ length: EVENTS }, () => {
        const event = newEvent(uuidv7())
        return { ...event, body: { ...event.body, traits: { email: EMAIL } } }
      })
      await writeEvents(database.db, { profileId, events })
      keysBefore = await keys()
      await cluster.addExtension()
      for (const worker of cluster.workers) await cluster.addWorker(worker)
    }, 120_000)
    afterAll(async () => {
      await database?.close()
      await cluster?.drop()
    })

    it('a start does not touch undistributed data and names the command', async () => {
      await expect(migrate(database.pool)).rejects.toThrow('npm run distribute')
    })

    it('an interrupted run continues where it stopped', { timeout: 300_000 }, async () => {
      const lines: string[] = []
      const stopAt = 30
      await expect(
        distributeDatabase(cluster.url, (line) => {
          lines.push(line)
          if (lines.length === stopAt) throw new Error('interrupted')
        }),
      ).rejects.toThrow('interrupted')
      await expect(migrate(database.pool)).rejects.toThrow('npm run distribute')
      const again: string[] = []
      const [summary] = await distributeDatabase(cluster.url, (line) => again.push(line))
      expect(summary).toMatch(/^Distributed \d+ tables/)
      expect(again[0]).toContain(lines.at(-1)!.split(' ')[3]!)
      expect(await keys()).toEqual(keysBefore)
      expect(await distributeDatabase(cluster.url, () => {})).toEqual(['All tables are already distributed.'])
      await migrate(database.pool)
    })

    it('no row is lost', async () => {
      const { rows } = await database.pool.query<{ events: string; keys: string }>(
        `select (select count(*) from events) as events, (select count(*) from event_keys) as keys`,
      )
      expect([rows[0]!.events, rows[0]!.keys].map(Number)).toEqual([EVENTS, EVENTS])
    })

    it('former reference tables move to the coordinator with their rows and keys', async () => {
      const copied = ['users', 'workspace_members', 'invitations', 'credentials']
      for (const table of copied) await database.pool.query('select create_reference_table($1)', [table])
      await expect(migrate(database.pool)).rejects.toThrow('npm run distribute')
      const [summary] = await distributeDatabase(cluster.url, () => {})
      expect(summary).toMatch(/^Distributed 4 tables/)
      expect(await keys()).toEqual(keysBefore)
      const { rows } = await database.pool.query<{ name: string; model: string }>(
        `select logicalrelid::text as name, repmodel as model from pg_dist_partition
         where logicalrelid::text = any($1) order by 1`,
        [copied],
      )
      expect(rows).toEqual(copied.sort().map((name) => ({ name, model: 's' })))
      const members = await database.pool.query(
        'select id from users join workspace_members on user_id = users.id',
      )
      expect(members.rows.length).toBe(1)
      await migrate(database.pool)
    })

    it('no email address remains in the files of the coordinator', async () => {
      const { rows } = await database.pool.query<{ name: string; size: number; path: string | null }>(
        `select c.relname as name, pg_relation_size(c.oid) as size, pg_relation_filepath(c.oid) as path
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind = 'r'
         and (c.relname = any($1) or c.relispartition and c.relname like 'events\\_%')`,
        [Object.keys(tableKinds).filter((table) => tableKinds[table] === 'distributed')],
      )
      expect(rows.length).toBeGreaterThan(60)
      expect(rows.filter(({ size }) => Number(size) > 0)).toEqual([])
      await database.pool.query('checkpoint')
      const holding = await database.pool.query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind = 'r' and pg_relation_size(c.oid) between 1 and 100000000
         and position($1::bytea in pg_read_binary_file(pg_relation_filepath(c.oid), 0, 100000000)) > 0`,
        [Buffer.from(EMAIL)],
      )
      expect(holding.rows).toEqual([])
    })
  },
)
