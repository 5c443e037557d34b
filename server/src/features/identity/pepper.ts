/** The key of all identifier hashes: made once, sealed in the database, the same for every process and for good. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { open, seal } from '../../secrets/seal.ts'

const NAME = 'identity_pepper'
const place = { table: 'service_secrets', row: NAME, column: 'sealed', profileId: null }

export async function loadPepper(db: Db, keyring: Keyring, now: Date): Promise<KeyObject> {
  await db
    .insertInto('service_secrets')
    .values({ name: NAME, sealed: seal(keyring, place, randomBytes(32)), created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await db
    .selectFrom('service_secrets')
    .select('sealed')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  return createSecretKey(open(keyring, place, row.sealed))
}
