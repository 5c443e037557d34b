/** Daily run per profile: record settings, expire outdated recommendations, create new ones and score old ones. */
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays, DAY_MS, listDays } from '../../../platform/contract/dates.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { boundedProbability } from '../../../platform/statistics/distributions.ts'
import { findLagShares } from '../top-performers/lag-days.ts'
import * as queries from './queries.ts'
import {
  type CampaignFacts,
  dueSpend,
  HISTORY_DAYS,
  isBrandSearch,
  type Kind,
  type Proposal,
  propose,
  SCORED_DAYS,
  scorePrediction,
  WINDOW_DAYS,
  wasAdviceRight,
} from './rules.ts'

const OPEN_DAYS = 7
const DISMISSED_DAYS = 28
const UNSETTLED_DAYS = 3
const MIN_PAYMENTS = 30
const LAG_DAYS = 60
/** Recommendations not applied that are still unscored after this time are not scored: their subject did not run. */
const MAX_SCORING_DAYS = 60

export async function recommendDaily(context: JobContext, profileId: string): Promise<void> {
  const { db, now } = context
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) return
  const today = localDay(now, profile.timezone)
  const to = addDays(today, -UNSETTLED_DAYS)
  const campaigns = await queries.listCampaigns(db, { profileId, from: addDays(to, 1 - WINDOW_DAYS), to })
  const facts = await readFacts(db, {
    profileId,
    currency: profile.currency,
    businessName: profile.name,
    campaigns,
    to,
  })
  const proposals = [
    ...propose(facts, now),
    ...(await queries.listFatiguedAds(db, { profileId })).map(toRefreshProposal),
  ]
  await db.transaction().execute(async (tx) => {
    await queries.saveSettings(tx, { profileId, campaigns, now })
    await replaceOutdated(tx, profileId, proposals, now)
    await scoreApplied(tx, profileId, today, profile.timezone, now)
    await scoreNotApplied(tx, profileId, profile.timezone, now)
  })
}

type FactsQuery = {
  profileId: string
  currency: string
  businessName: string
  campaigns: readonly queries.CampaignRow[]
  to: string
}

/** Spend and outcomes per day. Days before the history are only used to spread their spend over late outcomes. */
async function readFacts(db: Db | Tx, args: FactsQuery): Promise<CampaignFacts[]> {
  const { profileId, campaigns, to } = args
  const from = addDays(to, 1 - HISTORY_DAYS - LAG_DAYS)
  const campaignDays = await queries.listCampaignDays(db, { profileId, from, to })
  const lags = await findLagShares(db, profileId)
  const kind = outcomeKind(campaigns)
  const calendar = listDays(from, to)
  const byCampaign = Map.groupBy(campaignDays, (row) => row.entity_id)
  // Days before the first outcome of any campaign were not tracked.
  const trackedFrom = campaignDays.reduce(
    (first, day) => (day[kind] > 0 && day.day < first ? day.day : first),
    to,
  )
  return campaigns.map((row) => {
    const byDay = new Map((byCampaign.get(row.id) ?? []).map((day) => [day.day, day]))
    const spend = calendar.map((day) => byDay.get(day)?.spend_minor ?? 0)
    const exposures = dueSpend(spend, kind === 'payments' ? lags.cash : lags.pipeline)
    const days = calendar.map((day, index) => ({
      exposureMinor: exposures[index]!,
      outcomes: byDay.get(day)?.[kind] ?? 0,
    }))
    const begun = days.findIndex((day, index) => calendar[index]! >= trackedFrom && day.exposureMinor > 0)
    const window = days.slice(-WINDOW_DAYS)
    return {
      ...toFacts(row, args, kind),
      exposureMinor: window.reduce((sum, day) => sum + day.exposureMinor, 0),
      days: begun === -1 ? [] : days.slice(Math.max(begun, days.length - HISTORY_DAYS)),
    }
  })
}

/** Campaigns are compared by leads if the window has too few payments. */
const outcomeKind = (campaigns: readonly queries.CampaignRow[]): 'payments' | 'leads' =>
  campaigns.reduce((sum, row) => sum + row.payments, 0) >= MIN_PAYMENTS ? 'payments' : 'leads'

const toFacts = (
  row: queries.CampaignRow,
  { currency, businessName }: FactsQuery,
  kind: 'payments' | 'leads',
) => ({
  id: row.id,
  platformId: row.external_id,
  name: row.name ?? row.external_id,
  provider: row.provider,
  objective: row.objective,
  isBrandSearch: isBrandSearch(row.provider, row.name ?? '', businessName),
  outcomeName: kind,
  isRunning: row.status === 'ACTIVE' || row.status === 'ENABLED',
  // Budgets in another currency are ignored: their steps could not be shown in the profile's currency.
  dailyBudgetMinor: row.currency === currency ? row.daily_budget_minor : null,
  spendMinor: row.spend_minor,
  outcomes: row[kind],
  unchangedSince: row.since,
})

