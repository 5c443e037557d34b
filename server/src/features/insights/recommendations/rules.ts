/**
 * What to do next, and only where the figures support it: campaigns must differ by more than their own days explain, and
 * a campaign must differ from its peer group with a posterior of 0.9, be known well enough, and be unchanged for three days.
 * Steps stay within a fifth.
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
  cohortMedian,
  fitPrior,
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

/** `exposureMinor` is the spend whose outcomes are due on the day, by how long this profile's conversions take. */
export type DayFacts = { exposureMinor: number; outcomes: number }

export type CampaignFacts = {
  id: string
  platformId: string
  name: string
  provider: string
  objective: string | null
  isRunning: boolean
  dailyBudgetMinor: number | null
  /** Over the settled window, in the profile's currency. */
  spendMinor: number
  /** Of the window's days. */
  exposureMinor: number
  outcomes: number
  /** By day, every day in its order, of the window and of weeks before it: they show how far totals stray. */
  days: readonly DayFacts[]
  /** Since when the settings are as they are; null where that is not known. */
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
/** Days that show how far a campaign's totals stray; memory of weeks shows only in months. */
export const HISTORY_DAYS = 84
export const SCORED_DAYS = 14
const STANDS_OUT = 0.9
const MATURE = 2 / 3
const MIN_COHORT = 3
const MIN_OUTCOMES = 30
const UNCHANGED_MS = 3 * DAY_MS
const STEP = 0.2
/** Significance level of the test that the campaigns of a peer group differ at all. */
const DIFFERS_BELOW = 0.03
/** More spend brings at least so much of what the spend before it brought. */
const DIMINISHED = 0.75
const z80 = normalQuantile(0.9)

/** The spend whose outcomes are due on each day: `within[lag]` is the share of outcomes that come within so many days. */
export function dueSpend(spend: readonly number[], within: readonly number[]): number[] {
  const shares = within.map((share, lag) => share - (within[lag - 1] ?? 0))
  return spend.map((_, day) =>
    shares.reduce((sum, share, lag) => sum + (lag > day ? 0 : share * spend[day - lag]!), 0),
  )
}

export function propose(campaigns: readonly CampaignFacts[], now: Date): Proposal[] {
  return cohortsOf(campaigns).flatMap((cohort) => proposeIn(cohort, now))
}

/** Campaigns of one provider and objective; where these are few, all of the provider's. */
function cohortsOf(campaigns: readonly CampaignFacts[]): CampaignFacts[][] {
  const spending = campaigns.filter(({ exposureMinor }) => exposureMinor > 0)
  return [...Map.groupBy(spending, ({ provider }) => provider).values()].flatMap((ofProvider) => {
    const byObjective = [...Map.groupBy(ofProvider, ({ objective }) => objective).values()]
    return byObjective.every((group) => group.length >= MIN_COHORT) ? byObjective : [ofProvider]
  })
}

type Judged = CampaignFacts & { above: number; member: Member }

/** Counts and exposure are divided by the dispersion: what is left varies as Poisson counts do. */
type Member = Counted & { facts: CampaignFacts; dispersion: Dispersion }

const toMember = (facts: CampaignFacts, dispersion: Dispersion): Member => ({
  facts,
  dispersion,
  count: facts.outcomes / dispersion.ratio,
  exposure: facts.exposureMinor / dispersion.ratio,
})

/** A dispersion that is itself uncertain leaves heavier tails, as Student's T has them. */
function widened({ count, exposure, dispersion: { degrees } }: Member): Counted {
  const factor = degrees > 2 ? (degrees - 2) / degrees : 1 / 3
  return { count: count * factor, exposure: exposure * factor }
}

function proposeIn(cohort: readonly CampaignFacts[], now: Date): Proposal[] {
  const outcomes = cohort.reduce((total, facts) => total + facts.outcomes, 0)
  if (cohort.length < MIN_COHORT || outcomes < MIN_OUTCOMES) return []
  const dispersions = dispersionsOf(cohort.map(({ days }) => days.map(toCounted)))
  const members = cohort.map((facts, index) => toMember(facts, dispersions[index]!))
  if (!isMixed(members)) return []
  const prior = fitPrior(members)
  const { low, high } = mediansOf(members, prior)
  const judge = (threshold: number) =>
    members.map(
      (member): Judged => ({
        ...member.facts,
        member,
        above: probabilityAbove(prior, widened(member), threshold),
      }),
    )
  const best = judge(high).filter(({ above }) => above >= STANDS_OUT)
  const worst = judge(low).filter(({ above }) => above <= 1 - STANDS_OUT)
  // The end that is further off explains the difference; the other one must differ without it.
  const isWorstFirst = strayOf(members, worst) >= strayOf(members, best)
  const isReady = (campaign: Judged) =>
    campaign.isRunning &&
    reliability(prior, campaign.member.exposure) >= MATURE &&
    campaign.unchangedSince !== null &&
    now.getTime() - campaign.unchangedSince.getTime() >= UNCHANGED_MS
  const winners = isWorstFirst && !differWithout(members, worst) ? [] : best.filter(isReady)
  const losers = !isWorstFirst && !differWithout(members, best) ? [] : worst.filter(isReady)
  const donor = losers
    .filter(({ dailyBudgetMinor }) => dailyBudgetMinor !== null)
    .toSorted((a, b) => a.above - b.above)[0]
  return [
    ...losers.map((loser) => pauseOf(loser, members, prior)),
    ...winners.flatMap((winner) =>
      winner.dailyBudgetMinor === null
        ? []
        : [donor === undefined ? scaleOf(winner, prior) : moveOf(winner, donor, prior)],
    ),
  ]
}

const toCounted = ({ outcomes, exposureMinor }: DayFacts): Counted => ({
  count: outcomes,
  exposure: exposureMinor,
})

/**
 * The median of the peer group's distribution, and that of its members. One campaign that is far off stretches the
 * distribution, whose median then is beyond all the others: to be better one must be above both, to be worse below.
 */
function mediansOf(members: readonly Counted[], prior: RatePrior): { low: number; high: number } {
  const rates = members.map((member) => shrunkRate(prior, member)).sort((a, b) => a - b)
  const half = rates.length >> 1
  const middle = rates.length % 2 === 1 ? rates[half]! : (rates[half - 1]! + rates[half]!) / 2
  const median = cohortMedian(prior)
  return { low: Math.min(median, middle), high: Math.max(median, middle) }
}

const isAmong = (campaigns: readonly CampaignFacts[], { facts }: Member) =>
  campaigns.some(({ id }) => id === facts.id)

/** Whether the members differ beyond these. */
function differWithout(members: readonly Member[], campaigns: readonly CampaignFacts[]): boolean {
  const rest = members.filter((member) => !isAmong(campaigns, member))
  return rest.length > 1 && isMixed(rest)
}

/** How much of the peer group's χ² these bring. */
function strayOf(members: readonly Member[], campaigns: readonly CampaignFacts[]): number {
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

/** Whether the members differ by more than chance: without this every peer group would have its best and its worst. */
export function isMixed(members: readonly (Counted & { dispersion: { degrees: number } })[]): boolean {
  const rate = sum(members, 'count') / sum(members, 'exposure')
  const between = members.length - 1
  const degrees = members.reduce((total, { dispersion }) => total + dispersion.degrees, 0) / members.length
  return fisherSurvival(chiSquareOf(members, rate) / between, between, degrees) < DIFFERS_BELOW
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

function evidenceOf(campaign: Judged, cohort: string): string[] {
  const isBetter = campaign.above > 0.5
  return [
    `${campaign.outcomes} ${campaign.outcomes === 1 ? 'outcome' : 'outcomes'} in ${WINDOW_DAYS} settled days.`,
    `Likely ${isBetter ? 'better' : 'worse'} than the median of ${cohort}: ${chanceText(isBetter ? campaign.above : 1 - campaign.above)}, given how much results vary from day to day.`,
    'Nothing was changed for three days.',
  ]
}

function pauseOf(loser: Judged, members: readonly Member[], prior: RatePrior): Proposal {
  const rest = members.filter(({ facts }) => facts.id !== loser.id)
  const outcomes = rest.reduce((total, { facts }) => total + facts.outcomes, 0)
  const cost = rest.reduce((total, { facts }) => total + facts.spendMinor, 0) / Math.max(1, outcomes)
  const known = Math.max(1, sum(rest, 'count'))
  const stray = z80 * Math.sqrt(1 / known + WINDOW_DAYS / SCORED_DAYS / known)
  return {
    kind: 'pause_underperformer',
    subject: subjectOf(loser),
    evidence: evidenceOf(loser, `${members.length} campaigns`),
    steps: [{ write: 'pause', platformId: loser.platformId, name: loser.name }],
    expected: {
      metric: 'cost_per_outcome',
      low: cost * Math.exp(-stray),
      high: cost * Math.exp(stray),
      basis: `What the other campaigns pay for an outcome; this one pays ${ratioOf(loser, prior)} the peer group’s mean.`,
    },
    confidence: boundedProbability(1 - loser.above),
    scoredOver: [],
  }
}

const ratioOf = (campaign: Judged, prior: RatePrior) => times(prior.mean / shrunkRate(prior, campaign.member))

function scaleOf(winner: Judged, prior: RatePrior): Proposal {
  const from = winner.dailyBudgetMinor!
  const to = Math.floor(from * (1 + STEP))
  return {
    kind: 'scale_winner',
    subject: subjectOf(winner),
    evidence: evidenceOf(winner, 'its cohort'),
    steps: [budgetStep(winner, to)],
    expected: perDay([{ campaign: winner, share: to / from - 1 }], prior),
    confidence: boundedProbability(winner.above),
    scoredOver: [winner.id],
  }
}

function moveOf(winner: Judged, donor: Judged, prior: RatePrior): Proposal {
  const amount = Math.floor(STEP * Math.min(winner.dailyBudgetMinor!, donor.dailyBudgetMinor!))
  return {
    kind: 'budget_reallocate_winners',
    subject: subjectOf(winner),
    evidence: [
      ...evidenceOf(winner, 'its cohort'),
      `${donor.name} is likely worse than the median: ${chanceText(1 - donor.above)}.`,
    ],
    // What is taken comes first: a failure in between spends less, never more.
    steps: [
      budgetStep(donor, donor.dailyBudgetMinor! - amount),
      budgetStep(winner, winner.dailyBudgetMinor! + amount),
    ],
    expected: perDay(
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

const budgetStep = (campaign: Judged, toMinor: number): Step => ({
  write: 'daily_budget',
  platformId: campaign.platformId,
  name: campaign.name,
  fromMinor: campaign.dailyBudgetMinor!,
  toMinor,
})

/** Outcomes a day of the campaigns after the change; added spend may bring a quarter less than what was there. */
function perDay(changes: readonly { campaign: Judged; share: number }[], prior: RatePrior): Expected {
  const daily = (diminished: number) =>
    changes.reduce((total, { campaign, share }) => {
      const usual = (shrunkRate(prior, campaign.member) * campaign.spendMinor) / WINDOW_DAYS
      return total + usual * (1 + (share > 0 ? share * diminished : share))
    }, 0)
  // Both count in outcomes that vary as Poisson counts do.
  const known = changes.reduce((total, { campaign }) => total + campaign.member.count, 0)
  const share =
    known /
    Math.max(
      1,
      changes.reduce((total, { campaign }) => total + campaign.outcomes, 0),
    )
  const coming = daily(1) * SCORED_DAYS * share
  const stray = z80 * Math.sqrt(1 / Math.max(1, known) + 1 / Math.max(1, coming))
  return {
    metric: 'outcomes_per_day',
    low: daily(DIMINISHED) * Math.exp(-stray),
    high: daily(1) * Math.exp(stray),
    basis: 'The rate of the last four weeks at the new budget; added spend brings 75 to 100% as much.',
  }
}

export type Prediction = Expected & { observed: number | null; held: boolean | null }

/** What came of it: whether the figure of the 14 days after is in the predicted interval. */
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

/** Whether the subject of advice that was not applied stayed worse (or better) than the others; null without spend. */
export function wasAdviceRight(
  kind: Kind,
  after: { subject: Spent | undefined; others: Spent },
): boolean | null {
  const { subject, others } = after
  if (subject === undefined || subject.spendMinor === 0 || others.spendMinor === 0) return null
  const difference = subject.outcomes / subject.spendMinor - others.outcomes / others.spendMinor
  return kind === 'pause_underperformer' ? difference < 0 : difference > 0
}
