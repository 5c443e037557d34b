/** Writes and reads backup files of a database: embedded, running or not, or a server. */
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Config } from '../../config.ts'
import { ensureMonths, ensurePartitions } from '../../features/facts/events/partitions.ts'
import { openPepper } from '../../features/facts/identity/pepper.ts'
import { connectAlone } from '../../platform/db/copy/text.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { findRunningEmbedded, startEmbedded } from '../../platform/db/embedded.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { parseMasterKeys } from '../../platform/secrets/keyring.ts'
import { type DumpSummary, dump } from './dump.ts'
import { BackupError, readBackup } from './format.ts'
import { dropTables, listTables, load, readHeader, refuseUsedDatabase } from './restore.ts'

export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string }

export async function withDatabase<T>(
  config: Config,
  mode: 'alone' | 'shared',
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connectionString = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  if (connectionString !== undefined) return work({ connectionString })
  const dataDir = join(config.DATA_DIR, 'database')
  const running = mode === 'shared' ? await findRunningEmbedded(dataDir) : undefined
  if (running !== undefined) return work(running)
  const isNew = !(await exists(dataDir))
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  let isDone = false
  try {
    const result = await work(embedded.config)
    isDone = true
    return result
  } finally {
    await embedded.stop()
    if (isNew && !isDone) await rm(dataDir, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Never overwrites an existing file; deletes an incomplete one. */
export async function writeBackup(connection: Connection, file: string, now: Date): Promise<DumpSummary> {
  const client = await connectAlone(connection, 'whence backup')
  let summary: DumpSummary = { tables: 0, rows: 0 }
  let isOurs = false
  try {
    const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
    out.once('open', () => {
      isOurs = true
    })
    const rows = dump(client, now, (all) => {
      summary = all
    })
    await pipeline(Readable.from(rows, { objectMode: false }), createGzip({ level: 4 }), out)
    return summary
  } catch (error) {
    if (isOurs) await rm(file, { force: true })
    if ((error as { code?: string }).code === 'EEXIST')
      throw new BackupError(`${file} already exists; choose a new file.`, { cause: error })
    throw error
  } finally {
    await client.end()
  }
}

/** Migrates to the schema of the backup, loads the rows, then migrates to this version. */
export async function restoreBackup(
  connection: Connection,
  file: string,
  masterKeys: string,
  now: Date,
): Promise<DumpSummary & { at: Date }> {
  const keyring = parseMasterKeys(masterKeys)
  const unpacked = createGunzip()
  const reading = pipeline(createReadStream(file), unpacked)
  // The error is delivered to the reader of the rows; without a handler it would end the process.
  reading.catch(() => {})
  unpacked.on('error', () => {})
  const database = openDatabase({ ...connection, max: 3 })
  const client = await connectAlone(connection, 'whence restore')
  const isBare = (await listTables(client)).length === 0
  try {
    const reader = readBackup(unpacked)
    const { header, line } = await readHeader(reader)
    await refuseUsedDatabase(client)
    await migrate(database.pool, header.migrations)
    await ensureMonths(
      database.db,
      header.months.map((month) => new Date(`${month}T00:00:00Z`)),
    )
    const summary = await load(client, reader, line, async () => {
      const { rows } = await client.query<{ sealed: Buffer }>(
        `select sealed from service_secrets where name = 'identity_pepper'`,
      )
      if (rows[0] !== undefined) openPepper(keyring, rows[0].sealed)
    })
    await migrate(database.pool)
    await ensurePartitions(database.db, now)
    await client.query('analyze')
    return { ...summary, at: new Date(header.made_at) }
  } catch (error) {
    if (isBare) await dropTables(client)
    const code = (error as { code?: string }).code ?? ''
    if (code === 'ENOENT') throw new BackupError(`${file} does not exist.`, { cause: error })
    if (code.startsWith('Z_'))
      throw new BackupError('The file is not a Whence backup, or it is damaged (not gzip, or truncated).', {
        cause: error,
      })
    throw error
  } finally {
    unpacked.destroy()
    await client.end()
    await database.close()
  }
}

/** For `backup_age_seconds` and `operator check`. The backup is complete also where this fails, as on a standby. */
export async function recordBackup(connection: Connection, { rows }: DumpSummary): Promise<string[]> {
  const client = await connectAlone(connection, 'whence backup')
  try {
    await client.query(
      `insert into last_backup (id, finished_at, rows) values (1, clock_timestamp(), $1)
       on conflict (id) do update set finished_at = excluded.finished_at, rows = excluded.rows`,
      [rows],
    )
    return []
  } catch (error) {
    return [
      `The time of this backup was not recorded, so its age is unknown to alerts: ${(error as Error).message}`,
    ]
  } finally {
    await client.end()
  }
}
