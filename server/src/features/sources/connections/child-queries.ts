import { sql } from 'kysely'
import { type MessagingChannel, messagingChannels, PAGE_LOGIN } from '../../../connectors/messaging.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

type Parent = { profileId: string; connectionId: string }
export type ChildRow = { id: string; provider: string; status: string }

/** Connected messaging accounts that use the authorization of a social account. */
export async function listChildren(tx: Tx, parent: Parent): Promise<ChildRow[]> {
  const { rows } = await sql<ChildRow>`
    select id, provider, status from connections
    where profile_id = ${parent.profileId} and parent_id = ${parent.connectionId} and status <> 'revoked'
    order by id`.execute(tx)
  return rows
}

/** Returns the rows whose status changed. */
export async function setChildStatus(
  tx: Tx,
  params: Parent & { status: string; reason: string | null; now: Date },
): Promise<ChildRow[]> {
  const { rows } = await sql<ChildRow>`
    update connections set status = ${params.status}, status_reason = ${params.reason}, updated_at = ${params.now}
    where profile_id = ${params.profileId} and parent_id = ${params.connectionId}
      and status not in ('revoked', ${params.status})
    returning id, provider, status`.execute(tx)
  return rows
}

export async function saveAccountLink(
  tx: Tx,
  params: { profileId: string; connectionId: string; parentId: string | null; datasetId: string | null },
): Promise<void> {
  await sql`
    update connections set parent_id = ${params.parentId}::uuid, dataset_id = coalesce(${params.datasetId}::text, dataset_id)
    where profile_id = ${params.profileId} and id = ${params.connectionId}`.execute(tx)
}

/** External ids of the connected messaging accounts that receive their messages through a page. */
export async function listPageMessagingAccounts(db: Db | Tx, params: { profileId: string }) {
  const { rows } = await sql<{ channel: MessagingChannel; id: string }>`
    select provider as channel, external_id as id from connections
    where profile_id = ${params.profileId} and provider = any(${[...messagingChannels]}::text[])
      and provider_subtype = ${PAGE_LOGIN} and status <> 'revoked'`.execute(db)
  return rows
}
