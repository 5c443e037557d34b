/** Applies the plain SQL files of `migrations/` in order, each in its own transaction, once. */
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { distribute } from './distribute.ts'

const folder = new URL('../../migrations/', import.meta.url)
const LOCK_KEY = 4_400_001

/** One statement per call, as Citus wants; no migration holds a function body, so a semicolon at a line's end separates. */
export function statementsOf(file: string): string[] {
  return file
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`)
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null)',
    )
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    const applied = new Set(rows.map((row) => row.name))
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
    for (const name of files.filter((file) => !applied.has(file))) await apply(client, name)
    await distribute(client)
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK_KEY})`).catch(() => {})
    client.release()
  }
}

async function apply(client: pg.PoolClient, name: string): Promise<void> {
  const statements = statementsOf(await readFile(new URL(name, folder), 'utf8'))
  await client.query('begin')
  try {
    // A table of millions of rows takes as long as it takes; the usual limit is for requests.
    await client.query('set local statement_timeout = 0')
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'")
    await client.query('set local citus.enable_local_reference_table_foreign_keys to off')
    for (const statement of statements) await client.query(statement)
    await client.query('insert into schema_migrations (name, applied_at) values ($1, $2)', [name, new Date()])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
