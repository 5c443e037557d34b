/** The goals that count each event name of a profile. */
import { sql } from 'kysely'
import type { ProfileContext } from '../../../context.ts'
import { cachedBriefly } from '../../../platform/access/short-cache.ts'
import type { RevenueType } from '../../../platform/contract/fields.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { listExportedNames } from './exported-names.ts'

export type CountsAs = { conversion_key: string; outcome_type: string; revenue_type: RevenueType }

export type EventNames = {
  /** Goals by the event names that they count. */
  goals: ReadonlyMap<string, readonly CountsAs[]>
  /** Names whose conversions are exported with browser data. */
  exported: ReadonlySet<string>
}

/**
 * Cached briefly in memory, so that senders need no query per event. Read from the profile's own node, so that events are
 * accepted while the coordinator or another node is unavailable.
 */
export function loadEventNames({
  service,
  profile,
}: Pick<ProfileContext, 'service' | 'profile'>): EventNames | Promise<EventNames> {
  return cachedBriefly(service, 'event-names', profile.id, async () => {
    const { db } = await service.nodes.shardOf(profile.id)
    return {
      goals: await listGoalsByName(db, { profileId: profile.id }),
      exported: await listExportedNames(db, { profileId: profile.id }),
    }
  })
}

export async function listGoalsByName(
  db: Db | Tx,
  params: { profileId: string },
): Promise<Map<string, CountsAs[]>> {
  const { rows } = await sql<CountsAs & { name: string }>`
    select unnest(source_event_names) as name, conversion_key, outcome_type, revenue_type from goals
    where profile_id = ${params.profileId} order by conversion_key`.execute(db)
  return new Map(
    [...Map.groupBy(rows, (row) => row.name)].map(([name, goals]) => [
      name,
      goals.map(({ name: _, ...countsAs }) => countsAs),
    ]),
  )
}
