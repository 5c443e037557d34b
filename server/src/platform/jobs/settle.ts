/**
 * Completes, fails and releases jobs. Each statement checks the lease, so a worker that lost a job cannot end
 * another worker's run.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type Leased, leasedRows, noLease } from '../db/lease.ts'

export type Failure = Leased & { result: 'failed' | 'waits'; error: string; dead: boolean; delayMs: number }

/** Returns the ids whose lease was still valid. */
export async function complete(db: Db, jobs: readonly Leased[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from jobs using ${leasedRows(jobs)}
    where jobs.id = batch.id and jobs.lease_id = batch.lease_id returning jobs.id`.execute(db)
  return rows.map((row) => row.id)
}

/** Reschedules the job, or marks it dead. The delay is measured by the service's clock. */
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

/** Releases jobs without counting an attempt, for another worker to take immediately. */
export async function release(db: Db, jobs: readonly Leased[]): Promise<void> {
  await sql`
    update jobs set state = 'ready', attempts = attempts - 1, ${noLease}
    from ${leasedRows(jobs)} where jobs.id = batch.id and jobs.lease_id = batch.lease_id`.execute(db)
}

/** Reclaims jobs with expired leases. A job without attempts left becomes dead. */
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
