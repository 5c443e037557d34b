/** Revocation of an app's authorizations with everything that the app created under them. */
import { sql } from 'kysely'
import { endAuthorizations } from '../../../platform/access/authorizations.ts'
import { AUTHORIZATION_ENDED } from '../../../platform/access/created-by-apps.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { databaseNow, type Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { revokeConnection } from './store.ts'

type Revocation = { authorizationIds: readonly string[]; now: Date; withdrawnBy?: string }

export async function revokeAuthorizations(tx: Tx, params: Revocation): Promise<void> {
  if (params.authorizationIds.length === 0) return
  await endAuthorizations(tx, params)
  await endConnections(tx, params.authorizationIds)
}

/**
 * A person withdraws an authorization: the app no longer governs the profile, even if it has other authorizations
 * there.
 */
export async function withdrawAuthorization(
  tx: Tx,
  params: { id: string; appId: string; profileId: string; userId: string; now: Date },
): Promise<void> {
  const { id, appId, profileId, userId, now } = params
  await revokeAuthorizations(tx, { authorizationIds: [id], now, withdrawnBy: userId })
  await sql`update profiles set governing_authorization_id = null
    where id = ${profileId} and governing_authorization_id in (
      select id from app_authorizations where profile_id = ${profileId} and app_id = ${appId})`.execute(tx)
}

/** Connections without a person's confirmation, with their signing secrets, and bank links that are not finished. */
async function endConnections(tx: Tx, authorizationIds: readonly string[]): Promise<void> {
  const ids = uuidList(authorizationIds)
  const { rows: profiles } = await sql<{ profile_id: string }>`
    select distinct profile_id from app_authorizations where id = any(${ids}::uuid[])`.execute(tx)
  const now = await databaseNow(tx)
  for (const { profile_id: profileId } of profiles) {
    await sql`delete from bank_links where profile_id = ${profileId} and finished_at is null and exists (
      select 1 from jsonb_array_elements(apps) as app
      where (app->>'authorizationId')::uuid = any(${ids}::uuid[]))`.execute(tx)
    const connections = await rowsWhere(tx, 'connections', {
      profile_id: profileId,
      authorization_id: [...authorizationIds],
    }).list({ columns: ['id'], orderBy: ['id'] })
    for (const { id: connectionId } of connections)
      await revokeConnection(tx, { profileId, connectionId, reason: AUTHORIZATION_ENDED, now })
  }
}
