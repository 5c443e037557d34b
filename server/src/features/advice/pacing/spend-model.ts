/**
 * Spend forecast. The logarithm of a day's spend is a weekday effect plus a level that may be constant, follow a random
 * walk, drift, or have an autocorrelated component ("mood"). These variants are weighted by how well each predicted the
 * account's past days (Bayesian model averaging over Kalman filters). Weekdays that are switched off are zero, not small.
 */
import { dayNumber } from '../../../platform/contract/dates.ts'
import { normalCdf } from '../../../platform/statistics/distributions.ts'

export type DaySpend = { day: string; minor: number }
/** Forecast per day, and quantiles of the sum of the days. */
export type SumForecast = { days: DaySpend[]; quantile: (probability: number) => number }

const WEEK = 7
/** A day below this share of the median spend was switched off. */
const OFF_BELOW = 0.05
/** Weight of a weekday that was on the week before last and off last week: an outage is as likely as a switch. */
const UNCLEAR_SHARE = 0.5

export const weekdayOf = (day: string): number => (((dayNumber(day) + 4) % WEEK) + WEEK) % WEEK

export type SpendModel = {
  on: number[]
  effects: number[]
  fits: Fit[]
  last: string
  /** Mean of the last seven days. */
  lastWeek: number
  perWeekday: number
}

/** Null without any spend. `history`: every settled day in order, from the first with spend. */
export function fitSpendModel(history: readonly DaySpend[]): SpendModel | null {
  const usual = median(history.filter(({ minor }) => minor > 0).map(({ minor }) => minor))
  if (usual === null) return null
  const logs = history.map(({ minor }) => (minor < OFF_BELOW * usual ? null : Math.log(minor)))
  const weekdays = history.map(({ day }) => weekdayOf(day))
  const effects = weekdayEffects(logs, weekdays)
  const plain = logs.map((value, index) => (value === null ? null : value - effects[weekdays[index]!]!))
  return {
    on: switchedOn(logs, weekdays),
    effects,
    fits: fitAll(plain),
    last: history.at(-1)!.day,
    lastWeek: history.slice(-WEEK).reduce((sum, { minor }) => sum + minor, 0) / WEEK,
    perWeekday: Math.max(1, history.length / WEEK - 1),
  }
}

/** Probability per weekday that it runs: 1 if on, 0 if off. */
function switchedOn(logs: readonly (number | null)[], weekdays: readonly number[]): number[] {
  return Array.from({ length: WEEK }, (_, weekday) => {
    const weekdayLogs = logs.filter((_, index) => weekdays[index] === weekday)
    const [last, before] = [weekdayLogs.at(-1), weekdayLogs.at(-2)]
    if (last !== null && last !== undefined) return 1
    if (last === undefined) return 1
    return before === null || before === undefined ? 0 : UNCLEAR_SHARE
  })
}

/** Median distance of a day from the mean of the week around it, shrunk to zero with few observations. */
function weekdayEffects(logs: readonly (number | null)[], weekdays: readonly number[]): number[] {
  const distances: number[][] = Array.from({ length: WEEK }, () => [])
  for (let index = 3; index < logs.length - 3; index++) {
    const around = logs.slice(index - 3, index + 4).filter((value) => value !== null)
    const log = logs[index]!
    if (log === null || around.length < 4) continue
    distances[weekdays[index]!]!.push(log - around.reduce((sum, value) => sum + value, 0) / around.length)
  }
  const effects = distances.map((list) => ((median(list) ?? 0) * list.length) / (list.length + 1))
  const running = effects.filter((_, weekday) => distances[weekday]!.length > 0)
  const mean = running.reduce((sum, effect) => sum + effect, 0) / Math.max(1, running.length)
  return effects.map((effect, weekday) => (distances[weekday]!.length > 0 ? effect - mean : 0))
}

/** Variances relative to the daily noise: level step, autocorrelated component ("mood") and daily drift. */
type Shape = { step: number; mood: number; drift: number }
const shapes: readonly Shape[] = [0, 0.01, 0.1, 0.5].flatMap((step) =>
  // No drift together with steps: a random walk often looks like a drift.
  [0, 1, 10].flatMap((mood) => (step > 0 ? [0] : [0, 0.01]).map((drift) => ({ step, mood, drift }))),
)
/** Prior odds against each additional degree of freedom: constant levels are the most frequent. */
const PRIOR_ODDS = 3
/** Prior odds against a drift: a real one is obvious within months, but a random walk often looks like one. */
const PRIOR_ODDS_DRIFT = 10
/** Calibration of interval widths: averaging makes some too wide; steps and drifts are underestimated. */
const WIDTH = { still: 0.95, mood: 0.86, drift: 1.05, step: 1.15 }
const MAX_RECENT_SHARE = 0.5
/** Autocorrelation of the mood from one day to the next. */
const MOOD_KEEPS = 0.7
/** Errors are clipped at this number of standard deviations, so that outliers do not move the level too far. */
const CLIP = 6

