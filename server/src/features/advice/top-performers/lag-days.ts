/** Conversion lag of a profile, for code that has to wait for late conversions. */
import type { Db, Tx } from '../../../platform/db/database.ts'
import { findRuns } from './queries/runs.ts'
import { daysUntilShare, lagDistribution } from './score/lags.ts'

/** The lag is the number of days within which this share of conversions arrives. */
const SHARE = 0.95

/** From the counts of the latest scoring; null before the first one. */
export async function findLagDays(db: Db | Tx, profileId: string): Promise<number | null> {
  const { done } = await findRuns(db, profileId)
  if (done === undefined) return null
  const { cash, pipeline } = done.lags
  return daysUntilShare(
    cash.map((count, days) => count + pipeline[days]!),
    SHARE,
  )
}

/** Cumulative share of conversions by days since the touch. */
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
