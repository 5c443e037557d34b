import { uuidv7 } from '../contract/ids.ts'
import type { Tx } from '../db/database.ts'
import { rowsWhere } from '../db/rows.ts'
import { normaliseEmail } from './rules.ts'
import { lockAddresses } from './user-queries.ts'

/**
 * Finds or creates the account of an address. A new one has no password, so no one can sign in before a reset by
 * mail. The address is locked, so its account cannot change until the caller has committed.
 */
export async function findOrCreateUser(
  tx: Tx,
  person: { email: string; name: string | undefined; now: Date },
): Promise<{ id: string }> {
  const emailLower = normaliseEmail(person.email)
  const email = person.email.trim()
  await lockAddresses(tx, [email])
  await tx
    .insertInto('users')
    .values({
      id: uuidv7(person.now),
      email,
      email_lower: emailLower,
      name: person.name ?? email.split('@')[0]!,
      created_at: person.now,
    })
    .onConflict((conflict) => conflict.column('email_lower').doNothing())
    .execute()
  return rowsWhere(tx, 'users', { email_lower: emailLower }).get(['id'])
}
