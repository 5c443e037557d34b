import type { Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

/** Replaces the accounts whose messages a social connection receives; webhooks are routed to profiles by this table. */
export async function replaceAccounts(
  tx: Tx,
  params: {
    profileId: string
    workspaceId: string
    connectionId: string
    provider: string
    externalIds: readonly string[]
    now: Date
  },
): Promise<void> {
  const { profileId, workspaceId, connectionId, provider, now } = params
  await rowsWhere(tx, 'connection_accounts', { profile_id: profileId, provider }).delete()
  const rows = [...new Set(params.externalIds)].map((externalId) => ({
    claim_key: [workspaceId, provider, externalId, profileId].join('|'),
    workspace_id: workspaceId,
    profile_id: profileId,
    connection_id: connectionId,
    provider,
    external_id: externalId,
    created_at: now,
  }))
  if (rows.length > 0) await tx.insertInto('connection_accounts').values(rows).execute()
}
