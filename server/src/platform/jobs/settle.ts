/** Ending work. Each statement checks the lease, so a worker that lost a job cannot end another's run of it. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { heldRows, type Leased, noLease } from '../db/lease.ts'

export type Failure = Leased & { result: 'failed' | 'waits'; error: string; dead: boolean; delayMs: number }

/** Returns the ids that were still held. */
export async function complete(db: Db, jobs: readonly Leased[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from jobs using ${heldRows(jobs)}
    where jobs.id = held.id and jobs.lease_id = held.lease_id returning jobs.id`.execute(db)
  return rows.map((row) => row.id)
}

/** Back to waiting, or dead for good. The delay runs on the service's clock. */
export async function fail(db: Db, failure: Failure): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update jobs
    set state = ${failure.dead ? 'dead' : 'scheduled'}, ${noLease},
        attempts = attempts - ${failure.result === 'waits' ? 1 : 0}::integer, last_error = ${failure.error},
        run_at = clock_timestamp() + (${failure.delayMs}::float8
          + coalesce((select max(offset_ms) from service_clock), 0)) * interval '1 millisecond',
        died_at = case when ${failure.dead} then clock_timestamp() end
    where id = ${failure.id}::uuid and lease_id = ${failure.leaseId}::uuid returning id`.execute(db)
  return rows.length === 1
}

/** Gives jobs back untried, for another worker to take at once. */
export async function release(db: Db, jobs: readonly Leased[]): Promise<void> {
  await sql`
    update jobs set state = 'ready', attempts = attempts - 1, ${noLease}
    from ${heldRows(jobs)} where jobs.id = held.id and jobs.lease_id = held.lease_id`.execute(db)
}

/** Takes back what dead workers held. A job that has brought down its last try is dead itself. */
export async function reapExpired(db: Db): Promise<{ name: string; state: string }[]> {
  const { rows } = await sql<{ name: string; state: string }>`
    update jobs
    set state = case when attempts >= max_attempts then 'dead' else 'ready' end,
        died_at = case when attempts >= max_attempts then clock_timestamp() end,
        last_error = 'The worker stopped answering', ${noLease}
    where id in (
      select id from jobs where state = 'running' and lease_until < clock_timestamp() for update skip locked
    )
    returning name, state`.execute(db)
  return rows
}
