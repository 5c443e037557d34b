/**
 * Prior for a peer group in which the platform gives better members more exposure. The pooled mean is then
 * dominated by the best, and shrinking small members towards it is worse than no shrinkage. So a member's expected
 * rate is log-linear in its exposure (negative binomial regression). Members deviate by a Gamma distribution whose
 * relative variance is estimated by moments.
 */
import type { Counted } from './gamma-poisson.ts'

/** A Gamma distribution: mean shape / rate. */
export type Gamma = { shape: number; rate: number }

export type SteeredPrior = {
  /** From 0 (all that is known is the peer group) to 1 (the peer group no longer matters). */
  reliability: (member: Counted) => number
  posterior: (member: Counted) => Gamma
}

/** Lower bound: members differ by at least a tenth, otherwise the prior would outweigh every observation. */
const MIN_VARIANCE = 0.1 ** 2
/** Divided by the number of members: a few members cannot prove that they are alike, so their prior is worth few outcomes: at
 * most 11 for three, 24 for eight. */
const VARIANCE_OF_FEW = 0.25
const MAX_VARIANCE = 4
/** Prior of the slope: 0 ± 1. */
const SLOPE_PRECISION = 1
/**
 * Overdispersion of counts in Poisson variances: buyers have several outcomes and days vary together, which totals
 * do not show.
 */
const EXTRA_VARIANCE = 2
/**
 * Exposure also follows chance: a member that started badly by chance gets less exposure and never recovers. So the
 * slope is only partly trusted, and the members' variance is measured from the peer group's mean, not from the
 * line.
 */
const TRUSTED_SLOPE = 0.7
/** Maximum shrinkage of a member in its own standard errors, because a member far from the others may truly differ. */
const MAX_PULL = 1
const ROUNDS = 12

/** Null if no member has a count. */
export function fitSteeredPrior(members: readonly Counted[]): SteeredPrior | null {
  const exposed = members.filter(({ exposure }) => exposure > 0)
  const counts = exposed.reduce((sum, { count }) => sum + count, 0)
  if (counts === 0) return null
  const x = Float64Array.from(exposed, ({ exposure }) => Math.log(exposure))
  const center = x.reduce((sum, value) => sum + value, 0) / x.length
  const total = exposed.reduce((sum, { exposure }) => sum + exposure, 0)
  let line: Line = { level: Math.log(counts / total), slope: 0, center }
  let variance = 0.25
  for (let round = 0; round < ROUNDS; round++) {
    line = { ...regress(exposed, x, line, variance).line, slope: 0 }
    variance = relativeVariance(exposed, x, line, variance)
  }
  let precision = { level: 1, slope: 1 }
  for (let round = 0; round < ROUNDS; round++) ({ line, precision } = regress(exposed, x, line, variance))
  line = { ...line, slope: TRUSTED_SLOPE * line.slope }
  const meanOf = (logExposure: number) => Math.exp(line.level + line.slope * (logExposure - line.center))
  const strengthOf = ({ count, exposure }: Counted) => {
    const mean = meanOf(Math.log(exposure))
    const strength = 1 / (variance * mean)
    const pull = (MAX_PULL * Math.sqrt(count + 1)) / Math.abs(exposure * mean - count)
    return pull < 1 ? Math.min(strength, (exposure * pull) / (1 - pull)) : strength
  }
  const smallSampleFactor = 1 + 1 / exposed.length
  return {
    reliability: (member) => member.exposure / (member.exposure + strengthOf(member)),
    posterior: (member) => {
      const strength = strengthOf(member)
      const prior = strength * meanOf(Math.log(member.exposure))
      const shape = prior + member.count
      const rate = strength + member.exposure
      const distance = Math.log(member.exposure) - line.center
      const lineVariance = 1 / precision.level + distance ** 2 / precision.slope
      // Uncertainty of the line, weighted by the member's dependence on it, relative to the posterior's own variance.
      const lineUncertainty = (prior / shape) ** 2 * lineVariance * shape
      const inflation = EXTRA_VARIANCE * smallSampleFactor + lineUncertainty
      return { shape: shape / inflation, rate: rate / inflation }
    },
  }
}

type Line = { level: number; slope: number; center: number }

/**
 * One step of Fisher scoring; the slope is measured from the weighted center, so that it and the level are
 * independent.
 */
function regress(members: readonly Counted[], x: Float64Array, line: Line, variance: number) {
  let [w, wx, pull] = [0, 0, 0]
  const working = members.map(({ count, exposure }, index) => {
    const expected = exposure * Math.exp(line.level + line.slope * (x[index]! - line.center))
    const weight = expected / (1 + variance * expected)
    const gap = (count - expected) / (1 + variance * expected)
    w += weight
    wx += weight * x[index]!
    pull += gap
    return { weight, gap }
  })
  const center = wx / w
  let [across, along] = [0, SLOPE_PRECISION]
  working.forEach(({ weight, gap }, index) => {
    across += (x[index]! - center) * gap
    along += weight * (x[index]! - center) ** 2
  })
  across -= SLOPE_PRECISION * line.slope
  // A longer step would overshoot; limiting individual members instead would bias the line against the largest.
  const step = (value: number) => Math.min(1, Math.max(-1, value))
  const slope = Math.min(2, Math.max(-2, line.slope + step(across / along)))
  const level = line.level + line.slope * (center - line.center) + step(pull / w)
  return { line: { level, slope, center }, precision: { level: w, slope: along } }
}

/** Method of moments, each member weighted by its information. */
function relativeVariance(members: readonly Counted[], x: Float64Array, line: Line, before: number): number {
  let [excess, weights] = [0, 0]
  members.forEach(({ count, exposure }, index) => {
    const expected = exposure * Math.exp(line.level + line.slope * (x[index]! - line.center))
    const weight = 1 / (1 + before * expected) ** 2
    excess += weight * ((count - expected) ** 2 - expected)
    weights += weight * expected ** 2
  })
  const degreesCorrection = members.length / Math.max(1, members.length - 2)
  const least = MIN_VARIANCE + VARIANCE_OF_FEW / members.length
  return Math.min(MAX_VARIANCE, Math.max(least, (degreesCorrection * excess) / weights))
}
