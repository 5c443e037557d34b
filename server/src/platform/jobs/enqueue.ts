import { sql } from 'kysely'
import type { z } from 'zod'
import { uuidv7 } from '../contract/ids.ts'
import type { Db, Tx } from '../db/database.ts'

export const SERVICE_PROFILE = '00000000-0000-0000-0000-000000000000'

export type EnqueueOptions = {
  /** Profiles are served round-robin. Absent for work of the whole service. */
  profileId?: string
  /** Not before this time of the service's clock. */
  runAt?: Date
  /** Due jobs with the same profile, name and key are merged into one run, and such runs never overlap. */
  dedupeKey?: string
  priority?: Priority
}
export type Priority = 'urgent' | 'normal' | 'bulk'

/** The part of a job definition needed to enqueue it, without its implementation. */
export type JobRef<P> = { name: string; payload: z.ZodType<P>; slow?: boolean; maxAttempts?: number }

const urgency = { urgent: 0, normal: 1, bulk: 2 } as const
const SLOW = 10
const ROWS_PER_INSERT = 500
const DEFAULT_MAX_ATTEMPTS = 5

export const quickLanes: readonly number[] = Object.values(urgency)
export const slowLanes: readonly number[] = quickLanes.map((lane) => lane + SLOW)

/** Inserts the job in the caller's transaction, so it exists only if that commits. */
export async function enqueue<P>(
  db: Db | Tx,
  job: JobRef<P>,
  payload: NoInfer<P>,
  options: EnqueueOptions = {},
): Promise<string> {
  const [id] = await enqueueMany(db, job, [{ payload, ...options }])
  return id!
}

export async function enqueueMany<P>(
  db: Db | Tx,
  job: JobRef<P>,
  items: readonly ({ payload: NoInfer<P> } & EnqueueOptions)[],
): Promise<string[]> {
  const rows = items.map((item) => ({
    id: uuidv7(),
    profile_id: item.profileId ?? SERVICE_PROFILE,
    payload: item.payload,
    lane: urgency[item.priority ?? 'normal'] + (job.slow ? SLOW : 0),
    state: item.runAt === undefined ? 'ready' : 'scheduled',
    run_at: item.runAt ?? null,
    dedupe_key: item.dedupeKey ?? null,
  }))
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await sql`
      insert into jobs (id, name, profile_id, payload, lane, state, run_at, dedupe_key, max_attempts, created_at)
      select id, ${job.name}, profile_id, payload, lane, state, coalesce(run_at, now()), dedupe_key,
             ${job.maxAttempts ?? DEFAULT_MAX_ATTEMPTS}, now()
      from jsonb_to_recordset(${JSON.stringify(rows.slice(start, start + ROWS_PER_INSERT))}::jsonb) as row
        (id uuid, profile_id uuid, payload jsonb, lane smallint, state text, run_at timestamptz, dedupe_key text)`.execute(
      db,
    )
  }
  return rows.map((row) => row.id)
}