/** Level, drift and mood, and their covariances (l level, d drift, m mood). */
type State = {
  level: number
  drift: number
  mood: number
  ll: number
  ld: number
  lm: number
  dd: number
  dm: number
  mm: number
}
type Fit = { shape: Shape; weight: number; noise: number; state: State }

function fitAll(plain: readonly (number | null)[]): Fit[] {
  const fits = shapes.map((shape) => filter(plain, shape))
  const best = Math.max(...fits.map(({ logLikelihood }) => logLikelihood))
  const weights = fits.map(({ logLikelihood, shape: { step, mood, drift } }) => {
    const extraParameters = Number(step > 0) + Number(mood > 0)
    return Math.exp(logLikelihood - best) / PRIOR_ODDS ** extraParameters / (drift > 0 ? PRIOR_ODDS_DRIFT : 1)
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return fits.map(({ logLikelihood: _, ...fit }, index) => ({ ...fit, weight: weights[index]! / total }))
}

/** Kalman filter over the series; the variance of the daily noise is estimated from all of it. */
function filter(plain: readonly (number | null)[], shape: Shape) {
  const values = plain.filter((value) => value !== null)
  const start = values.slice(0, WEEK).reduce((sum, value) => sum + value, 0) / Math.min(WEEK, values.length)
  let state: State = {
    level: start,
    drift: 0,
    mood: 0,
    ll: 10,
    ld: 0,
    lm: 0,
    dd: shape.drift,
    dm: 0,
    mm: shape.mood,
  }
  let [squares, logs, count] = [0, 0, 0]
  let noise = roughNoise(plain)
  for (const value of plain) {
    if (count > 0) state = advance(state, shape)
    if (value === null) continue
    const spread = state.ll + 2 * state.lm + state.mm + 1
    const limit = CLIP * Math.sqrt(noise * spread)
    const error = Math.max(-limit, Math.min(limit, value - state.level - state.mood))
    if (count > 0) {
      squares += error ** 2 / spread
      logs += Math.log(spread)
    }
    count++
    state = update(state, error, spread)
    if (count > WEEK) noise = Math.max(1e-8, squares / (count - 1))
  }
  const degrees = Math.max(1, count - 1)
  noise = Math.max(1e-8, squares / degrees)
  return { shape, state, noise, logLikelihood: -(degrees * Math.log(noise) + logs) / 2 }
}

/** Measurement update. */
function update(state: State, error: number, spread: number): State {
  const [l, d, m] = [state.ll + state.lm, state.ld + state.dm, state.lm + state.mm]
  return {
    level: state.level + (l / spread) * error,
    drift: state.drift + (d / spread) * error,
    mood: state.mood + (m / spread) * error,
    ll: state.ll - (l * l) / spread,
    ld: state.ld - (l * d) / spread,
    lm: state.lm - (l * m) / spread,
    dd: state.dd - (d * d) / spread,
    dm: state.dm - (d * m) / spread,
    mm: state.mm - (m * m) / spread,
  }
}

/** Initial estimate of the daily noise from the median step between days. */
function roughNoise(plain: readonly (number | null)[]): number {
  const steps = plain.flatMap((value, index) => {
    const before = plain[index - 1]
    return value === null || before === null || before === undefined ? [] : [Math.abs(value - before)]
  })
  return Math.max(1e-8, ((median(steps) ?? 0.2) * 1.05) ** 2)
}

/** Time update by one day: the level adds drift and step, the mood decays. */
function advance(state: State, { step, mood }: Shape): State {
  return {
    level: state.level + state.drift,
    drift: state.drift,
    mood: MOOD_KEEPS * state.mood,
    ll: state.ll + 2 * state.ld + state.dd + step,
    ld: state.ld + state.dd,
    lm: MOOD_KEEPS * (state.lm + state.dm),
    dd: state.dd,
    dm: MOOD_KEEPS * state.dm,
    mm: MOOD_KEEPS ** 2 * state.mm + mood * (1 - MOOD_KEEPS ** 2),
  }
}

/** Forecast of days after the history; `atMost` caps each day. */
export function forecastSpend(
  model: SpendModel,
  days: readonly string[],
  atMost = Number.POSITIVE_INFINITY,
): SumForecast {
  const forecasts = model.fits
    .filter(({ weight }) => weight > 1e-3)
    .map((fit) => forecastWith(model, fit, days, atMost))
  const total = forecasts.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (index: number) =>
    forecasts.reduce((sum, { weight, values }) => sum + (weight / total) * values[index]!, 0)
  const below = (value: number) =>
    forecasts.reduce((sum, part) => sum + (part.weight / total) * part.below(value), 0)
  const top = forecasts.reduce((most, { sum, deviation }) => Math.max(most, sum * Math.exp(6 * deviation)), 0)
  const sum = days.reduce((total, _, index) => total + mean(index), 0)
  const factor =
    sum === 0 ? 1 : 1 + recentShare(model) * ((Math.min(atMost, model.lastWeek) * days.length) / sum - 1)
  return {
    days: days.map((day, index) => ({ day, minor: mean(index) * factor })),
    quantile: (probability) => (top === 0 ? 0 : bisect(below, probability, top) * factor),
  }
}

/** Weight of the last week's mean in the forecast, for levels with steps: it follows a jump immediately. */
const recentShare = ({ fits }: SpendModel): number =>
  MAX_RECENT_SHARE * fits.reduce((sum, { shape, weight }) => sum + (shape.step >= 0.1 ? weight : 0), 0)

function forecastWith(model: SpendModel, fit: Fit, days: readonly string[], atMost: number) {
  const horizon = days.length === 0 ? 0 : dayNumber(days.at(-1)!) - dayNumber(model.last)
  const states: State[] = []
  for (let step = 1; step <= horizon; step++) states.push(advance(states.at(-1) ?? fit.state, fit.shape))
  const stepOf = (day: string) => dayNumber(day) - dayNumber(model.last)
  const values = days.map((day) => {
    const weekday = weekdayOf(day)
    const { level, mood } = states[stepOf(day) - 1]!
    return Math.min(
      atMost,
      model.on[weekday]! * Math.exp(level + mood + model.effects[weekday]! + fit.noise / 2),
    )
  })
  const sum = values.reduce((total, value) => total + value, 0)
  const variance = sumVariance(days.map(stepOf), values, states) + weekdayVariance(model, days, values)
  const width = WIDTH[kindOf(fit.shape)]
  const deviation = sum === 0 ? 0 : (width * Math.sqrt(fit.noise * variance)) / sum
  return {
    weight: fit.weight,
    values,
    sum,
    deviation,
    below: (value: number) =>
      value <= 0 ? 0 : deviation === 0 ? Number(value >= sum) : normalCdf(Math.log(value / sum) / deviation),
  }
}

const kindOf = ({ step, drift, mood }: Shape): keyof typeof WIDTH =>
  mood > 0 ? (step > 0.01 ? 'drift' : 'mood') : step > 0 ? 'step' : drift > 0 ? 'drift' : 'still'

/** Variance of the sum relative to the daily noise: uncertainty of level, steps, drift and mood, plus the noise of each day. */
function sumVariance(steps: readonly number[], values: readonly number[], states: readonly State[]): number {
  let variance = 0
  steps.forEach((step, index) => {
    const { ll, ld, lm, dm, mm } = states[step - 1]!
    variance += values[index]! ** 2
    for (let later = index; later < steps.length; later++) {
      const distance = steps[later]! - step
      // Errors of the first day's level, drift and mood carry over to the later day.
      const shared = ll + lm + (ld + dm) * distance + (lm + mm) * MOOD_KEEPS ** distance
      variance += (later === index ? 1 : 2) * values[index]! * values[later]! * shared
    }
  })
  return variance
}

/** The variance of a median of n weeks is that of a mean of two thirds of them. Over whole weeks these errors cancel. */
function weekdayVariance(model: SpendModel, days: readonly string[], values: readonly number[]): number {
  const sums = Array.from({ length: WEEK }, () => 0)
  days.forEach((day, index) => {
    sums[weekdayOf(day)]! += values[index]!
  })
  const running = sums.filter((_, weekday) => model.on[weekday]! > 0)
  const mean = running.reduce((sum, value) => sum + value, 0) / Math.max(1, running.length)
  return running.reduce((sum, value) => sum + (value - mean) ** 2, 0) * (Math.PI / 2 / model.perWeekday)
}

function bisect(below: (value: number) => number, probability: number, top: number): number {
  let [low, high] = [0, top]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (below(middle) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

export function median(list: readonly number[]): number | null {
  if (list.length === 0) return null
  const sorted = list.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
