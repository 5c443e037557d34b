/** Revocation of an app's authorizations, and removal of person scopes from them. */
import { sql } from 'kysely'
import { personScopes } from '../contract/access.ts'
import { databaseNow, type Tx } from '../db/database.ts'
import { rowsWhere } from '../db/rows.ts'
import { stopCreatedByApps } from './created-by-apps.ts'
import { copyKeys } from './key-copies.ts'
import { lockEnding } from './live-maker.ts'

/**
 * Revokes the authorizations with all their keys, pending hand-offs and created objects, except connections, which
 * `revokeAuthorizations` of `features/sources/connections` ends.
 */
export async function endAuthorizations(
  tx: Tx,
  params: { authorizationIds: readonly string[]; now: Date; withdrawnBy?: string },
): Promise<void> {
  const { authorizationIds, now } = params
  if (authorizationIds.length === 0) return
  for (const authorizationId of [...authorizationIds].sort()) await lockEnding(tx, { authorizationId })
  await rowsWhere(tx, 'app_authorizations', { id: authorizationIds, revoked_at: null }).update({
    revoked_at: now,
    ...(params.withdrawnBy === undefined ? {} : { withdrawn_by_user_id: params.withdrawnBy }),
  })
  const revoked = await tx
    .updateTable('credentials')
    .set({ revoked_at: now })
    .where('authorization_id', 'in', authorizationIds)
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', now)]))
    .returning('id')
    .execute()
  await copyKeys(
    tx,
    revoked.map(({ id }) => id),
  )
  // Hand-off links work for anyone who has them, so they end with the app's permissions.
  const at = await databaseNow(tx)
  await tx
    .updateTable('handoffs')
    .set({ expires_at: at })
    .where('minted_authorization_id', 'in', authorizationIds)
    .where('status', '=', 'pending')
    .where('expires_at', '>', at)
    .execute()
  await stopCreatedByApps(tx, { authorizationIds, now })
}

/** Removes person scopes from partner grants on profiles that became healthcare profiles. */
export async function stripPersonScopes(tx: Tx, profileIds: readonly string[]): Promise<void> {
  if (profileIds.length === 0) return
  const ids = [...profileIds]
  const changed = new Set<string>()
  for (const scope of personScopes) {
    await sql`update app_authorizations set scopes = array_remove(scopes, ${scope})
      where profile_id = any(${ids}::uuid[]) and revoked_at is null`.execute(tx)
    const { rows } = await sql<{ id: string }>`update credentials set scopes = array_remove(scopes, ${scope})
      where profile_id = any(${ids}::uuid[]) and app_id is not null and kind = 'api_key'
      returning id`.execute(tx)
    for (const { id } of rows) changed.add(id)
  }
  await copyKeys(tx, [...changed])
}

/** Revokes all tokens issued from one consent of an MCP client. Returns the number of tokens that were left. */
export function revokeFamily(tx: Tx, params: { family: string; now: Date }): Promise<number> {
  return rowsWhere(tx, 'credentials', { authorization_id: params.family, revoked_at: null }).update({
    revoked_at: params.now,
  })
}
