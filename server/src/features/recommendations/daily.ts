/** Once a day and profile: note settings, let lapse what no longer holds, make what does, score what was applied. */
import type { JobContext } from '../../context.ts'
import { addDays } from '../../contract/dates.ts'
import { uuidv7 } from '../../contract/ids.ts'
import { localDay } from '../../contract/zones.ts'
import type { Tx } from '../../db/database.ts'
import { findProfileRef } from '../access/queries.ts'
import * as queries from './queries.ts'
import {
  type CampaignFacts,
  type Proposal,
  propose,
  SCORED_DAYS,
  scorePrediction,
  WINDOW_DAYS,
} from './rules.ts'

const DAY_MS = 86_400_000
const OPEN_DAYS = 7
const DISMISSED_DAYS = 28
const UNSETTLED_DAYS = 3
/** With fewer payments than this in the window, leads are what campaigns are compared by. */
const MIN_PAYMENTS = 30

export async function recommendDaily(context: JobContext, profileId: string): Promise<void> {
  const { db, now } = context
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) return
  const today = localDay(now, profile.timezone)
  const to = addDays(today, -UNSETTLED_DAYS)
  const campaigns = await queries.listCampaigns(db, { profileId, from: addDays(to, 1 - WINDOW_DAYS), to })
  const proposals = [
    ...propose(factsOf(campaigns, profile.currency), now),
    ...(await queries.listTiringAds(db, { profileId })).map(refreshOf),
  ]
  await db.transaction().execute(async (tx) => {
    await queries.noteSettings(tx, { profileId, campaigns, now })
    await renew(tx, profileId, proposals, now)
    await scoreApplied(tx, profileId, today, profile.timezone, now)
  })
}

function factsOf(campaigns: readonly queries.CampaignRow[], currency: string): CampaignFacts[] {
  const payments = campaigns.reduce((sum, row) => sum + row.payments, 0)
  return campaigns.map((row) => ({
    id: row.id,
    platformId: row.external_id,
    name: row.name ?? row.external_id,
    provider: row.provider,
    objective: row.objective,
    isRunning: row.status === 'ACTIVE' || row.status === 'ENABLED',
    // A budget in another currency is left alone: its step could not be told in the profile's money.
    dailyBudgetMinor: row.currency === currency ? row.daily_budget_minor : null,
    spendMinor: row.spend_minor,
    outcomes: payments >= MIN_PAYMENTS ? row.payments : row.leads,
    unchangedSince: row.since,
  }))
}

const refreshOf = (ad: queries.TiringAd): Proposal => ({
  kind: 'creative_refresh_pre_fatigue',
  subject: { level: 'ad', id: ad.id, platformId: ad.external_id, name: ad.name ?? ad.external_id },
  evidence: [
    'People have seen this ad often, and fewer click it than its first weeks and its neighbours lead to expect.',
    'It did better than the median of its cohort, so what replaces it should build on it.',
  ],
  steps: [],
  expected: null,
  confidence: ad.above_median ?? 0.5,
  scoredOver: [],
})

async function renew(tx: Tx, profileId: string, proposals: readonly Proposal[], now: Date): Promise<void> {
  const dismissedAfter = new Date(now.getTime() - DISMISSED_DAYS * DAY_MS)
  const standing = await queries.listStanding(tx, { profileId, dismissedAfter })
  const keyOf = (kind: string, subjectId: string) => `${kind} ${subjectId}`
  const wanted = new Set(proposals.map(({ kind, subject }) => keyOf(kind, subject.id)))
  const lapsed = standing.filter(
    (row) => row.status === 'open' && (row.expires_at <= now || !wanted.has(keyOf(row.kind, row.subject_id))),
  )
  await queries.expire(tx, { profileId, ids: lapsed.map(({ id }) => id), now })
  const kept = new Set(
    standing.filter((row) => !lapsed.includes(row)).map((row) => keyOf(row.kind, row.subject_id)),
  )
  for (const proposal of proposals) {
    if (kept.has(keyOf(proposal.kind, proposal.subject.id))) continue
    const expiresAt = new Date(now.getTime() + OPEN_DAYS * DAY_MS)
    await queries.insertProposal(tx, { profileId, id: uuidv7(now), proposal, now, expiresAt })
  }
}

async function scoreApplied(
  tx: Tx,
  profileId: string,
  today: string,
  zone: string,
  now: Date,
): Promise<void> {
  for (const row of await queries.listRecommendationRows(tx, { profileId, status: 'applied' })) {
    if (row.prediction !== null || row.expected_effect === null) continue
    const from = addDays(localDay(row.applied_at!, zone), 1)
    const to = addDays(from, SCORED_DAYS - 1)
    if (addDays(to, UNSETTLED_DAYS) > today) continue
    const campaigns = await queries.listCampaigns(tx, { profileId, from, to })
    const isPart = ({ id }: queries.CampaignRow) =>
      row.action.scoredOver.length === 0 ? id !== row.subject_id : row.action.scoredOver.includes(id)
    const part = factsOf(campaigns, '').filter((_, index) => isPart(campaigns[index]!))
    const after = {
      outcomes: part.reduce((sum, facts) => sum + facts.outcomes, 0),
      spendMinor: part.reduce((sum, facts) => sum + facts.spendMinor, 0),
    }
    const prediction = scorePrediction(row.expected_effect, after)
    await queries.savePrediction(tx, { profileId, id: row.id, prediction, now })
  }
}
