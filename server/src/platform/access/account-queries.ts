import type { Db, Tx } from '../db/database.ts'
import { insertRow, rowsWhere } from '../db/rows.ts'
import { normaliseEmail } from './rules.ts'
import type { UserRow } from './user-queries.ts'

/** Personal credential kinds. Keys of profiles and apps do not belong to one person and are kept. */
const personal = ['session', 'user_token', 'oauth_code', 'oauth_access', 'oauth_refresh']

/** False if another account has the address. */
export async function insertUser(tx: Tx, params: { user: UserRow; passwordHash: string }): Promise<boolean> {
  const created = await tx
    .insertInto('users')
    .values({
      ...params.user,
      email_lower: normaliseEmail(params.user.email),
      password_hash: params.passwordHash,
    })
    .onConflict((conflict) => conflict.column('email_lower').doNothing())
    .returning('id')
    .executeTakeFirst()
  return created !== undefined
}

/** Null for an account without a password. */
export async function findPasswordHash(db: Db | Tx, params: { userId: string }): Promise<string | null> {
  const row = await rowsWhere(db, 'users', { id: params.userId }).get(['password_hash'])
  return row.password_hash
}

export async function setPasswordHash(tx: Tx, params: { userId: string; passwordHash: string }) {
  await rowsWhere(tx, 'users', { id: params.userId }).update({ password_hash: params.passwordHash })
}

export async function replacePasswordHash(
  db: Db | Tx,
  params: { userId: string; from: string; to: string },
): Promise<void> {
  await rowsWhere(db, 'users', { id: params.userId, password_hash: params.from }).update({
    password_hash: params.to,
  })
}

export async function insertSession(
  db: Db | Tx,
  session: { id: string; userId: string; lookupHash: Buffer; hint: string; now: Date; expiresAt: Date },
): Promise<void> {
  await insertRow(db, 'credentials', {
    id: session.id,
    kind: 'session',
    lookup_hash: session.lookupHash,
    hint: session.hint,
    user_id: session.userId,
    created_at: session.now,
    expires_at: session.expiresAt,
  })
}

export async function revokeCredential(db: Db | Tx, params: { id: string; now: Date }): Promise<void> {
  await rowsWhere(db, 'credentials', { id: params.id }).update({ revoked_at: params.now })
}

/** Revokes all of the person's credentials except one. */
export async function revokePersonalCredentials(
  tx: Tx,
  params: { userId: string; keepCredentialId: string | undefined; now: Date },
): Promise<void> {
  await tx
    .updateTable('credentials')
    .set({ revoked_at: params.now })
    .where('user_id', '=', params.userId)
    .where('kind', 'in', personal)
    .where('revoked_at', 'is', null)
    .$if(params.keepCredentialId !== undefined, (query) => query.where('id', '<>', params.keepCredentialId!))
    .execute()
}

/** Ends the person's sessions except one. User tokens and those of assistants are kept. */
export async function revokePersonalSessions(
  tx: Tx,
  params: { userId: string; keepCredentialId: string | undefined; now: Date },
): Promise<void> {
  await tx
    .updateTable('credentials')
    .set({ revoked_at: params.now })
    .where('user_id', '=', params.userId)
    .where('kind', '=', 'session')
    .where('revoked_at', 'is', null)
    .$if(params.keepCredentialId !== undefined, (query) => query.where('id', '<>', params.keepCredentialId!))
    .execute()
}

/** Deletes mailed links that have not been used. */
export async function deleteAccountLinks(tx: Tx, params: { userId: string }): Promise<void> {
  await rowsWhere(tx, 'account_links', { user_id: params.userId }).delete()
}
