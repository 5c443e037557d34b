/**
 * The prior of a peer group to whose better members the platform gives more exposure. A pooled mean is then the mean of the
 * best, and pulling small members towards it is worse than not pulling at all. So a member's expected rate follows a line
 * over its exposure (logarithms; negative binomial regression). Members stray by a Gamma distribution whose relative
 * variance is estimated by moments.
 */
import type { Counted } from './gamma-poisson.ts'

/** A Gamma distribution: mean shape / rate. */
export type Gamma = { shape: number; rate: number }

export type SteeredPrior = {
  /** From 0 (all that is known is the peer group) to 1 (the peer group no longer matters). */
  reliability: (member: Counted) => number
  posterior: (member: Counted) => Gamma
}

/** Members are never taken to differ by less than a tenth: then a prior would outweigh every observation. */
const MIN_VARIANCE = 0.1 ** 2
const MAX_VARIANCE = 4
/** A slope is taken to be 0 ± 1 before anything is seen. */
const SLOPE_PRECISION = 1
/** Of counts, in Poisson variances: buyers have several outcomes and days have moods, which totals do not show. */
const EXTRA_VARIANCE = 2
/**
 * Exposure follows luck too: a member that began badly by chance is shown less and never recovers. So the line is
 * believed in part, and members stray as far as they do from the peer group's mean, not only from the line.
 */
const TRUSTED_SLOPE = 0.7
const ROUNDS = 12

/** Null where no member has a count. */
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
  const strengthOf = ({ exposure }: Counted) => 1 / (variance * meanOf(Math.log(exposure)))
  return {
    reliability: (member) => member.exposure / (member.exposure + strengthOf(member)),
    posterior: (member) => {
      const strength = strengthOf(member)
      const shape = 1 / variance + member.count
      const rate = strength + member.exposure
      const away = Math.log(member.exposure) - line.center
      const ofLine = 1 / precision.level + away ** 2 / precision.slope
      // What is not known of the line, as far as the member leans on it, relative to the posterior's own variance.
      const leaning = (1 / variance / shape) ** 2 * ofLine * shape
      const wider = EXTRA_VARIANCE + leaning
      return { shape: shape / wider, rate: rate / wider }
    },
  }
}

type Line = { level: number; slope: number; center: number }

/** One step of weighted least squares; the slope is measured from the weighted center, so that it and the level are independent. */
function regress(members: readonly Counted[], x: Float64Array, line: Line, variance: number) {
  let [w, wx, wz] = [0, 0, 0]
  const working = members.map(({ count, exposure }, index) => {
    const eta = line.level + line.slope * (x[index]! - line.center)
    const expected = exposure * Math.exp(eta)
    const weight = expected / (1 + variance * expected)
    // A step of more than this would overshoot.
    const z = eta + Math.min(2, (count - expected) / expected)
    w += weight
    wx += weight * x[index]!
    wz += weight * z
    return { weight, z }
  })
  const [center, level] = [wx / w, wz / w]
  let [across, along] = [0, SLOPE_PRECISION]
  working.forEach(({ weight, z }, index) => {
    across += weight * (x[index]! - center) * (z - level)
    along += weight * (x[index]! - center) ** 2
  })
  const slope = Math.min(2, Math.max(-2, across / along))
  return { line: { level, slope, center }, precision: { level: w, slope: along } }
}

/** By moments, each member weighted by how much it shows of it. */
function relativeVariance(members: readonly Counted[], x: Float64Array, line: Line, before: number): number {
  let [excess, weights] = [0, 0]
  members.forEach(({ count, exposure }, index) => {
    const expected = exposure * Math.exp(line.level + line.slope * (x[index]! - line.center))
    const weight = 1 / (1 + before * expected) ** 2
    excess += weight * ((count - expected) ** 2 - expected)
    weights += weight * expected ** 2
  })
  const few = members.length / Math.max(1, members.length - 2)
  return Math.min(MAX_VARIANCE, Math.max(MIN_VARIANCE, (few * excess) / weights))
}
