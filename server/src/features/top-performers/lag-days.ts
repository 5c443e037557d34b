/** How long a profile's conversions take, for whoever has to wait for them. */
import type { Db, Tx } from '../../db/database.ts'
import { findRuns } from './queries/runs.ts'
import { daysUntilShare } from './score/lags.ts'

/** The days in which so many of the conversions that follow a touch have come in. */
const SHARE = 0.95

/** By the newest scoring's counts; null before the first. */
export async function findLagDays(db: Db | Tx, profileId: string): Promise<number | null> {
  const { done } = await findRuns(db, profileId)
  if (done === undefined) return null
  const { cash, pipeline } = done.lags
  return daysUntilShare(
    cash.map((count, days) => count + pipeline[days]!),
    SHARE,
  )
}
