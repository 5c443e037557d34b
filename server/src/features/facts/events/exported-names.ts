import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

/**
 * Names of events whose browser data is sent to an ad platform: an enabled destination exports their conversions. Browser
 * data is never sent to the engine platform, and to no platform in the mode hipaa.
 */
export async function listExportedNames(
  db: Db | Tx,
  params: { profileId: string },
): Promise<ReadonlySet<string>> {
  const { profileId } = params
  const { rows } = await sql<{ name: string }>`
    select distinct unnest(g.source_event_names) as name
    from export_destinations d
    join goals g on g.profile_id = ${profileId}
      and d.event_map @> jsonb_build_array(jsonb_build_object('conversion_key', g.conversion_key))
    join profiles p on p.id = ${profileId} and p.privacy_mode <> 'hipaa'
    where d.profile_id = ${profileId} and d.enabled and d.kind <> 'engine'`.execute(db)
  return new Set(rows.map((row) => row.name))
}
