import { sql } from 'kysely'
import { lockCopiedRow } from '../../../platform/db/copied-row-lock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export async function lockWorkspace(tx: Tx, params: { workspaceId: string }): Promise<void> {
  await lockCopiedRow(tx, 'workspaces', params.workspaceId)
}

/** The demo profile of a workspace, unless archived. */
export async function findDemo(tx: Tx, params: { workspaceId: string }): Promise<string | undefined> {
  const row = await rowsWhere(tx, 'profiles', {
    workspace_id: params.workspaceId,
    is_demo: true,
    archived_at: null,
  }).find(['id'])
  return row?.id
}

export type SourceProgress = { read: number; failed: number; waiting: number; jobs: number }

/** Progress of the demo: sources read and failed, events in the queue, and remaining jobs of its preparation. */
export async function readSources(db: Db, params: { profileId: string }): Promise<SourceProgress> {
  const { rows } = await sql<SourceProgress>`
    select count(last_success_at)::int as read,
      count(*) filter (where last_success_at is null and state = 'failed')::int as failed,
      (select coalesce(sum(cardinality(event_ids)), 0)::int from event_queue where profile_id = ${params.profileId}) as waiting,
      (select count(*)::int from jobs
        where profile_id = ${params.profileId} and name like 'demo.%' and state <> 'dead') as jobs
    from connection_syncs where profile_id = ${params.profileId}`.execute(db)
  return rows[0]!
}

export async function listWorkspaceUsers(db: Db, params: { profileId: string }): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from workspace_members m join profiles p on p.workspace_id = m.workspace_id
    where p.id = ${params.profileId}`.execute(db)
  return rows.map((row) => row.user_id)
}
