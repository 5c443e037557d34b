/** Every customer of a profile, credited again in runs of customers. */
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { recomputeCustomers } from './recompute.ts'
import type { AttributionProfile } from './settings.ts'

const CUSTOMERS_AT_ONCE = 2000

/** The caller holds the profile's lock. */
export async function recomputeAll(
  tx: Tx,
  profile: AttributionProfile,
  now: Date,
): Promise<{ conversions: number }> {
  const { profileId } = profile
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from customers where profile_id = ${profileId} and id > ${after} order by id limit ${CUSTOMERS_AT_ONCE}`.execute(
      tx,
    )
    const last = rows.at(-1)
    if (last === undefined) break
    await recomputeCustomers(
      tx,
      profile,
      rows.map((row) => row.id),
      now,
    )
    after = last.id
  }
  const { rows } = await sql<{ conversions: number }>`
    select count(*) as conversions from credits where profile_id = ${profileId}`.execute(tx)
  return rows[0]!
}
