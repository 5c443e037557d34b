/** The key of all identifier hashes: made once, sealed in the database, the same for every process and for good. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { ConfigError } from '../../../config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { open, seal, UnsealError } from '../../../platform/secrets/seal.ts'

const NAME = 'identity_pepper'
const place = { table: 'service_secrets', row: NAME, column: 'sealed', profileId: null }

type PepperRow = { sealed: Buffer; timed_ids_from: Date }

function findPepper(db: Db): Promise<PepperRow | undefined> {
  return rowsWhere(db, 'service_secrets', { name: NAME }).find(['sealed', 'timed_ids_from'])
}

/** Of processes that start at once, all take the one that came first. */
async function makePepper(db: Db, keyring: Keyring, now: Date): Promise<PepperRow> {
  await db
    .insertInto('service_secrets')
    .values({
      name: NAME,
      sealed: seal(keyring, place, randomBytes(32)),
      created_at: now,
      timed_ids_from: now,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findPepper(db))!
}

/** With the time from which the tracker may make ids that begin with their time. */
export async function loadPepper(db: Db, keyring: Keyring, now: Date) {
  const row = (await findPepper(db)) ?? (await makePepper(db, keyring, now))
  return { identityPepper: openPepper(keyring, row.sealed), timedIdsFrom: row.timed_ids_from }
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
