/** Recounts conversions per platform after the platform of an entity changed. Credit itself does not change. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { Reason } from '../../facts/restatements/causes.ts'
import type { Restatements } from '../../facts/restatements/save-restatements.ts'
import { unpackCredit } from './credits/packed.ts'
import { type ClassifiedPath, classifyPath, loadPaths } from './credits/paths.ts'
import { applyPlatforms, type PathClassification, PlatformCounts } from './credits/platform-counts.ts'
import { KindIndex } from './credits/rollups.ts'

/** The caller holds the profile's lock and has saved the entities; `before` is each entity's previous platform. */
export async function recountPlatforms(
  tx: Tx,
  profileId: string,
  changed: readonly { id: string; before: string }[],
  reason: Reason,
  restatements: Restatements,
): Promise<void> {
  if (changed.length === 0) return
  const ids = changed.map(({ id }) => id)
  // Most entities that a platform lists have no credit.
  if (!(await isCredited(tx, profileId, ids))) return
  const paths = await loadPaths(tx, profileId)
  const previousPlatforms = new Map(changed.map(({ id, before }) => [id, before]))
  const before = new Map(
    [...paths].map(([number, path]) => [number, platformBefore(path, previousPlatforms)]),
  )
  for (const day of await creditedDays(tx, profileId, ids)) {
    const kinds = new KindIndex()
    const [old, fresh] = [new PlatformCounts(before), new PlatformCounts(paths)]
    for (const packed of await creditsOfDay(tx, profileId, day)) {
      const credit = unpackCredit(packed)
      old.addPacked(credit, kinds, -1)
      fresh.addPacked(credit, kinds, 1)
    }
    const deltas = [...old.deltas(kinds.list), ...fresh.deltas(kinds.list)]
    await applyPlatforms(tx, profileId, [{ reason, deltas }], restatements)
  }
}

function platformBefore(
  path: ClassifiedPath,
  previousPlatforms: ReadonlyMap<string, string>,
): PathClassification {
  return classifyPath(path, (id) => previousPlatforms.get(id) ?? path.entityPlatform!)
}

async function isCredited(tx: Tx, profileId: string, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ad_paths where profile_id = ${profileId}
      and (campaign_id = any(${ids}::uuid[]) or ad_set_id = any(${ids}::uuid[]) or ad_id = any(${ids}::uuid[]))
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Days with conversions that linear or time decay credited to one of the entities. */
async function creditedDays(tx: Tx, profileId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct day from credit_daily
    where profile_id = ${profileId} and entity_id = any(${ids}::uuid[]) and linear_count <> 0 order by day`.execute(
    tx,
  )
  return rows.map((row) => row.day)
}

async function creditsOfDay(tx: Tx, profileId: string, day: string): Promise<Buffer[]> {
  const { rows } = await sql<{ packed: Buffer }>`
    select c.packed from conversions v
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    where v.profile_id = ${profileId} and v.day = ${day}::date and v.attribution_eligible`.execute(tx)
  return rows.map((row) => row.packed)
}
