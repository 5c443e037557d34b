/**
 * Recommendation rules. Campaigns must differ by more than their daily variation explains, and the subject must differ
 * from its peer group with a posterior probability of 0.9, have enough data, and be unchanged for three days. Budget
 * steps are at most a fifth.
 */
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Dispersion, dispersionsOf } from '../../../platform/statistics/dispersion.ts'
import {
  boundedProbability,
  fisherSurvival,
  normalQuantile,
} from '../../../platform/statistics/distributions.ts'
import {
  type Counted,
  fitPrior,
  peerGroupMedian,
  probabilityAbove,
  type RatePrior,
  reliability,
  shrunkRate,
} from '../../../platform/statistics/gamma-poisson.ts'

export type Kind =
  | 'scale_winner'
  | 'pause_underperformer'
  | 'budget_reallocate_winners'
  | 'creative_refresh_pre_fatigue'

/** `exposureMinor` is the spend whose outcomes are due on the day, given the profile's conversion lags. */
export type DayFacts = { exposureMinor: number; outcomes: number }

export type CampaignFacts = {
  id: string
  platformId: string
  name: string
  provider: string
  objective: string | null
  isRunning: boolean
  /** A search campaign for the business's own name: people who search for it were looking for it already. */
  isBrandSearch: boolean
  /** What `outcomes` counts, in the plural. */
  outcomeName: 'payments' | 'leads'
  dailyBudgetMinor: number | null
  /** Over the settled window, in the profile's currency. */
  spendMinor: number
  /** Over the settled window. */
  exposureMinor: number
  outcomes: number
  /** Every day of the window and of weeks before it, in order: used to estimate the variance of totals. */
  days: readonly DayFacts[]
  /** Time of the last settings change; null if unknown. */
  unchangedSince: Date | null
}

export type Step =
  | { write: 'pause'; platformId: string; name: string }
  | { write: 'daily_budget'; platformId: string; name: string; fromMinor: number; toMinor: number }

export type Expected = {
  metric: 'cost_per_outcome' | 'outcomes_per_day'
  low: number
  high: number
  basis: string
}
export type Proposal = {
  kind: Kind
  subject: { level: 'campaign' | 'ad'; id: string; platformId: string; name: string }
  evidence: string[]
  steps: Step[]
  expected: Expected | null
  confidence: number
  /** The campaigns over which the prediction is scored. */
  scoredOver: string[]
}

export const WINDOW_DAYS = 28
/** Days used to estimate the variance of a campaign's totals; autocorrelation over weeks shows only in months of data. */
export const HISTORY_DAYS = 84
export const SCORED_DAYS = 14
const MIN_POSTERIOR = 0.9
const MIN_RELIABILITY = 2 / 3
const MIN_PEER_GROUP = 3
const MIN_OUTCOMES = 30
const UNCHANGED_MS = 3 * DAY_MS
const STEP = 0.2
/** Significance level of the test that the campaigns of a peer group differ at all. */
const SIGNIFICANCE = 0.03
/** Lower bound of the return of additional spend, relative to the return of the existing spend. */
const MIN_MARGINAL_RETURN = 0.75
const z80 = normalQuantile(0.9)

const searchProviders = ['engine_ads', 'microsoft_ads']
const OTHER_THAN_BRAND = /\b(?:non|no|nicht|sin|hors)[ _-]?(?:brand(?:ed)?|marke|marca|marque)\b/
const BRAND = /(?:^|[^a-z])(?:brand(?:ed)?|marke|marca|marque)(?:[^a-z]|$)/

/** By its name: `brand` in one of four languages, or the name of the business. */
export function isBrandSearch(provider: string, campaignName: string, businessName: string): boolean {
  if (!searchProviders.includes(provider)) return false
  const name = campaignName.toLowerCase()
  if (OTHER_THAN_BRAND.test(name)) return false
  const business = businessName.trim().toLowerCase()
  return BRAND.test(name) || (business.length > 3 && name.includes(business))
}

/** The spend whose outcomes are due on each day: `within[lag]` is the share of outcomes that arrive within `lag` days. */
export function dueSpend(spend: readonly number[], within: readonly number[]): number[] {
  const shares = within.map((share, lag) => share - (within[lag - 1] ?? 0))
  return spend.map((_, day) =>
    shares.reduce((sum, share, lag) => sum + (lag > day ? 0 : share * spend[day - lag]!), 0),
  )
}

