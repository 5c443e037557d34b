import { sql } from 'kysely'
import { refuseAtLimit, type TenantLimit } from '../contract/tenant-limits.ts'
import type { Tx } from '../db/database.ts'

/** Locks the tenant until the transaction ends, so that concurrent calls are serialised. */
export async function requireBelowLimit(
  tx: Tx,
  limit: TenantLimit,
  tenantId: string,
  count: () => Promise<number>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`limit ${limit} ${tenantId}`}, 0))`.execute(tx)
  refuseAtLimit(await count(), limit)
}
