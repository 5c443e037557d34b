/** The key of all identifier hashes: generated once, stored encrypted in the database, shared by all processes, never changed. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { ConfigError } from '../../../config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { open, seal, UnsealError } from '../../../platform/secrets/seal.ts'

const NAME = 'identity_pepper'
const pepperCell = { table: 'service_secrets', row: NAME, column: 'sealed', profileId: null }

function findPepper(db: Db): Promise<{ sealed: Buffer } | undefined> {
  return rowsWhere(db, 'service_secrets', { name: NAME }).find(['sealed'])
}

/** If several processes start concurrently, the first insert wins. */
async function createPepper(db: Db, keyring: Keyring, now: Date): Promise<{ sealed: Buffer }> {
  await db
    .insertInto('service_secrets')
    .values({ name: NAME, sealed: seal(keyring, pepperCell, randomBytes(32)), created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findPepper(db))!
}

export async function loadPepper(db: Db, keyring: Keyring, now: Date): Promise<KeyObject> {
  const row = (await findPepper(db)) ?? (await createPepper(db, keyring, now))
  return openPepper(keyring, row.sealed)
}

/** The time from which every process supports ids that start with their time. */
export async function loadTimedIdsFrom(db: Db): Promise<Date> {
  const row = await rowsWhere(db, 'service_secrets', { name: NAME }).find(['timed_ids_from'])
  return row!.timed_ids_from
}

/** Decrypts the pepper. Every database has one, so this also verifies that the keyring matches the database. */
export function openPepper(keyring: Keyring, sealed: Buffer): KeyObject {
  try {
    return createSecretKey(open(keyring, pepperCell, sealed))
  } catch (cause) {
    if (!(cause instanceof UnsealError)) throw cause
    throw new ConfigError(
      `MASTER_KEYS are not the keys of this database (${cause.message}). Use the original keys; to rotate, put a new key in front of them.`,
    )
  }
}
