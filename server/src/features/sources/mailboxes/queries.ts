import { sql } from 'kysely'
import { MAILBOX } from '../../../connectors/mailbox.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { ConnectionRow } from '../connections/queries.ts'

/** False if the status is unchanged, or only a new consent can change it. */
export async function setMailboxStatus(
  tx: Tx,
  params: {
    profileId: string
    connectionId: string
    status: 'connected' | 'needs_action'
    reason: string | null
    now: Date
  },
): Promise<boolean> {
  const { rows } = await sql`
    update connections set status = ${params.status}, status_reason = ${params.reason}, updated_at = ${params.now}
    where profile_id = ${params.profileId} and id = ${params.connectionId}
      and status not in ('revoked', 'reconnect_required')
      and (status <> ${params.status} or status_reason is distinct from ${params.reason}::text)
    returning id`.execute(tx)
  return rows.length > 0
}

/** The mailbox that sends a profile's mail: the most recently connected one. */
export async function findSendingMailbox(
  db: Db | Tx,
  params: { profileId: string },
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .where('provider', '=', MAILBOX)
    .where('status', 'not in', ['revoked', 'reconnect_required'])
    .orderBy('authorized_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
