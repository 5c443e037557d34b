/** The counters of a leaderboard. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { ScoreWindow } from '../score/counts.ts'

export type BriefCounts = {
  ads_scored: number
  winners: number
  rising: number
  fatiguing: number
  cold: number
}

const WINNER = 0.9
const RISING = 0.75

export async function countScores(
  db: Db | Tx,
  { profileId, day }: { profileId: string; day: string },
  window: ScoreWindow,
): Promise<BriefCounts> {
  const { rows } = await sql<BriefCounts>`
    select count(*)::integer as ads_scored,
      count(*) filter (where maturity_stage in ('mature', 'calibrated') and above_median >= ${WINNER})::integer as winners,
      count(*) filter (where maturity_stage = 'early' and above_median >= ${RISING})::integer as rising,
      count(*) filter (where fatigue = 'high')::integer as fatiguing,
      count(*) filter (where maturity_stage = 'cold')::integer as cold
    from ad_scores where profile_id = ${profileId} and day = ${day} and score_window = ${window}`.execute(db)
  return rows[0]!
}
