/** The end of an app's reach, and its narrowing where people must not be read. */
import { sql } from 'kysely'
import { personScopes } from '../../contract/access.ts'
import type { Tx } from '../../db/database.ts'

/** Ends the authorizations and every key they minted; answers how many keys. */
export async function revokeAuthorizations(
  tx: Tx,
  params: { authorizationIds: readonly string[]; now: Date },
): Promise<number> {
  const { authorizationIds, now } = params
  if (authorizationIds.length === 0) return 0
  await tx
    .updateTable('app_authorizations')
    .set({ revoked_at: now })
    .where('id', 'in', authorizationIds)
    .where('revoked_at', 'is', null)
    .execute()
  const keys = await tx
    .updateTable('credentials')
    .set({ revoked_at: now })
    .where('authorization_id', 'in', authorizationIds)
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', now)]))
    .returning('id')
    .execute()
  return keys.length
}

/** Partner grants on a profile that became a healthcare one lose what opens a person. */
export async function stripPersonScopes(tx: Tx, profileIds: readonly string[]): Promise<void> {
  if (profileIds.length === 0) return
  const ids = [...profileIds]
  for (const scope of personScopes) {
    await sql`update app_authorizations set scopes = array_remove(scopes, ${scope})
      where profile_id = any(${ids}::uuid[]) and revoked_at is null`.execute(tx)
    await sql`update credentials set scopes = array_remove(scopes, ${scope})
      where profile_id = any(${ids}::uuid[]) and app_id is not null and kind = 'api_key'`.execute(tx)
  }
}
