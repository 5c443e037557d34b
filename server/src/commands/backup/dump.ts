/** Dumps all tables as one consistent snapshot while the service continues to write. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { textOut } from '../../platform/db/copy/text.ts'
import { childrenFirst, listForeignKeys } from '../../platform/db/foreign-keys.ts'
import { tableKinds } from '../../platform/db/tables.ts'
import { version } from '../../platform/version.ts'
import { countRows, END_OF_ROWS, FORMAT, type Header, type Trailer, toLine } from './format.ts'

/** Recreated by a restore, or short-lived. */
const notInBackup = [
  'schema_migrations',
  'last_backup',
  'readiness_probe',
  'rate_buckets',
  'service_clock',
  'key_holders',
  'sealing_key',
  'service_processes',
]

/** Makes the text format independent of the server's settings. */
export const textSettings = [
  `datestyle = 'ISO, MDY'`,
  `timezone = 'UTC'`,
  `intervalstyle = 'iso_8601'`,
  `bytea_output = 'hex'`,
  'extra_float_digits = 1',
  `client_encoding = 'UTF8'`,
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  // Turns a policy that would hide rows into an error.
  'row_security = off',
]

export type DumpSummary = { tables: number; rows: number }

export async function* dump(
  client: pg.Client,
  now: Date,
  onEnd: (summary: DumpSummary) => void = () => {},
): AsyncGenerator<Buffer> {
  await client.query('begin isolation level repeatable read read only')
  try {
    for (const setting of textSettings) await client.query(`set local ${setting}`)
    const hash = createHash('sha256')
    const addToHash = (bytes: Buffer): Buffer => {
      hash.update(bytes)
      return bytes
    }
    yield addToHash(toLine(await headerOf(client, now)))
    const rows: Trailer['rows'] = {}
    for (const table of await listTables(client)) {
      const columns = await listColumns(client, table)
      yield addToHash(toLine({ table, columns }))
      rows[table] = 0
      for await (const chunk of textOut(client, table, columns)) {
        rows[table] += countRows(chunk)
        yield addToHash(chunk)
      }
      yield addToHash(END_OF_ROWS)
    }
    yield toLine({ rows, sha256: hash.digest('hex') })
    onEnd({
      tables: Object.keys(rows).length,
      rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
    })
  } finally {
    await client.query('rollback').catch(() => {})
  }
}

async function headerOf(client: pg.Client, now: Date): Promise<Header> {
  const migrations = await client.query<{ name: string }>('select name from schema_migrations order by name')
  const months = await client.query<{ month: string }>(
    `select replace(substring(c.relname from 8), '_', '-') || '-01' as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{4}_[0-9]{2}$' order by 1`,
  )
  const server = await client.query<{ server_version: string }>('show server_version')
  return {
    format: FORMAT,
    whence: version,
    postgres: server.rows[0]!.server_version,
    made_at: now.toISOString(),
    migrations: migrations.rows.map((row) => row.name),
    months: months.rows.map((row) => row.month),
  }
}

/** Parents before children, so that every row follows the rows it references. */
async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const unknownTables = rows.filter(({ name }) => tableKinds[name] === undefined).map(({ name }) => name)
  if (unknownTables.length > 0)
    throw new Error(`The database has tables unknown to this version: ${unknownTables.join(', ')}.`)
  const names = rows.map(({ name }) => name).filter((name) => !notInBackup.includes(name))
  return childrenFirst(names, await listForeignKeys(client)).reverse()
}

export async function listColumns(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_attribute a
     where a.attrelid = ('public.' || quote_ident($1))::regclass and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' order by a.attnum`,
    [table],
  )
  return rows.map((row) => row.name)
}
