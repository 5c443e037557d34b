/**
 * Decides whether a learned probability is served. Walk-forward validation: each week is predicted by a model trained
 * only on weeks whose outcomes had settled at least seven days before. The model must beat both the base rate and
 * persistence ("as last week") beyond chance and be calibrated; otherwise it is withheld with a reason.
 */
import { seededRandom } from '../../../../platform/seeded-random.ts'
import { fitEach, fitLogistic, type Logistic, predict } from './logistic.ts'

/** An ad in a week: features at its beginning, and the outcome as label. */
export type Example = {
  /** Whole weeks; the label is about the seven days after the week's last day. */
  week: number
  features: number[]
  label: number
  /** The ad's label of the previous week; null without one. */
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
  /** Lower bounds of the 90 % intervals of the Brier skill. */
  skill_over_base_rate_low: number | null
  skill_over_persistence_low: number | null
  calibration_slope: number | null
  penalty: number | null
}
export type Learned = { backtest: Backtest; model: Logistic | null }

const MIN_AD_WEEKS = 200
const MIN_POSITIVES = 30
/** The label covers the next seven days and must have settled for seven more: an embargo of two weeks. */
const EMBARGO_WEEKS = 2
const MIN_TRAINING = 60
const MIN_TRAINING_POSITIVES = 8
const penalties = [1, 10, 100, 1000]
const RESAMPLES = 400
const SLOPE = { low: 0.7, high: 1.4 }

type TestedExample = { week: number; label: number; chance: number; base: number; persisted: number }

export function learn(examples: readonly Example[], seed: string): Learned {
  const { tried, penalty } = walkForward(examples)
  const backtest = evaluate(tried, penalty, seed)
  const isServed = backtest.status === 'served' && penalty !== null
  return { backtest, model: isServed ? fit(examples, [penalty])[0]! : null }
}

const fit = (examples: readonly Example[], penaltyValues: readonly number[]): Logistic[] =>
  fitEach(
    examples.map(({ features }) => features),
    examples.map(({ label }) => label),
    penaltyValues,
  )

/** Predicts each week from the weeks before it, with the penalty that has performed best so far. */
function walkForward(examples: readonly Example[]): { tried: TestedExample[]; penalty: number | null } {
  const weeks = [...new Set(examples.map(({ week }) => week))].sort((a, b) => a - b)
  const losses = penalties.map(() => 0)
  const tried: TestedExample[] = []
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

/** Rate of positives among ads with the same label last week, shrunk to the base rate by one pseudo-observation. */
function persistenceOf(training: readonly Example[], base: number): (before: number | null) => number {
  const rateOf = (before: number) => {
    const matching = training.filter((example) => example.before === before)
    return (matching.reduce((sum, { label }) => sum + label, 0) + base) / (matching.length + 1)
  }
  const [low, high] = [rateOf(0), rateOf(1)]
  return (before) => (before === null ? base : before === 1 ? high : low)
}

function evaluate(tried: readonly TestedExample[], penalty: number | null, seed: string): Backtest {
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
  const loss = (pick: (example: TestedExample) => number) =>
    tried.reduce((sum, example) => sum + (pick(example) - example.label) ** 2, 0) / tried.length
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

/** Block bootstrap over whole weeks, because ads of one week are correlated. */
function resampledSkills(tried: readonly TestedExample[], weeks: readonly number[], seed: string) {
  const sums = weeks.map((week) => {
    const weekExamples = tried.filter((example) => example.week === week)
    const loss = (pick: (example: TestedExample) => number) =>
      weekExamples.reduce((sum, example) => sum + (pick(example) - example.label) ** 2, 0)
    return {
      model: loss((example) => example.chance),
      base: loss((example) => example.base),
      persistence: loss((example) => example.persisted),
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

/** Slope of the logistic recalibration: 1 is calibrated, below 1 the model is overconfident. */
function calibrationSlope(tried: readonly TestedExample[]): number {
  const odds = tried.map(({ chance }) => {
    const clamped = Math.min(1 - 1e-6, Math.max(1e-6, chance))
    return [Math.log(clamped / (1 - clamped))]
  })
  const fitted = fitLogistic(
    odds,
    tried.map(({ label }) => label),
    1e-6,
  )
  return fitted.weights[0]! / fitted.deviations[0]!
}
