/** Shared leaderboards. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type SnapshotRow = {
  id: string
  name: string
  score_window: '7d' | '14d' | '28d' | 'lifetime'
  profile_ids: string[]
  captured_at: Date
  expires_at: Date
  has_password: boolean
  result_hash: string
  views: number
}
const snapshotColumns = sql`id, name, score_window, profile_ids, captured_at, expires_at, password_hash is not null as has_password,
  result_hash, views`

export async function insertSnapshot(
  tx: Tx,
  row: {
    id: string
    workspaceId: string
    name: string
    window: string
    profileIds: readonly string[]
    capturedAt: Date
    expiresAt: Date
    passwordHash: string | null
    resultHash: string
    content: unknown
    madeBy: string
  },
): Promise<SnapshotRow> {
  const { rows } = await sql<SnapshotRow>`
    insert into performer_snapshots (id, workspace_id, name, score_window, profile_ids, captured_at, expires_at, password_hash,
      result_hash, content, made_by_user_id)
    values (${row.id}, ${row.workspaceId}, ${row.name}, ${row.window}, ${[...row.profileIds]}::uuid[], ${row.capturedAt},
      ${row.expiresAt}, ${row.passwordHash}, ${row.resultHash}, ${JSON.stringify(row.content)},
      ${row.madeBy})
    returning ${snapshotColumns}`.execute(tx)
  return rows[0]!
}

export async function listLiveSnapshots(
  db: Db | Tx,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<SnapshotRow[]> {
  const { rows } = await sql<SnapshotRow>`
    select ${snapshotColumns} from performer_snapshots
    where workspace_id = ${workspaceId} and revoked_at is null and expires_at > ${now}
    order by captured_at desc, id desc limit 500`.execute(db)
  return rows
}

export async function countLiveSnapshots(tx: Tx, { workspaceId, now }: { workspaceId: string; now: Date }) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from performer_snapshots
    where workspace_id = ${workspaceId} and revoked_at is null and expires_at > ${now}`.execute(tx)
  return rows[0]!.count
}

export async function findSnapshot(db: Db | Tx, { workspaceId, id }: { workspaceId: string; id: string }) {
  const { rows } = await sql<SnapshotRow>`
    select ${snapshotColumns} from performer_snapshots where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )
  return rows[0]
}

export async function markRevoked(
  tx: Tx,
  { workspaceId, id, now }: { workspaceId: string; id: string; now: Date },
): Promise<void> {
  await sql`
    update performer_snapshots set revoked_at = coalesce(revoked_at, ${now})
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

export type SharedSnapshot = {
  name: string
  score_window: string
  captured_at: Date
  password_hash: string | null
  content: unknown
}

/** The snapshot of a link; undefined once it is revoked or expired, or the workspace is archived. */
export async function findShared(db: Db, { id, now }: { id: string; now: Date }) {
  const { rows } = await sql<SharedSnapshot>`
    select s.name, s.score_window, s.captured_at, s.password_hash, s.content
    from performer_snapshots s join workspaces w on w.id = s.workspace_id
    where s.id = ${id}
      and s.revoked_at is null and s.expires_at > ${now} and w.archived_at is null`.execute(db)
  return rows[0]
}

export async function countView(db: Db, { id }: { id: string }): Promise<void> {
  await sql`update performer_snapshots set views = views + 1 where id = ${id}`.execute(db)
}

export async function deleteSnapshotsOf(tx: Tx, { profileId }: { profileId: string }): Promise<void> {
  await sql`delete from performer_snapshots where profile_ids @> ${[profileId]}::uuid[]`.execute(tx)
}
