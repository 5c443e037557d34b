/** `npm run backup -- FILE` and `npm run restore -- FILE`, for the embedded database and for a server. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import { findRunningEmbedded } from '../../platform/db/embedded.ts'
import { findMasterKeys } from '../../platform/secrets/master-keys.ts'
import { recordBackup, restoreBackup, withDatabase, writeBackup } from './files.ts'
import { verifyBackup } from './verify.ts'

/** Also works while the service is running, because reads do not block. */
export async function backupFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const [file, ...rest] = args
  if (file === '--verify' && rest.length === 1) return verifyFromCommand(config, rest[0]!)
  if (file === undefined || rest.length > 0 || file.startsWith('-'))
    throw new ConfigError('Usage: npm run backup -- <new file>, or npm run backup -- --verify <file>')
  const { summary, unrecorded } = await withDatabase(config, 'shared', async (connection) => {
    const summary = await writeBackup(connection, file, new Date())
    return { summary, unrecorded: await recordBackup(connection, summary) }
  })
  const { size } = await stat(file)
  return [
    `Backed up ${summary.rows} rows of ${summary.tables} tables to ${file} (${(size / 1024 ** 2).toFixed(1)} MB).`,
    `Store the master keys separately (${config.DATABASE_URL === undefined ? join(config.DATA_DIR, 'master-keys') : 'MASTER_KEYS'}): without them its secrets cannot be decrypted.`,
    ...unrecorded,
  ]
}

async function verifyFromCommand(config: Config, file: string): Promise<string[]> {
  const connectionString = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  const running =
    connectionString === undefined
      ? await findRunningEmbedded(join(config.DATA_DIR, 'database'))
      : { connectionString }
  return verifyBackup(config, { file, keys: await requireKeys(config), running })
}

async function requireKeys(config: Config): Promise<string> {
  const keys = await findMasterKeys(config)
  if (keys !== undefined) return keys
  throw new ConfigError(
    `The master keys of the backup are required: put its master-keys file into ${config.DATA_DIR}, or set MASTER_KEYS.`,
  )
}

export async function restoreFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const [file, ...rest] = args
  if (file === undefined || rest.length > 0)
    throw new ConfigError('Usage: npm run restore -- <file>, into an empty database')
  const keys = await requireKeys(config)
  const summary = await withDatabase(config, 'alone', (connection) =>
    restoreBackup(connection, file, keys, new Date()),
  )
  return [`Restored ${summary.rows} rows of ${summary.tables} tables from ${file}.`]
}