export function propose(campaigns: readonly CampaignFacts[], now: Date): Proposal[] {
  return peerGroupsOf(campaigns).flatMap((peerGroup) => proposeIn(peerGroup, now))
}

/**
 * Peer groups: campaigns of one provider and objective, or all of a provider if an objective has too few. Brand search
 * is in none: the last touch credits it with sales that other ads started, so it would win every comparison.
 */
function peerGroupsOf(campaigns: readonly CampaignFacts[]): CampaignFacts[][] {
  const spending = campaigns.filter(({ exposureMinor, isBrandSearch }) => exposureMinor > 0 && !isBrandSearch)
  return [...Map.groupBy(spending, ({ provider }) => provider).values()].flatMap((ofProvider) => {
    const byObjective = [...Map.groupBy(ofProvider, ({ objective }) => objective).values()]
    return byObjective.every((group) => group.length >= MIN_PEER_GROUP) ? byObjective : [ofProvider]
  })
}

type ScoredCampaign = CampaignFacts & { above: number; member: Member }

/** Counts and exposure are divided by the overdispersion, so that they vary like Poisson counts. */
type Member = Counted & { facts: CampaignFacts; dispersion: Dispersion }

const toMember = (facts: CampaignFacts, dispersion: Dispersion): Member => ({
  facts,
  dispersion,
  count: facts.outcomes / dispersion.ratio,
  exposure: facts.exposureMinor / dispersion.ratio,
})

/** An uncertain dispersion estimate widens the posterior, like Student's t. */
function widenPosterior({ count, exposure, dispersion: { degrees } }: Member): Counted {
  const factor = degrees > 2 ? (degrees - 2) / degrees : 1 / 3
  return { count: count * factor, exposure: exposure * factor }
}

function proposeIn(peerGroup: readonly CampaignFacts[], now: Date): Proposal[] {
  const outcomes = peerGroup.reduce((total, facts) => total + facts.outcomes, 0)
  if (peerGroup.length < MIN_PEER_GROUP || outcomes < MIN_OUTCOMES) return []
  const dispersions = dispersionsOf(peerGroup.map(({ days }) => days.map(toCounted)))
  const members = peerGroup.map((facts, index) => toMember(facts, dispersions[index]!))
  if (!differSignificantly(members)) return []
  const prior = fitPrior(members)
  const { low, high } = mediansOf(members, prior)
  const scoreAgainst = (threshold: number) =>
    members.map(
      (member): ScoredCampaign => ({
        ...member.facts,
        member,
        above: probabilityAbove(prior, widenPosterior(member), threshold),
      }),
    )
  const best = scoreAgainst(high).filter(({ above }) => above >= MIN_POSTERIOR)
  const worst = scoreAgainst(low).filter(({ above }) => above <= 1 - MIN_POSTERIOR)
  // The more extreme side explains the difference; the other side must differ without it.
  const isWorstFirst = chiSquareShare(members, worst) >= chiSquareShare(members, best)
  const isReady = (campaign: ScoredCampaign) =>
    campaign.isRunning &&
    reliability(prior, campaign.member.exposure) >= MIN_RELIABILITY &&
    campaign.unchangedSince !== null &&
    now.getTime() - campaign.unchangedSince.getTime() >= UNCHANGED_MS
  const winners = isWorstFirst && !differWithout(members, worst) ? [] : best.filter(isReady)
  const losers = !isWorstFirst && !differWithout(members, best) ? [] : worst.filter(isReady)
  const raised = winners
    .filter(({ dailyBudgetMinor }) => dailyBudgetMinor !== null)
    .toSorted((a, b) => b.above - a.above)
  // A campaign is in one recommendation at a time. The worst is paused; the best winner takes from the least bad one.
  const [, ...lessBad] = losers.toSorted((a, b) => a.above - b.above)
  const donor =
    raised.length === 0 ? undefined : lessBad.findLast(({ dailyBudgetMinor }) => dailyBudgetMinor !== null)
  return [
    ...losers.filter((loser) => loser !== donor).map((loser) => pauseProposal(loser, members, prior)),
    ...raised.map((winner, index) =>
      donor !== undefined && index === 0
        ? reallocateProposal(winner, donor, prior)
        : scaleProposal(winner, prior),
    ),
  ]
}

const toCounted = ({ outcomes, exposureMinor }: DayFacts): Counted => ({
  count: outcomes,
  exposure: exposureMinor,
})

