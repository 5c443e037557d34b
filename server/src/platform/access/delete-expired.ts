import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Deletes expired keys, links, rate limits and credentials of all profiles and people. */
export async function deleteExpired(
  db: Db,
  params: { now: Date; machineNow: Date; credentialsBefore: Date },
): Promise<void> {
  const { now, machineNow, credentialsBefore } = params
  await sql`delete from idempotency_keys where expires_at < ${now}`.execute(db)
  await sql`delete from rate_buckets where full_at_ms < ${machineNow.getTime()}`.execute(db)
  await sql`delete from account_links where expires_at < ${machineNow}`.execute(db)
  await sql`delete from sign_in_challenges where expires_at < ${machineNow}`.execute(db)
  await sql`delete from remembered_devices where expires_at < ${machineNow}`.execute(db)
  const { rows } = await sql<{ id: string }>`
    delete from credentials where kind in ('session', 'oauth_code', 'oauth_access', 'oauth_refresh')
      and expires_at < ${credentialsBefore} returning id`.execute(db)
  const ids = rows.map((row) => row.id)
  await sql`delete from session_details where credential_id = any(${ids}::uuid[])`.execute(db)
  await sql`delete from session_activity where credential_id = any(${ids}::uuid[])`.execute(db)
}