const toRefreshProposal = (ad: queries.FatiguedAd): Proposal => ({
  kind: 'creative_refresh_pre_fatigue',
  subject: { level: 'ad', id: ad.id, platformId: ad.external_id, name: ad.name ?? ad.external_id },
  evidence: [
    'Clicks of the last week are at least 12% below what its usual click rate and the days of similar ads predict, which is more than chance explains.',
    `It is better than the median of similar ads with a probability of ${Math.floor(boundedProbability(ad.above_median ?? 0.5) * 100)}%, by sales or leads of last touch: a replacement can build on it.`,
  ],
  steps: [],
  expected: null,
  confidence: ad.above_median ?? 0.5,
  scoredOver: [],
})

async function replaceOutdated(
  tx: Tx,
  profileId: string,
  proposals: readonly Proposal[],
  now: Date,
): Promise<void> {
  const dismissedAfter = new Date(now.getTime() - DISMISSED_DAYS * DAY_MS)
  const current = await queries.listCurrent(tx, { profileId, dismissedAfter })
  const keyOf = (kind: string, subjectId: string) => `${kind} ${subjectId}`
  const proposed = new Set(proposals.map(({ kind, subject }) => keyOf(kind, subject.id)))
  const outdated = current.filter(
    (row) =>
      row.status === 'open' && (row.expires_at <= now || !proposed.has(keyOf(row.kind, row.subject_id))),
  )
  await queries.expire(tx, { profileId, ids: outdated.map(({ id }) => id), now })
  const currentKeys = new Set(
    current.filter((row) => !outdated.includes(row)).map((row) => keyOf(row.kind, row.subject_id)),
  )
  for (const proposal of proposals) {
    if (currentKeys.has(keyOf(proposal.kind, proposal.subject.id))) continue
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
    const kind = outcomeKind(campaigns)
    const part = campaigns.filter(isPart)
    const after = {
      outcomes: part.reduce((sum, campaign) => sum + campaign[kind], 0),
      spendMinor: part.reduce((sum, campaign) => sum + campaign.spend_minor, 0),
    }
    const prediction = scorePrediction(row.expected_effect, after)
    await queries.savePrediction(tx, { profileId, id: row.id, prediction, now })
  }
}

/** Scores recommendations that were not applied: whether the subject stayed better or worse than the others. */
async function scoreNotApplied(tx: Tx, profileId: string, zone: string, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const over = SCORED_DAYS + UNSETTLED_DAYS
  const rows = await queries.listNotApplied(tx, {
    profileId,
    after: daysAgo(MAX_SCORING_DAYS),
    before: daysAgo(over),
  })
  for (const row of rows) {
    const from = addDays(localDay(row.created_at, zone), 1)
    const to = addDays(from, SCORED_DAYS - 1)
    const isRight =
      row.kind === 'creative_refresh_pre_fatigue'
        ? clicksFell(
            await queries.findClickRates(tx, {
              profileId,
              adId: row.subject_id,
              from: addDays(from, -WINDOW_DAYS),
              day: from,
              to,
            }),
          )
        : await stayedBetterOrWorse(tx, { profileId, row, from, to })
    if (isRight !== null) await queries.saveVerdict(tx, { profileId, id: row.id, isRight, now })
  }
}

const clicksFell = ({ before, after }: queries.ClickRates): boolean | null =>
  before === null || after === null ? null : after < before

async function stayedBetterOrWorse(
  tx: Tx,
  at: { profileId: string; row: { kind: string; subject_id: string }; from: string; to: string },
): Promise<boolean | null> {
  const { profileId, row, from, to } = at
  const campaigns = await queries.listCampaigns(tx, { profileId, from, to })
  const subject = campaigns.find(({ id }) => id === row.subject_id)
  const kind = outcomeKind(campaigns)
  const peers = campaigns.filter(
    ({ id, provider }) => id !== row.subject_id && provider === subject?.provider,
  )
  return wasAdviceRight(row.kind as Kind, {
    subject: subject && { outcomes: subject[kind], spendMinor: subject.spend_minor },
    others: {
      outcomes: peers.reduce((sum, campaign) => sum + campaign[kind], 0),
      spendMinor: peers.reduce((sum, campaign) => sum + campaign.spend_minor, 0),
    },
  })
}
