import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { rowsWhere } from '../../db/rows.ts'

export type FactorKind = 'totp' | 'passkey'
export type FactorRow = {
  id: string
  kind: FactorKind
  name: string
  secret: Buffer | null
  last_step: number
  credential_id: string | null
  public_key: string | null
  sign_count: number
  transports: string[]
  challenge: string | null
  created_at: Date
  confirmed_at: Date | null
  last_used_at: Date | null
}

export async function listFactors(db: Db | Tx, params: { userId: string }): Promise<FactorRow[]> {
  const { rows } = await sql<FactorRow>`
    select id, kind, name, secret, last_step, credential_id, public_key,
      sign_count, transports, challenge, created_at, confirmed_at, last_used_at
    from user_factors where user_id = ${params.userId} order by created_at, id`.execute(db)
  return rows
}

export const listConfirmedFactors = async (db: Db | Tx, params: { userId: string }): Promise<FactorRow[]> =>
  (await listFactors(db, params)).filter((factor) => factor.confirmed_at !== null)

export async function findUserOfPasskey(db: Db | Tx, params: { credentialId: string }) {
  const row = await db
    .selectFrom('user_factors')
    .select('user_id')
    .where('credential_id', '=', params.credentialId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row?.user_id
}

/** Removes all second factors of the account and what was derived from them. */
export async function deleteFactors(tx: Tx, params: { userId: string }): Promise<number> {
  const { userId } = params
  const removed = await rowsWhere(tx, 'user_factors', { user_id: userId }).delete()
  await rowsWhere(tx, 'recovery_codes', { user_id: userId }).delete()
  await forgetDevices(tx, { userId })
  return removed
}

/** Also ends sign-ins that wait for their second factor. */
export async function forgetDevices(tx: Tx, params: { userId: string }): Promise<void> {
  await rowsWhere(tx, 'remembered_devices', { user_id: params.userId }).delete()
  await rowsWhere(tx, 'sign_in_challenges', { user_id: params.userId }).delete()
}

/** Workspaces of the person that require a second factor, now or from a later day. */
export async function listRequiringWorkspaces(db: Db | Tx, params: { userId: string }) {
  const { rows } = await sql<{ id: string; name: string; from: Date }>`
    select w.id, w.name, w.second_factor_from as from from workspaces w
    where w.archived_at is null and w.second_factor_from is not null
      and ${isOfWorkspace(params.userId)} order by w.name, w.id`.execute(db)
  return rows
}

export async function listWorkspacesOfPerson(db: Db | Tx, params: { userId: string }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select w.id from workspaces w where w.archived_at is null and ${isOfWorkspace(params.userId)}`.execute(db)
  return rows.map(({ id }) => id)
}

const isOfWorkspace = (userId: string) => sql`(
  exists (select 1 from workspace_members m where m.workspace_id = w.id and m.user_id = ${userId})
  or exists (select 1 from profile_members m join profiles p on p.id = m.profile_id
    where p.workspace_id = w.id and m.user_id = ${userId}))`
