/**
 * Backfills the demo's history: once its sources are read, scoring and recommendations run for each past day, so that
 * the console shows what months of use would have produced.
 */
import type { JobContext, ProfileRef } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { dayBounds } from '../../../platform/contract/zones.ts'
import { readInstallation } from '../../advice/doctor/installation.ts'
import { checkProfile } from '../../advice/doctor/operations.ts'
import { recommendDaily } from '../../advice/recommendations/daily.ts'
import { applyRecommendation } from '../../advice/recommendations/operations.ts'
import * as recommendations from '../../advice/recommendations/queries.ts'
import { scoreDay, scoredDay } from '../../advice/top-performers/score-profile.ts'
import { scanMergeProposals } from '../../corrections/identity-review/operations.ts'
import { chooseAdvice } from './advice-rules.ts'
import { listWorkspaceUsers } from './queries.ts'
import { markNotificationsRead } from './read-news.ts'
import { sendLiveVisits } from './seed.ts'

const WEEKS = 10
/** The last week is replayed daily; before it one day per week is enough. */
const EVERY_DAY_FROM = 7
/** Old enough that the two weeks of its outcome, and the days that settle after them, have passed. */
const APPLIED_DAYS_AGO = 24
/** From this age on, a change of budgets is applied even if it is the only one of its kind. */
const ANY_BUDGET_DAYS_AGO = 35
const HOUR_MS = 3_600_000

/** Idempotent: a scored day is kept, and open recommendations are not created again. */
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
  await checkProfile({ db, now }, profileId, await readInstallation(context.service))
  await sendLiveVisits(context.service, profile)
  await markNotificationsRead(context, profileId, context.service.clock.now())
}

/** Applies one recommendation as the owner, so that its outcome can be compared with the expected effect. */
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
