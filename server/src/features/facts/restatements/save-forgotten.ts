import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** After an erasure: keeps restatements, but removes their references to the person's conversions, payments and events. */
export async function removeFactReferences(
  tx: Tx,
  params: { profileId: string; factIds: readonly string[] },
) {
  if (params.factIds.length === 0) return
  await sql`
    update restatements set fact_type = null, fact_id = null
    where profile_id = ${params.profileId} and fact_type in ('conversion', 'payment', 'event')
      and fact_id = any(${params.factIds}::text[])`.execute(tx)
}
