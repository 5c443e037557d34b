import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { rowsWhere } from '../db/rows.ts'
import { normaliseEmail } from './rules.ts'

export type UserRow = {
  id: string
  email: string
  name: string
  email_verified_at: Date | null
  created_at: Date
}

const columns = ['id', 'email', 'name', 'email_verified_at', 'created_at'] as const

export async function findUserById(db: Db | Tx, params: { userId: string }): Promise<UserRow | undefined> {
  return rowsWhere(db, 'users', { id: params.userId }).find(columns)
}

export async function getUser(db: Db | Tx, userId: string): Promise<UserRow> {
  return rowsWhere(db, 'users', { id: userId }).get(columns)
}

export async function findUserByEmail(
  db: Db | Tx,
  params: { email: string },
): Promise<(UserRow & { password_hash: string | null }) | undefined> {
  return db
    .selectFrom('users')
    .select([...columns, 'password_hash'])
    .where('email_lower', '=', normaliseEmail(params.email))
    .executeTakeFirst()
}

export async function isAddressTaken(db: Db | Tx, params: { email: string; butNotBy: string }) {
  const user = await findUserByEmail(db, params)
  return user !== undefined && user.id !== params.butNotBy
}

/** Serialises changes of the account or the access of an address. */
export async function lockAddresses(tx: Tx, emails: readonly string[]): Promise<void> {
  for (const address of emails.map(normaliseEmail).sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${address}`}, 0))`.execute(tx)
}

export async function lockUser(tx: Tx, params: { userId: string }): Promise<UserRow | undefined> {
  return rowsWhere(tx, 'users', { id: params.userId }).lock(columns)
}

export async function setAddress(tx: Tx, params: { userId: string; email: string; now: Date }) {
  await rowsWhere(tx, 'users', { id: params.userId }).update({
    email: params.email,
    email_lower: normaliseEmail(params.email),
    email_verified_at: params.now,
  })
}

/** Moves memberships that were granted to an address to another account. */
export async function moveMembershipsByEmail(tx: Tx, params: { from: string; to: string }): Promise<void> {
  await sql`update workspace_members set user_id = ${params.to}::uuid
    where user_id = ${params.from}::uuid and by_email`.execute(tx)
  await sql`update profile_members set user_id = ${params.to}::uuid
    where user_id = ${params.from}::uuid and by_email`.execute(tx)
}

export async function hasMembershipByEmail(tx: Tx, params: { userId: string }): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from workspace_members where user_id = ${params.userId}::uuid and by_email)
      or exists (select 1 from profile_members where user_id = ${params.userId}::uuid and by_email) as found`.execute(
    tx,
  )
  return rows[0]!.found
}

/** How the token of a pending invitation to this address was delivered; undefined if there is none. */
export async function findInvitedBy(
  db: Db | Tx,
  params: { hashes: Buffer[]; email: string; now: Date },
): Promise<'mail' | 'link' | undefined> {
  const row = await db
    .selectFrom('invitations')
    .select((eb) => eb('token_hash', 'in', params.hashes).as('was_mailed'))
    .where((eb) => eb.or([eb('token_hash', 'in', params.hashes), eb('link_hash', 'in', params.hashes)]))
    .where('email_lower', '=', normaliseEmail(params.email))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', params.now)
    .executeTakeFirst()
  return row === undefined ? undefined : row.was_mailed ? 'mail' : 'link'
}

export async function listOwnerAddresses(db: Db | Tx, params: { workspaceId: string }): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email from workspace_members m join users u on u.id = m.user_id
    where m.workspace_id = ${params.workspaceId} and m.role = 'owner' order by u.email`.execute(db)
  return rows.map(({ email }) => email)
}

/** Owners that the service may mail: an app that provisioned a workspace mails its people itself. */
export async function listMailedOwners(db: Db | Tx, params: { workspaceId: string }): Promise<string[]> {
  const { rows } = await sql<{ acquisition_source: string }>`
    select acquisition_source from workspaces where id = ${params.workspaceId}`.execute(db)
  return rows[0] === undefined || rows[0].acquisition_source === 'oauth' ? [] : listOwnerAddresses(db, params)
}
