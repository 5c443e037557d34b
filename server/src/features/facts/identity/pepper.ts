/** The key of all identifier hashes: made once, sealed in the database, the same for every process and for good. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { ConfigError } from '../../../config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { open, seal, UnsealError } from '../../../platform/secrets/seal.ts'

const NAME = 'identity_pepper'
const place = { table: 'service_secrets', row: NAME, column: 'sealed', profileId: null }

function findPepper(db: Db): Promise<{ sealed: Buffer } | undefined> {
  return rowsWhere(db, 'service_secrets', { name: NAME }).find(['sealed'])
}

/** Of processes that start at once, all take the one that came first. */
async function makePepper(db: Db, keyring: Keyring, now: Date): Promise<{ sealed: Buffer }> {
  await db
    .insertInto('service_secrets')
    .values({ name: NAME, sealed: seal(keyring, place, randomBytes(32)), created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findPepper(db))!
}

export async function loadPepper(db: Db, keyring: Keyring, now: Date): Promise<KeyObject> {
  const row = (await findPepper(db)) ?? (await makePepper(db, keyring, now))
  return openPepper(keyring, row.sealed)
}

/** From when on every process knows ids that begin with their time. */
export async function loadTimedIdsFrom(db: Db): Promise<Date> {
  const row = await rowsWhere(db, 'service_secrets', { name: NAME }).find(['timed_ids_from'])
  return row!.timed_ids_from
}

/** Every database has one, so a keyring that opens it has the keys of that database. */
export function openPepper(keyring: Keyring, sealed: Buffer): KeyObject {
  try {
    return createSecretKey(open(keyring, place, sealed))
  } catch (cause) {
    if (!(cause instanceof UnsealError)) throw cause
    throw new ConfigError(
      `MASTER_KEYS are not the keys of this database (${cause.message}). Start with the keys that it was begun with; add a new one in front of them.`,
    )
  }
}
