/**
 * Leases on rows: a fencing id and an expiry. The owner includes its lease id in every later statement, so an owner
 * that lost the lease changes nothing.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Lease on one row, by the service's clock. */
export function leaseIn<Id extends string, Until extends string>(id: Id, until: Until) {
  return {
    none: { [id]: null, [until]: null } as Record<Id | Until, null>,
    take: (leaseId: string, now: Date, ms: number) =>
      ({ [id]: leaseId, [until]: new Date(now.getTime() + ms) }) as Record<Id, string> & Record<Until, Date>,
    isFree: (now: Date) => sql<boolean>`(${sql.ref(until)} is null or ${sql.ref(until)} <= ${now})`,
  }
}

/**
 * Leases on many rows, by the database's clock: the transaction time, because Citus rejects volatile functions in
 * an update.
 */
export const leaseEnd = (ms: number) => sql`now() + ${ms}::float8 * interval '1 millisecond'`
export const noLease = sql`lease_id = null, lease_until = null`

export type Leased = { id: string; leaseId: string }

export const leasedRows = (rows: readonly Leased[]) => sql`
  unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.leaseId)}::uuid[]) as batch (id, lease_id)`

/** Extends the leases and returns the ids still leased by the caller. Rows are locked in key order. */
export async function extendLeases(
  db: Db,
  { table, key = 'id' }: { table: string; key?: string },
  rows: readonly Leased[],
  ms: number,
): Promise<Set<string>> {
  const [leased, id] = [sql.table(table), sql.ref(`leased.${key}`)]
  const { rows: extended } = await sql<{ id: string }>`
    with locked as (
      select ${id} as id from ${leased} as leased
      where (${id}, leased.lease_id) in (select id, lease_id from ${leasedRows(rows)}) order by 1 for update)
    update ${leased} as leased set lease_until = ${leaseEnd(ms)}
    from locked where ${id} = locked.id returning locked.id`.execute(db)
  return new Set(extended.map((row) => row.id))
}
