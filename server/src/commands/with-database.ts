/** Opens the database for a command, with or without a running service. */
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Db, openDatabase } from '../platform/db/database.ts'
import { findRunningEmbedded, startEmbedded } from '../platform/db/embedded.ts'
import { migrate } from '../platform/db/migrate.ts'

/**
 * The database server without a pooler, the embedded database of a running service, or the embedded database
 * started for this command.
 */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const connectionString = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  if (connectionString !== undefined) return within({ connectionString }, work)
  const dataDir = join(config.DATA_DIR, 'database')
  const running = await findRunningEmbedded(dataDir)
  if (running !== undefined) return within(running, work)
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  try {
    return await within(embedded.config, work, migrate)
  } finally {
    await embedded.stop()
  }
}

async function within<T>(
  connection: Parameters<typeof openDatabase>[0],
  work: (db: Db) => Promise<T>,
  before?: typeof migrate,
): Promise<T> {
  const database = openDatabase({ ...connection, max: 2 })
  try {
    await before?.(database.pool)
    return await work(database.db)
  } finally {
    await database.close()
  }
}
