import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isAlive } from '../../facts/identity/members.ts'

type MailStatus = 'sending' | 'sent' | 'failed' | 'unknown'

/** False if a mail with this id exists. */
export async function insertMail(
  tx: Tx,
  mail: {
    profileId: string
    id: string
    connectionId: string
    recipients: number
    requestKey: string | null
    requestHash: string
    now: Date
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into mail_messages (profile_id, id, connection_id, recipients, status, request_key, request_hash, created_at)
    values (${mail.profileId}, ${mail.id}, ${mail.connectionId}, ${mail.recipients}, 'sending',
      ${mail.requestKey}::uuid, ${mail.requestHash}, ${mail.now})
    on conflict (profile_id, id) do nothing returning id`.execute(tx)
  return rows.length > 0
}

export async function findMailStatus(
  db: Db | Tx,
  params: { profileId: string; id: string },
): Promise<MailStatus | undefined> {
  const { rows } = await sql<{ status: MailStatus }>`
    select status from mail_messages where profile_id = ${params.profileId} and id = ${params.id}`.execute(db)
  return rows[0]?.status
}

/** The newest mail of the same request. */
export async function findMailOfRequest(
  db: Db | Tx,
  params: { profileId: string; requestKey: string; since: Date },
): Promise<{ id: string; request_hash: string; status: MailStatus } | undefined> {
  const { rows } = await sql<{ id: string; request_hash: string; status: MailStatus }>`
    select id, request_hash, status from mail_messages
    where profile_id = ${params.profileId} and request_key = ${params.requestKey} and created_at > ${params.since}
    order by created_at desc limit 1`.execute(db)
  return rows[0]
}

/** Only changes a mail with the status `sending`. */
export async function settleMail(
  tx: Tx,
  params: {
    profileId: string
    id: string
    status: Exclude<MailStatus, 'sending'>
    reason: string | null
    now: Date
  },
): Promise<void> {
  await sql`
    update mail_messages set status = ${params.status}, reason = ${params.reason}, settled_at = ${params.now}
    where profile_id = ${params.profileId} and id = ${params.id} and status = 'sending'`.execute(tx)
}

/** Customer id of each of the identifiers that belongs to an existing, unerased customer. */
export async function listCustomersOf(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[] },
): Promise<Map<string, string>> {
  const { profileId } = params
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select i.id, i.customer_id from identifiers i
    where i.profile_id = ${profileId} and i.id = any(${[...params.identifierIds]}::uuid[])
      and ${isAlive(profileId, sql.ref('i.customer_id'))}`.execute(db)
  return new Map(rows.map((row) => [row.id, row.customer_id]))
}

/** The lower-case addresses that belong to members of the workspace. */
export async function listMemberAddresses(
  db: Db | Tx,
  params: { workspaceId: string; addresses: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select u.email_lower as address from workspace_members m join users u on u.id = m.user_id
    where m.workspace_id = ${params.workspaceId}
      and u.email_lower = any(${[...params.addresses]}::text[])`.execute(db)
  return new Set(rows.map(({ address }) => address))
}
