import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../../../test/database.ts'
import { readConfig } from '../../config.ts'
import { ensurePartitions } from '../../features/facts/events/partitions.ts'
import { closeService, createService } from '../../service.ts'
import { createLog } from '../log.ts'
import { generateMasterKeys } from '../secrets/keyring.ts'
import { openDatabase } from './database.ts'
import { knownMigrations, migrate, newerMigrations, previousRelease, statementsOf } from './migrate.ts'

const databases: ClonedDatabase[] = []
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  for (const database of databases.splice(0)) await database.drop()
})

async function poolOn(database: Promise<ClonedDatabase>): Promise<pg.Pool> {
  const opened = await database
  databases.push(opened)
  const { pool, close } = openDatabase({ connectionString: opened.connectionString, max: 4 })
  ends.push(close)
  return pool
}

/** Migrations up to this one were released before the rule existed. */
const LAST_WITHOUT_THE_RULE = '0450_credited_in_order_of_time.sql'

it('processes that start concurrently on an empty database all start, with one schema', async () => {
  const database = await emptyDatabase()
  databases.push(database)
  const config = readConfig({ LOG_LEVEL: 'silent', SANDBOX: 'off' })
  const masterKeys = generateMasterKeys()
  const start = async () => {
    const opened = openDatabase({
      connectionString: database.connectionString,
      max: 3,
      connectionTimeoutMillis: 60_000,
    })
    ends.push(opened.close)
    await migrate(opened.pool)
    await ensurePartitions(opened.db, new Date())
    const service = await createService({ config, db: opened.db, log: createLog('silent'), masterKeys })
    await closeService(service)
    return opened.pool
  }
  const outcomes = await Promise.allSettled([start(), start(), start(), start()])
  expect(
    outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : [])),
  ).toEqual([])
  const [first] = outcomes
  const pool = (first as PromiseFulfilledResult<pg.Pool>).value
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations order by name')
  expect(rows.map((row) => row.name)).toEqual(knownMigrations)
  const partitions = await pool.query(`select 1 from pg_inherits where inhparent = 'events'::regclass`)
  expect(partitions.rowCount).toBe(16)
})

describe('a database of newer code', () => {
  it('is rejected with a clear error and left unchanged', async () => {
    const pool = await poolOn(cloneDatabase())
    await pool.query(`insert into schema_migrations (name, applied_at) values ('9990_future.sql', now())`)
    await pool.query(`delete from schema_migrations where name = '0420_readiness.sql'`)
    await expect(migrate(pool)).rejects.toThrow(
      /^The database was migrated by a newer Whence that this version does not run with \(9990_future\.sql\)\./,
    )
    const { rowCount } = await pool.query(`select 1 from schema_migrations where name = '0420_readiness.sql'`)
    expect(rowCount).toBe(0)
  })

  it('is used if the newer migration allows this code', async () => {
    const pool = await poolOn(cloneDatabase())
    await pool.query(
      `insert into schema_migrations (name, applied_at, runs_with) values ('9990_future.sql', now(), $1)`,
      [knownMigrations.at(-1)],
    )
    expect(await migrate(pool)).toEqual({ newer: ['9990_future.sql'] })
  })

  it.each([
    ['what is known is not newer', [{ name: 'a', runs_with: null }], [], []],
    ['of one release later', [{ name: 'c', runs_with: 'b' }], ['c'], []],
    ['of two releases later', [{ name: 'd', runs_with: 'c' }], [], ['d']],
    ['that says nothing', [{ name: 'c', runs_with: null }], [], ['c']],
  ])('%s', (_, applied, compatible, incompatible) => {
    expect(newerMigrations(applied, ['a', 'b'])).toEqual({ compatible, incompatible })
  })
})

it('applied migrations record the oldest compatible release and follow that release', async () => {
  const pool = await poolOn(cloneDatabase())
  const { rows } = await pool.query('select distinct runs_with from schema_migrations')
  expect(rows).toEqual([{ runs_with: previousRelease.lastMigration }])
  const at = knownMigrations.indexOf(previousRelease.lastMigration)
  expect(at).toBeGreaterThan(0)
})

it('a process that reads and writes whole rows continues when a migration adds a column', async () => {
  const database = await cloneDatabase()
  databases.push(database)
  const { db, pool, close } = openDatabase({ connectionString: database.connectionString, max: 1 })
  ends.push(close)
  const read = () => db.selectFrom('service_clock').selectAll().execute()
  const write = (id: number) =>
    db.insertInto('service_clock').values({ id, offset_ms: 5 }).returningAll().executeTakeFirstOrThrow()
  expect(await write(1)).toEqual({ id: 1, offset_ms: 5 })
  expect(await read()).toEqual([{ id: 1, offset_ms: 5 }])
  await pool.query('alter table service_clock add column more text')
  expect(await read()).toEqual([{ id: 1, offset_ms: 5, more: null }])
  expect(await write(2)).toEqual({ id: 2, offset_ms: 5, more: null })
})

it('a migration whose table is locked lets others proceed and retries', async () => {
  const pool = await poolOn(emptyDatabase())
  const at = knownMigrations.indexOf('0340_traits_in_time.sql')
  await migrate(pool, knownMigrations.slice(0, at))
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('lock table identity_traits in access share mode')
  let settled = false
  const migrating = migrate(pool).finally(() => {
    settled = true
  })
  migrating.catch(() => {})
  const waiting = async () => {
    const { rowCount } = await pool.query('select 1 from pg_locks where not granted')
    return rowCount
  }
  await expect.poll(waiting, { timeout: 20_000, interval: 20 }).toBe(1)
  // It leaves the lock queue, in which all others would wait behind it.
  await expect.poll(waiting, { timeout: 20_000, interval: 20 }).toBe(0)
  expect(settled).toBe(false)
  await holder.query('rollback')
  holder.release()
  await migrating
})

it('a migration locks one table at a time, so that it cannot deadlock with requests', () => {
  const tableOfIndex = new Map<string, string>()
  for (const name of knownMigrations) {
    const [createdTables, lockedTables] = [new Set<string>(), new Set<string>()]
    const file = readFileSync(new URL(`../../../migrations/${name}`, import.meta.url), 'utf8')
    for (const statement of statementsOf(file)) {
      const index = /^create (?:unique )?index (\w+) on (?:only )?(\w+)/.exec(statement)
      const dropped = /^drop index (?:if exists )?(\w+)/.exec(statement)
      const created = /^create table (?:if not exists )?(\w+)/.exec(statement)
      const changed = /^(?:alter table|drop table|update|delete from) (?:if exists )?(?:only )?(\w+)/.exec(
        statement,
      )
      if (index) tableOfIndex.set(index[1]!, index[2]!)
      if (created) createdTables.add(created[1]!)
      const table = index?.[2] ?? (dropped ? tableOfIndex.get(dropped[1]!) : changed?.[1])
      if (table !== undefined && !createdTables.has(table)) lockedTables.add(table)
    }
    if (name > LAST_WITHOUT_THE_RULE)
      expect([...lockedTables].length, `${name}: ${[...lockedTables]}`).toBeLessThan(2)
  }
})
