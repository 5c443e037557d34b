/**
 * Full recompute of a profile: COPY out, typed arrays, COPY in. The result equals the incremental path byte for byte.
 */
import { sql } from 'kysely'
import { type Connection, type Db, withConnection } from '../../../../platform/db/database.ts'
import type { Reason } from '../../../facts/restatements/causes.ts'
import { openLedger } from '../../../facts/restatements/closed-days.ts'
import { withRestatements } from '../../../facts/restatements/save-restatements.ts'
import { openPathBook, type PathBook } from '../credits/paths.ts'
import type { AttributionProfile } from '../settings.ts'
import { stampFirstAttributed } from '../stamp-goals.ts'
import { loadProfile } from './load.ts'
import { saveCredits } from './save-credits.ts'
import { saveRollups } from './save-rollups.ts'

export type Timings = Record<'load' | 'credits' | 'rollups', number>
export type RecomputeResult = { conversions: number; timings: Timings }

/** The caller holds the profile's lock in `main`, which writes; a second connection reads in parallel. */
export function recomputeAll(
  db: Db,
  main: Connection,
  profile: AttributionProfile,
  now: Date,
  reason: Reason,
): Promise<RecomputeResult> {
  return withConnection(db, (tx, client) => recompute(main, { tx, client }, profile, now, reason))
}

/** Releases the memory of journeys and people, which only crediting needs. */
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
): Promise<RecomputeResult> {
  const { profileId } = profile
  // One statement handles millions of rows, and each connection idles while the other works: no request timeouts here.
  for (const { tx } of [main, reader]) {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  }
  const marks = [performance.now()]
  const book = openPathBook(main.tx, profile, now)
  const { loaded, credited } = await creditAll(main, reader, profile, book, marks)
  await withRestatements(main.tx, openLedger(profile, now), (restatements) =>
    saveRollups(main, profileId, loaded, credited, book, { reason, restatements }),
  )
  marks.push(performance.now())
  const { ids, goals } = loaded.conversions
  const first = [...credited.firstOfGoal].map(([goal, conversion]) => ({
    goalId: goals.textAt(goal),
    conversionId: ids.textAt(conversion),
  }))
  loaded.conversions.memory.release()
  await stampFirstAttributed(main.tx, profileId, first, now)
  const duration = (step: number) => marks[step + 1]! - marks[step]!
  return {
    conversions: loaded.count,
    timings: { load: duration(0), credits: duration(1), rollups: duration(2) },
  }
}
