/**
 * All credit of a profile at once: COPY in, typed arrays, COPY out. It stores what customer by customer would have
 * stored, byte for byte.
 */
import { sql } from 'kysely'
import { type Connection, type Db, withConnection } from '../../../../platform/db/database.ts'
import type { Reason } from '../../../facts/restatements/causes.ts'
import { openLedger } from '../../../facts/restatements/closed-days.ts'
import { restating } from '../../../facts/restatements/save-restatements.ts'
import { openPathBook, type PathBook } from '../credits/paths.ts'
import type { AttributionProfile } from '../settings.ts'
import { stampFirst } from '../stamp-goals.ts'
import { loadProfile } from './load.ts'
import { saveCredits } from './save-credits.ts'
import { saveRollups } from './save-rollups.ts'

export type Timings = Record<'load' | 'credits' | 'rollups', number>
export type Recomputed = { conversions: number; timings: Timings }

/** The caller holds the profile's lock in `main`, which writes; a second connection reads meanwhile. */
export function recomputeAll(
  db: Db,
  main: Connection,
  profile: AttributionProfile,
  now: Date,
  reason: Reason,
): Promise<Recomputed> {
  return withConnection(db, (tx, client) => recompute(main, { tx, client }, profile, now, reason))
}

/** Journeys and people are of no use afterwards: their memory is freed. */
async function creditAll(
  main: Connection,
  reader: Connection,
  profile: AttributionProfile,
  book: PathBook,
  marks: number[],
) {
  const loaded = await loadProfile(main, reader, profile.profileId)
  await book.add(loaded.sources, [])
  marks.push(performance.now())
  const credited = await saveCredits(main, reader, profile, loaded, book)
  marks.push(performance.now())
  const { conversions, customerOf, order } = loaded
  loaded.memory.release()
  return { loaded: { conversions, customerOf, count: order.length }, credited }
}

async function recompute(
  main: Connection,
  reader: Connection,
  profile: AttributionProfile,
  now: Date,
  reason: Reason,
): Promise<Recomputed> {
  const { profileId } = profile
  // Millions of rows are one statement each, and each connection waits for the other: the usual limits are for requests.
  for (const { tx } of [main, reader]) {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  }
  const marks = [performance.now()]
  const book = openPathBook(main.tx, profile, now)
  const { loaded, credited } = await creditAll(main, reader, profile, book, marks)
  await restating(main.tx, openLedger(profile, now), (restatements) =>
    saveRollups(main, profileId, loaded, credited, book, { reason, restatements }),
  )
  marks.push(performance.now())
  const { ids, goals } = loaded.conversions
  const first = [...credited.firstOfGoal].map(([goal, conversion]) => ({
    goalId: goals.textAt(goal),
    conversionId: ids.textAt(conversion),
  }))
  loaded.conversions.memory.release()
  await stampFirst(main.tx, profileId, first, now)
  const took = (step: number) => marks[step + 1]! - marks[step]!
  return {
    conversions: loaded.count,
    timings: { load: took(0), credits: took(1), rollups: took(2) },
  }
}
