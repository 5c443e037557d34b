/** One query per kind of figure for all profiles of a workspace, on small tables only. */
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

type Profiles = { profileIds: readonly string[] }

const isOf = ({ profileIds }: Profiles) => sql<boolean>`profile_id = any(${uuidList(profileIds)}::uuid[])`

export type ConnectionCounts = { profile_id: string; total: number; broken: number }

export async function countConnections(db: Db | Tx, params: Profiles): Promise<ConnectionCounts[]> {
  const { rows } = await sql<ConnectionCounts>`
    select profile_id, count(*)::int as total,
      count(*) filter (where status in ('needs_action', 'reconnect_required', 'error'))::int as broken
    from connections where ${isOf(params)} and status <> 'revoked' group by profile_id`.execute(db)
  return rows
}

export type FindingCounts = { profile_id: string; problems: number; warnings: number }

export async function countFindings(db: Db | Tx, params: Profiles): Promise<FindingCounts[]> {
  const { rows } = await sql<FindingCounts>`
    select profile_id, count(*) filter (where status = 'problem')::int as problems,
      count(*) filter (where status = 'warning')::int as warnings
    from doctor_checks where ${isOf(params)} group by profile_id`.execute(db)
  return rows
}

export async function countRecommendations(db: Db | Tx, params: Profiles) {
  const { rows } = await sql<{ profile_id: string; count: number }>`
    select profile_id, count(*)::int as count from recommendations
    where ${isOf(params)} and status = 'open' group by profile_id`.execute(db)
  return rows
}

/** Firing alert rules that are neither paused nor muted. */
export async function countFiringAlerts(db: Db | Tx, params: Profiles & { now: Date }) {
  const { rows } = await sql<{ profile_id: string; count: number }>`
    select profile_id, count(*)::int as count from alert_rules
    where ${isOf(params)} and enabled and state = 'firing' and (muted_until is null or muted_until <= ${params.now})
    group by profile_id`.execute(db)
  return rows
}

export type LastReport = {
  profile_id: string
  id: string
  status: string
  created_at: Date
  sent_at: Date | null
}

/** The most recent built report of each profile. */
export async function listLastReports(db: Db | Tx, params: Profiles): Promise<LastReport[]> {
  const { rows } = await sql<LastReport>`
    select distinct on (profile_id) profile_id, id, status, created_at, sent_at from client_reports
    where ${isOf(params)} and status in ('ready', 'awaiting_approval', 'sent')
    order by profile_id, created_at desc, id`.execute(db)
  return rows
}

/** Tags of the workspace's profiles, and its reporting currency. */
export async function findSettings(
  db: Db | Tx,
  params: { workspaceId: string },
): Promise<{ currency: string | null; tags: Map<string, string[]> }> {
  const workspace = await rowsWhere(db, 'workspaces', { id: params.workspaceId }).get(['reporting_currency'])
  const profiles = await rowsWhere(db, 'profiles', { workspace_id: params.workspaceId }).list({
    columns: ['id', 'tags'],
  })
  return {
    currency: workspace.reporting_currency,
    tags: new Map(profiles.map(({ id, tags }) => [id, tags])),
  }
}

export async function lockTags(tx: Tx, params: { workspaceId: string; profileIds: readonly string[] }) {
  const { rows } = await sql<{ id: string; tags: string[] }>`
    select id, tags from profiles
    where workspace_id = ${params.workspaceId} and id = any(${uuidList(params.profileIds)}::uuid[])
    order by id for update`.execute(tx)
  return rows
}

export async function saveTags(tx: Tx, params: { profileId: string; tags: string[] }): Promise<void> {
  await rowsWhere(tx, 'profiles', { id: params.profileId }).update({ tags: params.tags })
}
