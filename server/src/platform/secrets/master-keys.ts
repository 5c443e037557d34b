/** The master keys of this start: given, or in embedded mode stored next to the data. A lost one is never replaced. */
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import type { Db } from '../db/database.ts'
import { generateMasterKeys } from './keyring.ts'

export async function readMasterKeys(config: Config, db: Db): Promise<string> {
  const found = await findMasterKeys(config)
  if (found !== undefined) return found
  const file = fileOf(config)
  if (await holdsSealedValues(db))
    throw new ConfigError(
      `${file} is missing, and the database holds values that only its keys open. Put the file back, or set MASTER_KEYS; a new key would make every connection, webhook secret and credential useless.`,
    )
  return makeKeys(file)
}

const fileOf = (config: Config) => join(config.DATA_DIR, 'master-keys')

/** Undefined where none were given and none are kept. */
export async function findMasterKeys(config: Config): Promise<string | undefined> {
  if (config.MASTER_KEYS !== undefined) return config.MASTER_KEYS
  const file = fileOf(config)
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`The master keys cannot be read: ${error.message}.`)
  })
  if (kept?.trim() === '') throw new ConfigError(`${file} is empty; put the master keys back.`)
  return kept?.trim()
}

async function holdsSealedValues(db: Db): Promise<boolean> {
  const row = await db.selectFrom('service_secrets').select('name').limit(1).executeTakeFirst()
  return row !== undefined
}

/** On the disk before anything is sealed with it, readable by the owner only. */
async function makeKeys(file: string): Promise<string> {
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
