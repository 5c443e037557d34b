/** Reads the master keys: configured, or in embedded mode stored next to the data. Lost keys are never replaced. */
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import type { Db } from '../db/database.ts'
import { generateMasterKeys } from './keyring.ts'

export async function readMasterKeys(config: Config, db: Db): Promise<string> {
  const existing = await findMasterKeys(config)
  if (existing !== undefined) return existing
  const file = fileOf(config)
  if (await hasSealedValues(db))
    throw new ConfigError(
      `${file} is missing, and the database has secrets that only its keys can decrypt. Restore the file, or set MASTER_KEYS; a new key would make every connection, webhook secret and credential unusable.`,
    )
  return createKeys(file)
}

const fileOf = (config: Config) => join(config.DATA_DIR, 'master-keys')

/** Undefined if no keys are configured or stored. */
export async function findMasterKeys(config: Config): Promise<string | undefined> {
  if (config.MASTER_KEYS !== undefined) return config.MASTER_KEYS
  const file = fileOf(config)
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`The master keys cannot be read: ${error.message}.`)
  })
  if (stored?.trim() === '') throw new ConfigError(`${file} is empty; restore the master keys.`)
  return stored?.trim()
}

async function hasSealedValues(db: Db): Promise<boolean> {
  const row = await db.selectFrom('service_secrets').select('name').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Synced to disk before any use, readable by the owner only. */
async function createKeys(file: string): Promise<string> {
  const keys = generateMasterKeys()
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${keys}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return keys
}
