import { type Insertable, sql } from 'kysely'
import { countsAsMember } from '../../../platform/access/queries.ts'
import type { WorkspaceRole } from '../../../platform/contract/access.ts'
import { lockCopiedRow } from '../../../platform/db/copied-row-lock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'
import type { NewSubscription, Plan } from './rules.ts'

export type WorkspaceRow = {
  id: string
  name: string
  timezone: string
  plan: Plan
  role: WorkspaceRole | null
  healthcare: boolean
  created_at: Date
  archived_at: Date | null
}

/** Workspaces in which the person is a member or has access to a profile; without archived ones. */
export async function listWorkspaces(db: Db | Tx, params: { userId: string }): Promise<WorkspaceRow[]> {
  const { rows } = await sql<WorkspaceRow>`
    select w.id, w.name, w.timezone, w.plan, m.role, w.healthcare, w.created_at, w.archived_at
    from workspaces w
    left join workspace_members m on m.workspace_id = w.id and m.user_id = ${params.userId}
      and ${countsAsMember}
    where w.archived_at is null and (m.user_id is not null or exists (
      select 1 from profile_members m join profiles p on p.id = m.profile_id
      where p.workspace_id = w.id and m.user_id = ${params.userId} and p.archived_at is null
        and ${countsAsMember}))
    order by w.created_at, w.id`.execute(db)
  return rows
}

export type LockedWorkspace = {
  id: string
  plan: Plan
  timezone: string
  reporting_currency: string | null
  archived_at: Date | null
  archived_owner_ids: string[] | null
}

/** Locks the workspace, which serialises creations and archives in it. */
export async function lockWorkspace(
  tx: Tx,
  params: { workspaceId: string },
): Promise<LockedWorkspace | undefined> {
  await lockCopiedRow(tx, 'workspaces', params.workspaceId)
  const row = await rowsWhere(tx, 'workspaces', { id: params.workspaceId }).find([
    'id',
    'plan',
    'timezone',
    'reporting_currency',
    'archived_at',
    'archived_owner_ids',
  ])
  return row as LockedWorkspace | undefined
}

export async function countActiveProfiles(db: Db | Tx, params: { workspaceId: string }): Promise<number> {
  const row = await db
    .selectFrom('profiles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', params.workspaceId)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findAcquisitionSource(db: Db | Tx, params: { workspaceId: string }): Promise<string> {
  const row = await rowsWhere(db, 'workspaces', { id: params.workspaceId }).get(['acquisition_source'])
  return row.acquisition_source
}

/** Workspaces that the app provisioned or, without an app, that the person created. */
export async function countLiveWorkspaces(tx: Tx, params: { ownerId: string; appId: string | null }) {
  const { ownerId, appId } = params
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workspaces
    where archived_at is null and provisioned_by_app_id is not distinct from ${appId}::uuid
      and (${appId}::uuid is not null or created_by_user_id = ${ownerId})`.execute(tx)
  return rows[0]!.count
}

export async function findSubscription(db: Db | Tx, params: { workspaceId: string }) {
  return rowsWhere(db, 'workspace_subscriptions', { workspace_id: params.workspaceId }).get()
}

/** A workspace with this name that the person created after `since`. */
export async function findRecentWorkspace(
  tx: Tx,
  params: { userId: string; name: string; since: Date },
): Promise<{ id: string } | undefined> {
  return tx
    .selectFrom('workspaces')
    .select('id')
    .where('created_by_user_id', '=', params.userId)
    .where('name', '=', params.name)
    .where('created_at', '>', params.since)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
}

/** False if the store install was already used for a workspace. */
export async function insertWorkspaceRow(tx: Tx, row: Insertable<DB['workspaces']>): Promise<boolean> {
  const result = await tx
    .insertInto('workspaces')
    .values(row)
    .onConflict((conflict) => conflict.column('store_install').doNothing())
    .executeTakeFirstOrThrow()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function insertOwner(
  tx: Tx,
  params: { workspaceId: string; userId: string; byEmail: boolean; now: Date },
): Promise<void> {
  await insertRow(tx, 'workspace_members', {
    workspace_id: params.workspaceId,
    user_id: params.userId,
    role: 'owner',
    by_email: params.byEmail,
    created_at: params.now,
  })
}

export async function insertSubscription(
  tx: Tx,
  params: NewSubscription & { workspaceId: string; plan: Plan; now: Date },
): Promise<void> {
  await insertRow(tx, 'workspace_subscriptions', {
    workspace_id: params.workspaceId,
    plan: params.plan,
    status: params.status,
    trial_ends_at: params.trialEndsAt,
    current_period_start: params.now,
    current_period_end: params.periodEnd,
    updated_at: params.now,
  })
}
