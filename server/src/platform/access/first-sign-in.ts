/** Stores the banner of the first start (with the password), encrypted, until the first sign-in, because it is easily missed in
 * the output. */
import type { Service } from '../../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { insertRow, rowsWhere } from '../db/rows.ts'
import { openText, seal } from '../secrets/seal.ts'

const PREFIX = 'first_sign_in:'
const sealContext = (name: string) => ({
  table: 'service_secrets',
  row: name,
  column: 'sealed',
  profileId: null,
})

export async function saveFirstSignIn(service: Service, tx: Tx, params: { userId: string; text: string }) {
  const name = PREFIX + params.userId
  const sealed = seal(service.keyring, sealContext(name), params.text)
  await insertRow(tx, 'service_secrets', { name, sealed, created_at: service.clock.machineNow() })
}

export async function findFirstSignIn(service: Service): Promise<string | undefined> {
  const row = await service.db
    .selectFrom('service_secrets')
    .select(['name', 'sealed'])
    .where('name', 'like', `${PREFIX}%`)
    .executeTakeFirst()
  return row === undefined ? undefined : openText(service.keyring, sealContext(row.name), row.sealed)
}

/** Called once the person has signed in or changed the password. */
export async function forgetFirstSignIn(db: Db | Tx, params: { userId: string }): Promise<void> {
  await rowsWhere(db, 'service_secrets', { name: PREFIX + params.userId }).delete()
}
