/**
 * Whether a learned probability deserves to be shown. It is tried on weeks that it has not seen, trained only on weeks
 * whose outcomes were in at least seven days before, and must beat both the base rate and "as last week" by more than
 * chance. What does not is withheld, with the reason.
 */
import { seededRandom } from '../../../../platform/seeded-random.ts'
import { fitEach, fitLogistic, type Logistic, predict } from './logistic.ts'

/** An ad in a week: what was known at its beginning, and what came of it. */
export type Example = {
  /** Whole weeks; the label is about the seven days after the week's last day. */
  week: number
  features: number[]
  label: number
  /** The ad's label of the week before; null where there is none. */
  before: number | null
}

export type WithheldReason = 'insufficient_history' | 'no_skill' | 'miscalibrated'
export type Backtest = {
  status: 'served' | 'withheld'
  reason: WithheldReason | null
  ad_weeks: number
  positives: number
  folds: number
  brier: number | null
  brier_base_rate: number | null
  brier_persistence: number | null
  /** Lower ends of the 90 % intervals of the Brier skill. */
  skill_over_base_rate_low: number | null
  skill_over_persistence_low: number | null
  calibration_slope: number | null
  penalty: number | null
}
export type Learned = { backtest: Backtest; model: Logistic | null }

const MIN_AD_WEEKS = 200
const MIN_POSITIVES = 30
/** The label looks seven days ahead and must have been in for seven more: two whole weeks lie between. */
const EMBARGO_WEEKS = 2
const MIN_TRAINING = 60
const MIN_TRAINING_POSITIVES = 8
const penalties = [1, 10, 100, 1000]
const RESAMPLES = 400
const SLOPE = { low: 0.7, high: 1.4 }

type Tried = { week: number; label: number; chance: number; base: number; persisted: number }

export function learn(examples: readonly Example[], seed: string): Learned {
  const { tried, penalty } = tryForward(examples)
  const backtest = judge(tried, penalty, seed)
  const isServed = backtest.status === 'served' && penalty !== null
  return { backtest, model: isServed ? fit(examples, [penalty])[0]! : null }
}

const fit = (examples: readonly Example[], each: readonly number[]): Logistic[] =>
  fitEach(
    examples.map(({ features }) => features),
    examples.map(({ label }) => label),
    each,
  )

/** Each week in turn is foretold from the weeks before it; the penalty that did best so far foretells the next. */
function tryForward(examples: readonly Example[]): { tried: Tried[]; penalty: number | null } {
  const weeks = [...new Set(examples.map(({ week }) => week))].sort((a, b) => a - b)
  const losses = penalties.map(() => 0)
  const tried: Tried[] = []
  for (const week of weeks) {
    const training = examples.filter((example) => example.week <= week - EMBARGO_WEEKS)
    const positives = training.reduce((sum, { label }) => sum + label, 0)
    const isEnough = training.length >= MIN_TRAINING && positives >= MIN_TRAINING_POSITIVES
    if (!isEnough || positives === training.length) continue
    const tested = examples.filter((example) => example.week === week)
    const models = fit(training, penalties)
    const best = losses.indexOf(Math.min(...losses))
    const base = positives / training.length
    const persistence = persistenceOf(training, base)
    for (const example of tested)
      tried.push({
        week,
        label: example.label,
        chance: predict(models[best]!, example.features),
        base,
        persisted: persistence(example.before),
      })
    models.forEach((model, index) => {
      losses[index]! += tested.reduce(
        (sum, { features, label }) => sum + (predict(model, features) - label) ** 2,
        0,
      )
    })
  }
  return { tried, penalty: tried.length > 0 ? penalties[losses.indexOf(Math.min(...losses))]! : null }
}

/** How often an ad that was (or was not) at the top last week is so again, shrunk to the base rate by one. */
function persistenceOf(training: readonly Example[], base: number): (before: number | null) => number {
  const rateOf = (before: number) => {
    const alike = training.filter((example) => example.before === before)
    return (alike.reduce((sum, { label }) => sum + label, 0) + base) / (alike.length + 1)
  }
  const [low, high] = [rateOf(0), rateOf(1)]
  return (before) => (before === null ? base : before === 1 ? high : low)
}

function judge(tried: readonly Tried[], penalty: number | null, seed: string): Backtest {
  const positives = tried.reduce((sum, { label }) => sum + label, 0)
  const weeks = [...new Set(tried.map(({ week }) => week))]
  const facts = { ad_weeks: tried.length, positives, folds: weeks.length, penalty }
  if (tried.length < MIN_AD_WEEKS || positives < MIN_POSITIVES || weeks.length < 3)
    return {
      ...facts,
      status: 'withheld',
      reason: 'insufficient_history',
      brier: null,
      brier_base_rate: null,
      brier_persistence: null,
      skill_over_base_rate_low: null,
      skill_over_persistence_low: null,
      calibration_slope: null,
    }
  const loss = (pick: (one: Tried) => number) =>
    tried.reduce((sum, one) => sum + (pick(one) - one.label) ** 2, 0) / tried.length
  const skills = resampledSkills(tried, weeks, seed)
  const slope = calibrationSlope(tried)
  const isSkilled = skills.base > 0 && skills.persistence > 0
  const isCalibrated = slope >= SLOPE.low && slope <= SLOPE.high
  return {
    ...facts,
    status: isSkilled && isCalibrated ? 'served' : 'withheld',
    reason: !isSkilled ? 'no_skill' : isCalibrated ? null : 'miscalibrated',
    brier: loss(({ chance }) => chance),
    brier_base_rate: loss(({ base }) => base),
    brier_persistence: loss(({ persisted }) => persisted),
    skill_over_base_rate_low: skills.base,
    skill_over_persistence_low: skills.persistence,
    calibration_slope: slope,
  }
}

/** Ads of one week share its weather, so whole weeks are drawn. */
function resampledSkills(tried: readonly Tried[], weeks: readonly number[], seed: string) {
  const sums = weeks.map((week) => {
    const own = tried.filter((one) => one.week === week)
    const loss = (pick: (one: Tried) => number) =>
      own.reduce((sum, one) => sum + (pick(one) - one.label) ** 2, 0)
    return {
      model: loss((one) => one.chance),
      base: loss((one) => one.base),
      persistence: loss((one) => one.persisted),
    }
  })
  const random = seededRandom(seed, 'skill')
  const drawn = Array.from({ length: RESAMPLES }, () => {
    const total = { model: 0, base: 0, persistence: 0 }
    for (let draw = 0; draw < sums.length; draw++) {
      const week = random.pick(sums)
      total.model += week.model
      total.base += week.base
      total.persistence += week.persistence
    }
    return { base: 1 - total.model / total.base, persistence: 1 - total.model / total.persistence }
  })
  const low = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(RESAMPLES * 0.05)]!
  return {
    base: low(drawn.map(({ base }) => base)),
    persistence: low(drawn.map(({ persistence }) => persistence)),
  }
}

/** 1 where a foretold log-odds is worth what it says; below, the model is too sure of itself. */
function calibrationSlope(tried: readonly Tried[]): number {
  const odds = tried.map(({ chance }) => {
    const kept = Math.min(1 - 1e-6, Math.max(1e-6, chance))
    return [Math.log(kept / (1 - kept))]
  })
  const fitted = fitLogistic(
    odds,
    tried.map(({ label }) => label),
    1e-6,
  )
  return fitted.weights[0]! / fitted.deviations[0]!
}
