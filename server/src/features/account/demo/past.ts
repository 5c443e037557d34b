/**
 * Gives the demo a past: once its sources are read, the days behind it go through the real scoring and the real
 * advice, each at its own time, so that the first page shows what months of use would have left.
 */
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { dayBounds } from '../../../platform/contract/zones.ts'
import { scanMergeProposals } from '../../corrections/identity-review/operations.ts'
import { saveReadThrough } from '../../insights/notifications/queries.ts'
import { recommendDaily } from '../../insights/recommendations/daily.ts'
import * as recommendations from '../../insights/recommendations/queries.ts'
import { scoreDay, scoredDay } from '../../insights/top-performers/score-profile.ts'
import { listWorkspaceUsers } from './queries.ts'
import { sendLiveVisits } from './seed.ts'

const WEEKS = 10
/** The last week day by day; before it one day a week is enough for what is learnt from the past. */
const EVERY_DAY_FROM = 7
/** Old enough for its two weeks and the days that settle after them to be over. */
const APPLIED_DAYS_AGO = 24
const HOUR_MS = 3_600_000

/** May run twice: a day that is scored stays, and advice that is open is not given again. */
export async function replayPast(context: JobContext, profileId: string): Promise<void> {
  const { db, now, signal } = context
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) return
  const { timezone } = profile
  const last = scoredDay(now, timezone)
  for (let age = WEEKS * 7; age >= 0; age -= age > EVERY_DAY_FROM ? 7 : 1) {
    signal.throwIfAborted()
    const day = addDays(last, -age)
    // As the service does it: early on the next day.
    const morning = age === 0 ? now : new Date(dayBounds(day, timezone).end.getTime() + 2 * HOUR_MS)
    await scoreDay(db, { profileId, day }, { timezone, now: morning, signal })
    await recommendDaily({ ...context, now: morning }, profileId)
    if (age >= APPLIED_DAYS_AGO) await applyOnce(context, profileId, morning)
  }
  await scanMergeProposals({ db, now, profile })
  await sendLiveVisits(context.service, profile)
  await readNews(context, profileId)
}

/** What happened while the demo was prepared is news to no one. */
async function readNews({ db, service }: JobContext, profileId: string): Promise<void> {
  const through = service.clock.now()
  const users = await listWorkspaceUsers(db, { profileId })
  await db.transaction().execute(async (tx) => {
    for (const userId of users) await saveReadThrough(tx, { profileId, userId, through })
  })
}

/** One piece of advice counts as followed, so that its outcome is seen next to what was expected of it. */
async function applyOnce({ db }: JobContext, profileId: string, now: Date): Promise<void> {
  const applied = await recommendations.listRecommendationRows(db, { profileId, status: 'applied' })
  if (applied.length > 0) return
  const open = await recommendations.listRecommendationRows(db, { profileId, status: 'open' })
  const first = open.find((row) => row.expected_effect !== null)
  if (first === undefined) return
  await recommendations.settle(db, { profileId, id: first.id, status: 'applied', now, isApplied: true })
}
