/** Statements on what a person or a credential created, in a list of profiles or a workspace. */
import { type SqlBool, sql } from 'kysely'
import { uuidList } from '../db/bulk/columns.ts'
import type { Db, Tx } from '../db/database.ts'

export type Maker = { userId: string } | { credentialId: string }
export type Created = { kind: string; id: string; name: string }

export const MAKER_ENDED = 'maker_ended'

const madeBy = (maker: Maker) =>
  'userId' in maker
    ? sql<SqlBool>`made_by_user_id = ${maker.userId}`
    : sql<SqlBool>`made_by_credential_id = ${maker.credentialId}`

const inProfiles = (ids: readonly string[]) => sql<SqlBool>`profile_id = any(${uuidList(ids)}::uuid[])`

type Row = { id: string; name: string }
async function rowsOf(db: Db | Tx, kind: string, query: ReturnType<typeof sql>): Promise<Created[]> {
  const { rows } = await (query as ReturnType<typeof sql<Row>>).execute(db)
  return rows.map(({ id, name }) => ({ kind, id, name }))
}

export const pauseWebhooks = (tx: Tx, p: { maker: Maker; profileIds: readonly string[]; now: Date }) =>
  rowsOf(
    tx,
    'Webhook',
    sql`update webhook_subscriptions set status = 'paused', status_reason = ${MAKER_ENDED}, updated_at = ${p.now}
      where ${inProfiles(p.profileIds)} and ${madeBy(p.maker)} and status = 'active' and deleted_at is null
      returning id, url as name`,
  )

/** Webhooks that keep sending, but no contacts from now on. */
export const closeContacts = (tx: Tx, p: { maker: Maker; profileIds: readonly string[]; now: Date }) =>
  rowsOf(
    tx,
    'Contacts in the webhook',
    sql`update webhook_subscriptions set opens_contact = false, updated_at = ${p.now}
      where ${inProfiles(p.profileIds)} and ${madeBy(p.maker)} and opens_contact and deleted_at is null
      returning id, url as name`,
  )

export const disableDestinations = (tx: Tx, p: { maker: Maker; profileIds: readonly string[]; now: Date }) =>
  rowsOf(
    tx,
    'Conversions sent to',
    sql`update export_destinations set enabled = false, status_reason = ${MAKER_ENDED}, updated_at = ${p.now}
      where ${inProfiles(p.profileIds)} and ${madeBy(p.maker)} and enabled
      returning id, display_name as name`,
  )

export const disableDataExports = (tx: Tx, p: { maker: Maker; profileIds: readonly string[]; now: Date }) =>
  rowsOf(
    tx,
    'Data export',
    sql`update data_export_destinations set enabled = false, next_run_at = null, updated_at = ${p.now}
      where ${inProfiles(p.profileIds)} and ${madeBy(p.maker)} and enabled
      returning id, name`,
  )

export const revokeInvitations = (tx: Tx, p: { userId: string; workspaceId: string; now: Date }) =>
  rowsOf(
    tx,
    'Invitation of',
    sql`update invitations set revoked_at = ${p.now}
      where workspace_id = ${p.workspaceId} and invited_by_user_id = ${p.userId}
        and accepted_at is null and revoked_at is null and expires_at > ${p.now}
      returning id, email as name`,
  )

/** Scheduled reports are no longer mailed to the person. */
export const removeRecipient = (tx: Tx, p: { email: string; profileIds: readonly string[] }) =>
  rowsOf(
    tx,
    'Scheduled report to',
    sql`update report_schedules
      set recipients = array(select address from unnest(recipients) as address where lower(address) <> lower(${p.email}))
      where ${inProfiles(p.profileIds)} and lower(${p.email}) in (select lower(address) from unnest(recipients) as address)
      returning profile_id as id, ${p.email}::text as name`,
  )

export const listConnections = (db: Db | Tx, p: { maker: Maker; profileIds: readonly string[] }) =>
  rowsOf(
    db,
    'Connection',
    sql`select id, display_name as name from connections
      where ${inProfiles(p.profileIds)} and ${madeBy(p.maker)} and status <> 'revoked' order by id`,
  )

export const listKeys = (db: Db | Tx, p: { userId: string; profileIds: readonly string[]; now: Date }) =>
  rowsOf(
    db,
    'API key',
    sql`select id, coalesce(name, hint) as name from credentials
      where kind = 'api_key' and ${inProfiles(p.profileIds)} and made_by_user_id = ${p.userId}
        and (revoked_at is null or revoked_at > ${p.now}) order by id`,
  )

export const listAppSecrets = (db: Db | Tx, p: { userId: string; workspaceId: string; now: Date }) =>
  rowsOf(
    db,
    'Secret of the app',
    sql`select c.id, a.name from credentials c join apps a on a.id = c.app_id
      where c.kind = 'app_secret' and a.workspace_id = ${p.workspaceId} and c.made_by_user_id = ${p.userId}
        and c.revoked_at is null and (c.expires_at is null or c.expires_at > ${p.now}) order by c.id`,
  )

export const listAppAccess = (db: Db | Tx, p: { userId: string; profileIds: readonly string[] }) =>
  rowsOf(
    db,
    'Access of the app',
    sql`select au.id, a.name from app_authorizations au join apps a on a.id = au.app_id
      where ${inProfiles(p.profileIds)} and au.user_id = ${p.userId} and au.revoked_at is null order by au.id`,
  )

export const listLiveLinks = (db: Db | Tx, p: { userId: string; profileIds: readonly string[]; now: Date }) =>
  rowsOf(
    db,
    'Live link',
    sql`select id, name from live_links where ${inProfiles(p.profileIds)} and created_by = ${p.userId}
      and revoked_at is null and expires_at > ${p.now} order by id`,
  )

export const listSnapshots = (db: Db | Tx, p: { userId: string; workspaceId: string; now: Date }) =>
  rowsOf(
    db,
    'Snapshot',
    sql`select id, name from performer_snapshots where workspace_id = ${p.workspaceId}
      and made_by_user_id = ${p.userId} and revoked_at is null and expires_at > ${p.now} order by id`,
  )

export const listBriefWebhooks = (db: Db | Tx, p: { userId: string; profileIds: readonly string[] }) =>
  rowsOf(
    db,
    'Briefs posted to',
    sql`select id, coalesce(name, host) as name from brief_receivers
      where ${inProfiles(p.profileIds)} and kind <> 'mail' and created_by = ${p.userId} order by id`,
  )

/** After a rotation, what the key created belongs to its successor. */
export async function passToKey(tx: Tx, p: { profileId: string; from: string; to: string }): Promise<void> {
  for (const table of [
    'webhook_subscriptions',
    'export_destinations',
    'data_export_destinations',
    'connections',
  ])
    await sql`update ${sql.table(table)} set made_by_credential_id = ${p.to}
      where profile_id = ${p.profileId} and made_by_credential_id = ${p.from}`.execute(tx)
}

/** Profiles of the live workspaces of which the person is a member, by workspace. */
export async function listProfilesOfPerson(
  db: Db | Tx,
  p: { userId: string },
): Promise<{ workspace_id: string; profile_ids: string[] }[]> {
  const { rows } = await sql<{ workspace_id: string; profile_ids: string[] }>`
    select p.workspace_id, array_agg(p.id order by p.id) as profile_ids
    from profiles p join workspaces w on w.id = p.workspace_id
    where p.archived_at is null and w.archived_at is null and (
      exists (select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = ${p.userId})
      or exists (select 1 from profile_members m where m.profile_id = p.id and m.user_id = ${p.userId}))
    group by p.workspace_id`.execute(db)
  return rows
}
