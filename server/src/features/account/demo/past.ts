/**
 * Gives the demo a past: once its sources are read, the days behind it go through the real scoring and the real
 * advice, each at its own time, so that the first page shows what months of use would have left.
 */
import type { JobContext, ProfileRef } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { dayBounds } from '../../../platform/contract/zones.ts'
import { scanMergeProposals } from '../../corrections/identity-review/operations.ts'
import { checkProfile } from '../../insights/doctor/operations.ts'
import { recommendDaily } from '../../insights/recommendations/daily.ts'
import { applyRecommendation } from '../../insights/recommendations/operations.ts'
import * as recommendations from '../../insights/recommendations/queries.ts'
import { scoreDay, scoredDay } from '../../insights/top-performers/score-profile.ts'
import { chooseAdvice } from './advice-rules.ts'
import { listWorkspaceUsers } from './queries.ts'
import { readNews } from './read-news.ts'
import { sendLiveVisits } from './seed.ts'

const WEEKS = 10
/** The last week day by day; before it one day a week is enough for what is learnt from the past. */
const EVERY_DAY_FROM = 7
/** Old enough for its two weeks and the days that settle after them to be over. */
const APPLIED_DAYS_AGO = 24
/** From here on a change of budgets is followed even if it is the only one. */
const ANY_BUDGET_DAYS_AGO = 35
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
    if (age >= APPLIED_DAYS_AGO)
      await applyOnce({ ...context, now: morning }, profile, age <= ANY_BUDGET_DAYS_AGO)
  }
  await scanMergeProposals({ db, now, profile })
  await checkProfile({ db, now }, profileId)
  await sendLiveVisits(context.service, profile)
  await readNews(context, profileId, context.service.clock.now())
}

/** The owner follows one piece of advice, so that its outcome is seen next to what was expected of it. */
async function applyOnce(context: JobContext, profile: ProfileRef, isLate: boolean): Promise<void> {
  const { db } = context
  const at = { profileId: profile.id }
  const applied = await recommendations.listRecommendationRows(db, { ...at, status: 'applied' })
  if (applied.length > 0) return
  const open = await recommendations.listRecommendationRows(db, { ...at, status: 'open' })
  const chosen = chooseAdvice(open, isLate)
  const [userId] = await listWorkspaceUsers(db, at)
  if (chosen === undefined || userId === undefined) return
  await applyRecommendation(
    {
      ...context,
      requestId: context.jobId,
      ip: '',
      userAgent: '',
      wantsCookie: false,
      caller: { kind: 'user', via: 'session', credentialId: context.jobId, userId, scopes: [] },
      workspaceId: profile.workspaceId,
      role: 'owner',
    },
    chosen.id,
  )
}
