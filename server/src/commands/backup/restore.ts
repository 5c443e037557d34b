/** Restores a backup into an empty database in one transaction. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { textIn } from '../../platform/db/copy/text.ts'
import { knownMigrations } from '../../platform/db/migrate.ts'
import { type DumpSummary, listColumns, textSettings } from './dump.ts'
import {
  BackupError,
  type BackupReader,
  countRows,
  END_OF_ROWS,
  Header,
  isTrailer,
  readLineAs,
  TableLine,
  Trailer,
} from './format.ts'

/** Tables that contain rows after migration and startup of an unused database. */
const filledByStartup = [
  'schema_migrations',
  'last_backup',
  'readiness_probe',
  'service_clock',
  'job_schedules',
  'rate_buckets',
  'service_processes',
  'key_holders',
  'sealing_key',
]

/** Reads the header; throws if this version cannot create the schema of the backup. */
export async function readHeader(reader: BackupReader): Promise<{ header: Header; line: Buffer }> {
  const line = await reader.line()
  const header = readLineAs(Header, line, 'its header')
  const unknownMigrations = header.migrations.filter((name) => !knownMigrations.includes(name))
  if (unknownMigrations.length > 0)
    throw new BackupError(
      `The backup was created by a newer Whence (${unknownMigrations.join(', ')}). Restore it with that version.`,
    )
  return { header, line }
}

/** Without partitions, which belong to their table. */
export async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** After a failed restore into a database without tables, to leave it unchanged. */
export async function dropTables(client: pg.ClientBase): Promise<void> {
  const tables = await listTables(client)
  if (tables.length > 0)
    await client.query(`drop table ${tables.map((name) => `"${name}"`).join(', ')} cascade`)
}

export async function refuseUsedDatabase(client: pg.ClientBase): Promise<void> {
  for (const name of (await listTables(client)).filter((table) => !filledByStartup.includes(table))) {
    const { rowCount } = await client.query(`select 1 from "${name}" limit 1`)
    if (rowCount !== 0)
      throw new BackupError(
        `The database is not empty (${name} has rows). Restore into a new one; nothing was changed.`,
      )
  }
}

/** Loads the rows after the header. `check` runs before the commit. */
export async function load(
  client: pg.Client,
  reader: BackupReader,
  headerLine: Buffer,
  check: (client: pg.Client) => Promise<void>,
): Promise<DumpSummary> {
  const hash = createHash('sha256').update(headerLine)
  const counts: Record<string, number> = {}
  await client.query('begin')
  try {
    for (const setting of textSettings) await client.query(`set local ${setting}`)
    for (;;) {
      const line = await reader.line()
      if (isTrailer(line)) {
        compare(readLineAs(Trailer, line, 'its end'), counts, hash.digest('hex'))
        break
      }
      hash.update(line)
      const { table, columns } = readLineAs(TableLine, line, 'the name of a table')
      await refuseOtherColumns(client, table, columns)
      counts[table] = await loadTable(client, { table, columns }, reader, hash)
      hash.update(END_OF_ROWS)
    }
    if (!(await reader.isAtEnd()))
      throw new BackupError('The backup is damaged: there is data after its end.')
    await check(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { tables: Object.keys(counts).length, rows }
}

async function loadTable(
  client: pg.Client,
  { table, columns }: TableLine,
  reader: BackupReader,
  hash: ReturnType<typeof createHash>,
): Promise<number> {
  let count = 0
  const rows = async function* () {
    for await (const bytes of reader.rows()) {
      hash.update(bytes)
      count += countRows(bytes)
      yield bytes
    }
  }
  await pipeline(Readable.from(rows(), { objectMode: false }), textIn(client, table, columns)).catch(
    (cause) => {
      throw isOfRows(cause)
        ? new BackupError(
            `The backup is damaged: a row of ${table} is not what was written (${cause.message}).`,
            {
              cause,
            },
          )
        : cause
    },
  )
  return count
}

/** PostgreSQL refused a value or a key. The schema is the one of the backup, so the rows are other than they were. */
function isOfRows(error: unknown): boolean {
  return /^2[23]/.test(error instanceof Error && 'code' in error ? String(error.code) : '')
}

/** Names come from the file, so they are checked against the schema before use in SQL. */
async function refuseOtherColumns(
  client: pg.Client,
  table: string,
  columns: readonly string[],
): Promise<void> {
  // Compared as a value, because to_regclass parses its argument, and PostgreSQL 15 fails on an invalid name.
  const existing = await client.query(
    `select 1 from pg_catalog.pg_class where relname = $1 and relnamespace = 'public'::regnamespace`,
    [table],
  )
  const tableColumns = existing.rows.length === 0 ? [] : await listColumns(client, table)
  if (tableColumns.length !== columns.length || tableColumns.some((column) => !columns.includes(column)))
    throw new BackupError(`The backup does not match its schema version: the columns of ${table} differ.`)
}

function compare(trailer: Trailer, counts: Record<string, number>, sha256: string): void {
  if (trailer.sha256 !== sha256) throw new BackupError('The backup is damaged: its checksum does not match.')
  const differs = Object.entries(trailer.rows).find(([table, count]) => counts[table] !== count)
  if (differs !== undefined || Object.keys(trailer.rows).length !== Object.keys(counts).length)
    throw new BackupError(`The backup is damaged: rows of ${differs?.[0] ?? 'a table'} are missing.`)
}
