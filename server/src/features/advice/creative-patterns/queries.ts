import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type ScoredCreativeRow = {
  ad_id: string
  campaign_id: string
  spend_minor: number
  above_median: number
  posterior_shape: number
  posterior_rate: number
  format: string | null
  title: string | null
  body: string | null
  cta_type: string | null
  aspect_ratio_milli: number | null
  duration_ms: number | null
  card_count: number | null
  landing_host: string | null
}

/** Ads and their creatives from the 28-day window of the latest finished scoring. */
export async function listScoredCreatives(db: Db | Tx, params: { profileId: string }) {
  const { profileId } = params
  const { rows } = await sql<ScoredCreativeRow>`
    select s.ad_id, e.campaign_id, s.spend_minor, s.above_median, s.posterior_shape, s.posterior_rate, c.format, c.title,
      c.body, c.cta_type, c.aspect_ratio_milli, c.duration_ms, c.card_count, c.landing_host
    from ad_scores s
    join ad_entities e on e.profile_id = ${profileId} and e.id = s.ad_id and e.campaign_id is not null
    left join ad_creatives c on c.profile_id = ${profileId} and c.ad_id = s.ad_id
    where s.profile_id = ${profileId} and s.score_window = '28d' and s.above_median is not null
      and s.posterior_shape > 0 and s.posterior_rate > 0
      and s.day = (select max(r.day) from ad_score_runs r where r.profile_id = ${profileId} and r.state = 'done')
    order by s.ad_id`.execute(db)
  return rows
}
