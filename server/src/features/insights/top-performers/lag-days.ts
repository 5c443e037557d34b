/** How long a profile's conversions take after the click, for code that has to wait for them. */
import type { Db, Tx } from '../../../platform/db/database.ts'
import { findRuns } from './queries/runs.ts'
import { daysUntilShare, lagDistribution } from './score/lags.ts'

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

/** The shares of conversions that came within each number of days of the touch. */
export async function findLagShares(
  db: Db | Tx,
  profileId: string,
): Promise<{ cash: number[]; pipeline: number[] }> {
  const { done } = await findRuns(db, profileId)
  return {
    cash: lagDistribution(done?.lags.cash ?? []),
    pipeline: lagDistribution(done?.lags.pipeline ?? []),
  }
}
