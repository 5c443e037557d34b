import { sql } from 'kysely'
import type { ExperimentCell } from '../../../../connectors/experiments.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { mayCreditPaths } from '../../../figures/rollups/credited-conversions.ts'
import type { StudyReading } from '../calibration-rules.ts'

export type StudyRow = {
  id: string
  kind: 'lift' | 'geo'
  name: string
  starts_at: Date
  ends_at: Date
  cells: ExperimentCell[]
  /** The measurement behind the verdict. */
  reading: StudyReading
}

/** The latest finished, valid study that tested this campaign or ad set; geo studies only if they prove causality. */
export async function findStudy(
  tx: Tx,
  params: { profileId: string; level: 'campaign' | 'ad_set'; externalId: string },
): Promise<StudyRow | undefined> {
  const cellKey = sql.lit(params.level === 'campaign' ? 'campaigns' : 'adSets')
  const { rows } = await sql<StudyRow>`
    select x.id, x.kind, x.name, x.starts_at, x.ends_at, x.cells, (x.decision->>'basis')::jsonb->0 as reading
    from experiments x
    where x.profile_id = ${params.profileId} and x.starts_at is not null and x.ends_at is not null
      and x.decision->>'verdict' in ('positive', 'negative', 'inconclusive')
      and (x.kind = 'lift' or (x.kind = 'geo' and x.decision->>'proves' = 'true'))
      and jsonb_typeof((x.decision->>'basis')::jsonb->0) = 'object'
      and exists (
        select 1 from jsonb_array_elements(x.cells) cell
        where not (cell->>'isControl')::boolean and cell->${cellKey} ? ${params.externalId})
    order by x.ends_at desc, x.id
    limit 1`.execute(tx)
  return rows[0]
}

/** Our ids of the campaigns and ad sets that a study tested. */
export async function listStudyEntities(
  tx: Tx,
  params: { profileId: string; campaigns: readonly string[]; adSets: readonly string[] },
): Promise<{ id: string; level: 'campaign' | 'ad_set' }[]> {
  const { rows } = await sql<{ id: string; level: 'campaign' | 'ad_set' }>`
    select id, level from ad_entities
    where profile_id = ${params.profileId} and (
      (level = 'campaign' and external_id = any(${params.campaigns}::text[]))
      or (level = 'ad_set' and external_id = any(${params.adSets}::text[])))
    order by id`.execute(tx)
  return rows
}

/** Payments of a range of days that may be credited to one of the paths; undefined if there are more than `most`. */
export async function listPossiblyCredited(
  tx: Tx,
  params: { profileId: string; paths: readonly number[]; from: string; to: string; most: number },
): Promise<{ customer_id: string; packed: Buffer }[] | undefined> {
  const { profileId, paths, from, to, most } = params
  const { rows } = await sql<{ customer_id: string; packed: Buffer }>`
    select i.customer_id, c.packed
    from conversions v
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    join identifiers i on i.profile_id = ${profileId} and i.id = v.identifier_id
    where v.profile_id = ${profileId} and v.day between ${from}::date and ${to}::date and v.revenue_type = 'cash'
      and ${mayCreditPaths(paths)}
    limit ${most + 1}`.execute(tx)
  return rows.length > most ? undefined : rows
}