/**
 * The median of the fitted distribution and the median of its members. One outlier stretches the distribution, whose
 * median is then beyond all other members: a better campaign must be above both medians, a worse one below both.
 */
function mediansOf(members: readonly Counted[], prior: RatePrior): { low: number; high: number } {
  const rates = members.map((member) => shrunkRate(prior, member)).sort((a, b) => a - b)
  const half = rates.length >> 1
  const middle = rates.length % 2 === 1 ? rates[half]! : (rates[half - 1]! + rates[half]!) / 2
  const median = peerGroupMedian(prior)
  return { low: Math.min(median, middle), high: Math.max(median, middle) }
}

const isAmong = (campaigns: readonly CampaignFacts[], { facts }: Member) =>
  campaigns.some(({ id }) => id === facts.id)

/** Whether the remaining members still differ without these campaigns. */
function differWithout(members: readonly Member[], campaigns: readonly CampaignFacts[]): boolean {
  const remaining = members.filter((member) => !isAmong(campaigns, member))
  return remaining.length > 1 && differSignificantly(remaining)
}

/** Contribution of these campaigns to the peer group's χ². */
function chiSquareShare(members: readonly Member[], campaigns: readonly CampaignFacts[]): number {
  const rate = sum(members, 'count') / sum(members, 'exposure')
  return chiSquareOf(
    members.filter((member) => isAmong(campaigns, member)),
    rate,
  )
}

const chiSquareOf = (members: readonly Counted[], rate: number): number =>
  members.reduce((total, { count, exposure }) => {
    const expected = rate * exposure
    return total + (count - expected) ** 2 / expected
  }, 0)

/** Whether the members differ by more than chance (F test); otherwise every peer group would have a best and a worst. */
export function differSignificantly(
  members: readonly (Counted & { dispersion: { degrees: number } })[],
): boolean {
  const rate = sum(members, 'count') / sum(members, 'exposure')
  const between = members.length - 1
  const degrees = members.reduce((total, { dispersion }) => total + dispersion.degrees, 0) / members.length
  return fisherSurvival(chiSquareOf(members, rate) / between, between, degrees) < SIGNIFICANCE
}

const sum = (members: readonly Counted[], field: keyof Counted) =>
  members.reduce((total, member) => total + member[field], 0)
const times = (ratio: number) => `${ratio.toFixed(1)} times`
const chanceText = (share: number) => `${Math.floor(boundedProbability(share) * 100)}%`
const subjectOf = ({ id, platformId, name }: CampaignFacts): Proposal['subject'] => ({
  level: 'campaign',
  id,
  platformId,
  name,
})

function evidenceOf(campaign: ScoredCampaign, peerGroup: string): string[] {
  const isBetter = campaign.above > 0.5
  return [
    `${campaign.outcomes} ${campaign.outcomes === 1 ? campaign.outcomeName.slice(0, -1) : campaign.outcomeName} by last touch in ${WINDOW_DAYS} settled days.`,
    `Likely ${isBetter ? 'better' : 'worse'} than the median of ${peerGroup}: ${chanceText(isBetter ? campaign.above : 1 - campaign.above)}, given how much results vary from day to day.`,
    'Nothing was changed for three days.',
  ]
}

function pauseProposal(loser: ScoredCampaign, members: readonly Member[], prior: RatePrior): Proposal {
  const peers = members.filter(({ facts }) => facts.id !== loser.id)
  const outcomes = peers.reduce((total, { facts }) => total + facts.outcomes, 0)
  const cost = peers.reduce((total, { facts }) => total + facts.spendMinor, 0) / Math.max(1, outcomes)
  const count = Math.max(1, sum(peers, 'count'))
  const logMargin = z80 * Math.sqrt(1 / count + WINDOW_DAYS / SCORED_DAYS / count)
  return {
    kind: 'pause_underperformer',
    subject: subjectOf(loser),
    evidence: evidenceOf(loser, `${members.length} campaigns`),
    steps: [{ write: 'pause', platformId: loser.platformId, name: loser.name }],
    expected: {
      metric: 'cost_per_outcome',
      low: cost * Math.exp(-logMargin),
      high: cost * Math.exp(logMargin),
      basis: `The cost per outcome of the other campaigns; this one pays ${ratioOf(loser, prior)} the peer group’s mean.`,
    },
    confidence: boundedProbability(1 - loser.above),
    scoredOver: [],
  }
}

const ratioOf = (campaign: ScoredCampaign, prior: RatePrior) =>
  times(prior.mean / shrunkRate(prior, campaign.member))

