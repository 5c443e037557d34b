/** What the first start printed, sealed until the first account was signed in to: a banner may scroll by unread. */
import type { Service } from '../../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { insertRow, rowsWhere } from '../db/rows.ts'
import { openText, seal } from '../secrets/seal.ts'

const PREFIX = 'first_sign_in:'
const place = (name: string) => ({ table: 'service_secrets', row: name, column: 'sealed', profileId: null })

export async function saveFirstSignIn(service: Service, tx: Tx, params: { userId: string; text: string }) {
  const name = PREFIX + params.userId
  const sealed = seal(service.keyring, place(name), params.text)
  await insertRow(tx, 'service_secrets', { name, sealed, created_at: service.clock.machineNow() })
}

export async function findFirstSignIn(service: Service): Promise<string | undefined> {
  const row = await service.db
    .selectFrom('service_secrets')
    .select(['name', 'sealed'])
    .where('name', 'like', `${PREFIX}%`)
    .executeTakeFirst()
  return row === undefined ? undefined : openText(service.keyring, place(row.name), row.sealed)
}

/** The person has the password now, or another one. */
export async function forgetFirstSignIn(db: Db | Tx, params: { userId: string }): Promise<void> {
  await rowsWhere(db, 'service_secrets', { name: PREFIX + params.userId }).delete()
}
