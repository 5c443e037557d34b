/**
 * Applies the SQL files of `migrations/` in order, each once and in its own transaction. Every migration since the
 * previous release is compatible with that release's code (docs/decisions/0421), which the database records: older
 * code that finds a newer schema can check whether it may run.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { distributeNew } from './distribute.ts'

const folder = new URL('../../../migrations/', import.meta.url)
/** Advisory lock that serialises migrations and the distribution of tables. */
export const LOCK_KEY = 4_400_001
/** While a migration waits for a table lock, every request on that table waits behind it. */
const LOCK_TIMEOUT_MS = 3000
const LOCK_ATTEMPTS = 40
const LOCK_PAUSE_MS = 500
/** Another transaction has the lock: lock_not_available, deadlock_detected. */
const LOCK_CONFLICTS = ['55P03', '40P01']

/** The previous release: its version, its commit, and the newest migration that its code includes. */
export const previousRelease = JSON.parse(
  readFileSync(new URL('previous-release.json', folder), 'utf8'),
) as Readonly<{ version: string; commit: string; lastMigration: string }>

/** The migrations included in this code. */
export const knownMigrations: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()

export type AppliedMigration = {
  name: string
  /** The newest migration that code must include to run on the schema after this one; null before 0420. */
  runs_with: string | null
}

/** Migrations of newer code, divided by whether this code can run on the resulting schema. */
export function newerMigrations(
  applied: readonly AppliedMigration[],
  knownNames: readonly string[] = knownMigrations,
): { compatible: string[]; incompatible: string[] } {
  const newer = applied.filter(({ name }) => !knownNames.includes(name))
  const runs = (row: AppliedMigration) => row.runs_with !== null && knownNames.includes(row.runs_with)
  return {
    compatible: newer.filter(runs).map(({ name }) => name),
    incompatible: newer.filter((row) => !runs(row)).map(({ name }) => name),
  }
}

export type MigrationProgress = {
  name: string
  done: number
  total: number
  seconds: number
  /** Number of retries because of locks of other transactions. */
  waits: number
  /** True if no migration had been applied before. */
  isNewDatabase: boolean
}

/** The database was migrated by newer, incompatible code. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError'
}

/** Splits a file into statements, because Citus needs one per call. Migrations contain no function bodies, so a semicolon at
 * the end of a line separates statements. */
export function statementsOf(file: string): string[] {
  return file
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/** Returns migrations of newer code that this code is compatible with; throws if there are incompatible ones. */
export async function migrate(
  pool: pg.Pool,
  files: readonly string[] = knownMigrations,
  onProgress: (progress: MigrationProgress) => void = () => {},
): Promise<{ newer: string[] }> {
  const client = await pool.connect()
  try {
    // Other starting processes wait until this one has finished.
    await client.query('set statement_timeout = 0')
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`)
    const applied = await openRecord(client)
    const { compatible, incompatible } = newerMigrations(applied)
    if (incompatible.length > 0)
      throw new NewerSchemaError(
        `The database was migrated by a newer Whence that this version does not run with (${incompatible.join(', ')}). Start that version, or restore the backup from before it.`,
      )
    const names = new Set(applied.map((row) => row.name))
    const missing = files.filter((file) => !names.has(file))
    const isNewDatabase = applied.length === 0
    for (const [index, name] of missing.entries()) {
      const startedAt = performance.now()
      const waits = await applyWithRetry(client, name)
      const seconds = (performance.now() - startedAt) / 1000
      onProgress({ name, done: index + 1, total: missing.length, seconds, waits, isNewDatabase })
    }
    await distributeNew(client)
    return { newer: compatible }
  } finally {
    // Closing the connection releases the lock and the setting.
    client.release(true)
  }
}

async function openRecord(client: pg.PoolClient): Promise<AppliedMigration[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null, runs_with text)',
  )
  const { rowCount } = await client.query(
    `select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'runs_with'`,
  )
  if (rowCount === 0) await client.query('alter table schema_migrations add column runs_with text')
  return (await client.query<AppliedMigration>('select name, runs_with from schema_migrations')).rows
}

/** Returns the number of retries because of lock conflicts. */
async function applyWithRetry(client: pg.PoolClient, name: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      await apply(client, name)
      return attempt - 1
    } catch (error) {
      const isLocked = LOCK_CONFLICTS.includes((error as { code?: string }).code ?? '')
      if (!isLocked || attempt === LOCK_ATTEMPTS)
        throw new Error(
          `Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        )
      await delay(LOCK_PAUSE_MS)
    }
  }
}

async function apply(client: pg.PoolClient, name: string): Promise<void> {
  const statements = statementsOf(await readFile(new URL(name, folder), 'utf8'))
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'")
    await client.query('set local citus.enable_local_reference_table_foreign_keys to off')
    for (const statement of statements) await client.query(statement)
    await client.query('insert into schema_migrations (name, applied_at, runs_with) values ($1, $2, $3)', [
      name,
      new Date(),
      previousRelease.lastMigration,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
