/**
 * All credit of a profile at once: COPY in, typed arrays, COPY out. It stores what customer by customer would have
 * stored, byte for byte.
 */
import type pg from 'pg'
import type { Tx } from '../../../db/database.ts'
import { openPathBook } from '../paths.ts'
import type { AttributionProfile } from '../settings.ts'
import { stampFirst } from '../stamp-goals.ts'
import { creditProfile } from './credit.ts'
import { loadProfile, uuidAt } from './load.ts'
import { saveCredits } from './save-credits.ts'
import { saveRollups } from './save-rollups.ts'

export type Timings = Record<'load' | 'credit' | 'credits' | 'rollups', number>

/** The caller holds the profile's lock; `client` is the connection that `tx` runs on. */
export async function recomputeAll(
  tx: Tx,
  client: pg.PoolClient,
  profile: AttributionProfile,
  now: Date,
): Promise<{ conversions: number; timings: Timings }> {
  const { profileId } = profile
  const marks = [performance.now()]
  const loaded = await loadProfile(tx, client, profileId)
  const book = await openPathBook(tx, profileId, loaded.named, [], now)
  marks.push(performance.now())
  const credited = creditProfile(profile, loaded, book)
  marks.push(performance.now())
  await saveCredits(tx, client, profileId, loaded, credited)
  marks.push(performance.now())
  await saveRollups(tx, client, profileId, loaded, credited, book)
  marks.push(performance.now())
  const { ids, goals, count } = loaded.conversions
  const first = [...credited.firstOfGoal].map(([goal, conversion]) => ({
    goalId: uuidAt(goals, goal),
    conversionId: uuidAt(ids, conversion),
  }))
  await stampFirst(tx, profileId, first, now)
  const took = (step: number) => marks[step + 1]! - marks[step]!
  return {
    conversions: count,
    timings: { load: took(0), credit: took(1), credits: took(2), rollups: took(3) },
  }
}