function scaleProposal(winner: ScoredCampaign, prior: RatePrior): Proposal {
  const from = winner.dailyBudgetMinor!
  const to = Math.floor(from * (1 + STEP))
  return {
    kind: 'scale_winner',
    subject: subjectOf(winner),
    evidence: evidenceOf(winner, 'its peer group'),
    steps: [budgetStep(winner, to)],
    expected: expectedPerDay([{ campaign: winner, share: to / from - 1 }], prior),
    confidence: boundedProbability(winner.above),
    scoredOver: [winner.id],
  }
}

function reallocateProposal(winner: ScoredCampaign, donor: ScoredCampaign, prior: RatePrior): Proposal {
  const amount = Math.floor(STEP * Math.min(winner.dailyBudgetMinor!, donor.dailyBudgetMinor!))
  return {
    kind: 'budget_reallocate_winners',
    subject: subjectOf(winner),
    evidence: [
      ...evidenceOf(winner, 'its peer group'),
      `${donor.name} is likely worse than the median: ${chanceText(1 - donor.above)}.`,
    ],
    // The decrease is first: a failure in between leaves less spend, never more.
    steps: [
      budgetStep(donor, donor.dailyBudgetMinor! - amount),
      budgetStep(winner, winner.dailyBudgetMinor! + amount),
    ],
    expected: expectedPerDay(
      [
        { campaign: winner, share: amount / winner.dailyBudgetMinor! },
        { campaign: donor, share: -amount / donor.dailyBudgetMinor! },
      ],
      prior,
    ),
    confidence: boundedProbability(Math.min(winner.above, 1 - donor.above)),
    scoredOver: [winner.id, donor.id],
  }
}

const budgetStep = (campaign: ScoredCampaign, toMinor: number): Step => ({
  write: 'daily_budget',
  platformId: campaign.platformId,
  name: campaign.name,
  fromMinor: campaign.dailyBudgetMinor!,
  toMinor,
})

/** Expected outcomes per day of the campaigns after the change; additional spend may return up to a quarter less. */
function expectedPerDay(
  changes: readonly { campaign: ScoredCampaign; share: number }[],
  prior: RatePrior,
): Expected {
  const daily = (marginalReturn: number) =>
    changes.reduce((total, { campaign, share }) => {
      const usual = (shrunkRate(prior, campaign.member) * campaign.spendMinor) / WINDOW_DAYS
      return total + usual * (1 + (share > 0 ? share * marginalReturn : share))
    }, 0)
  // Both counts are corrected for overdispersion, so that they vary like Poisson counts.
  const observed = changes.reduce((total, { campaign }) => total + campaign.member.count, 0)
  const share =
    observed /
    Math.max(
      1,
      changes.reduce((total, { campaign }) => total + campaign.outcomes, 0),
    )
  const expected = daily(1) * SCORED_DAYS * share
  const logMargin = z80 * Math.sqrt(1 / Math.max(1, observed) + 1 / Math.max(1, expected))
  return {
    metric: 'outcomes_per_day',
    low: daily(MIN_MARGINAL_RETURN) * Math.exp(-logMargin),
    high: daily(1) * Math.exp(logMargin),
    basis: 'The rate of the last four weeks at the new budget; additional spend returns 75 to 100% as much.',
  }
}

export type Prediction = Expected & { observed: number | null; held: boolean | null }

/** Whether the observed figure of the following 14 days is in the predicted interval. */
export function scorePrediction(
  expected: Expected,
  after: { outcomes: number; spendMinor: number },
): Prediction {
  const observed =
    expected.metric === 'outcomes_per_day'
      ? after.outcomes / SCORED_DAYS
      : after.outcomes === 0
        ? null
        : after.spendMinor / after.outcomes
  return {
    ...expected,
    observed,
    held: observed === null ? null : observed >= expected.low && observed <= expected.high,
  }
}

type Spent = { outcomes: number; spendMinor: number }

/** Whether the subject of a recommendation not applied stayed worse (or better) than the others; null without spend. */
export function wasAdviceRight(
  kind: Kind,
  after: { subject: Spent | undefined; others: Spent },
): boolean | null {
  const { subject, others } = after
  if (subject === undefined || subject.spendMinor === 0 || others.spendMinor === 0) return null
  const difference = subject.outcomes / subject.spendMinor - others.outcomes / others.spendMinor
  return kind === 'pause_underperformer' ? difference < 0 : difference > 0
}
