import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** Ads of campaigns and ad sets in the treated cells of a positive lift study or a positive geo study that proves causality. */
export async function listLiftedAds(db: Db | Tx, params: { profileId: string }): Promise<Set<string>> {
  const { profileId } = params
  const { rows } = await sql<{ id: string }>`
    select a.id
    from experiments x
    cross join lateral jsonb_array_elements(x.cells) cell
    join ad_entities p on p.profile_id = ${profileId} and (
      (p.level = 'campaign' and cell->'campaigns' ? p.external_id)
      or (p.level = 'ad_set' and cell->'adSets' ? p.external_id))
    join ad_entities a on a.profile_id = ${profileId} and a.level = 'ad' and (a.campaign_id = p.id or a.ad_set_id = p.id)
    where x.profile_id = ${profileId} and x.decision->>'verdict' = 'positive'
      and (x.kind = 'lift' or x.decision->>'proves' = 'true')
      and not (cell->>'isControl')::boolean`.execute(db)
  return new Set(rows.map((row) => row.id))
}
