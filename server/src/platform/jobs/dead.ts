/** Dead jobs: failed permanently; they can be listed, requeued or discarded. */
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { SERVICE_PROFILE } from './enqueue.ts'

export type DeadJob = {
  id: string
  name: string
  profileId: string | null
  payload: unknown
  attempts: number
  lastError: string | null
  createdAt: Date
  diedAt: Date
}

export async function listDeadJobs(
  db: Db | Tx,
  filter: { name?: string; profileId?: string; limit?: number } = {},
): Promise<DeadJob[]> {
  let query = db.selectFrom('jobs').selectAll().where('state', '=', 'dead')
  if (filter.name !== undefined) query = query.where('name', '=', filter.name)
  if (filter.profileId !== undefined) query = query.where('profile_id', '=', filter.profileId)
  const rows = await query
    .orderBy('died_at', 'desc')
    .limit(filter.limit ?? 100)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    profileId: row.profile_id === SERVICE_PROFILE ? null : row.profile_id,
    payload: row.payload,
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: row.created_at,
    diedAt: row.died_at!,
  }))
}

/** Requeues dead jobs with all attempts; returns their number. */
export async function requeueDeadJobs(db: Db | Tx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql`
    update jobs set state = 'ready', attempts = 0, died_at = null
    where id = any(${ids}::uuid[]) and state = 'dead' returning id`.execute(db)
  return rows.length
}

export async function discardDeadJobs(db: Db | Tx, diedBefore: Date): Promise<number> {
  const { rows } = await sql`
    delete from jobs where state = 'dead' and died_at < ${diedBefore} returning id`.execute(db)
  return rows.length
}

/** Deletes the waiting and dead jobs of an archived profile; running jobs finish. */
export async function deleteProfileJobs(db: Db | Tx, profileId: string): Promise<void> {
  await db.deleteFrom('jobs').where('profile_id', '=', profileId).where('state', '<>', 'running').execute()
}

/** Number of jobs per state. */
export async function countJobs(
  db: Db | Tx,
): Promise<Record<'scheduled' | 'ready' | 'running' | 'dead', number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from jobs group by state`.execute(db)
  return {
    scheduled: 0,
    ready: 0,
    running: 0,
    dead: 0,
    ...Object.fromEntries(rows.map((row) => [row.state, row.count])),
  }
}
