/**
 * Rates with uncertainty: counts over exposure, shrunk towards the peer group by empirical Bayes. The peer group's
 * prior is a Gamma distribution with mean and variance estimated from its members by the method of moments.
 */
import { gammaCdf, gammaQuantile } from './distributions.ts'

export type Counted = { count: number; exposure: number }

/**
 * `mean` is the peer group's pooled rate; `strength` is the equivalent exposure of the prior, infinite if members
 * do not differ.
 */
export type RatePrior = { mean: number; strength: number }

export function fitPrior(members: readonly Counted[]): RatePrior {
  const exposed = members.filter(({ exposure }) => exposure > 0)
  const exposure = exposed.reduce((sum, member) => sum + member.exposure, 0)
  const mean = exposure === 0 ? 0 : exposed.reduce((sum, { count }) => sum + count, 0) / exposure
  const squares = exposed.reduce((sum, member) => sum + member.exposure ** 2, 0)
  const spread = exposed.reduce(
    (sum, member) => sum + member.exposure * (member.count / member.exposure - mean) ** 2,
    0,
  )
  const denominator = exposure - squares / exposure
  const variance = denominator > 0 ? Math.max(0, (spread - (exposed.length - 1) * mean) / denominator) : 0
  return { mean, strength: variance > 0 ? mean / variance : Number.POSITIVE_INFINITY }
}

export function shrunkRate(prior: RatePrior, { count, exposure }: Counted): number {
  if (!Number.isFinite(prior.strength)) return prior.mean
  return (prior.mean * prior.strength + count) / (prior.strength + exposure)
}

/** From 0 (only the prior counts) to 1 (only the member's own data counts). */
export const reliability = (prior: RatePrior, exposure: number): number =>
  Number.isFinite(prior.strength) ? exposure / (exposure + prior.strength) : 0

export const peerGroupMedian = (prior: RatePrior): number =>
  Number.isFinite(prior.strength) && prior.mean > 0
    ? gammaQuantile(prior.mean * prior.strength, 0.5) / prior.strength
    : prior.mean

/** Posterior probability that a member's rate is above a threshold; 0.5 if members do not differ. */
export function probabilityAbove(prior: RatePrior, member: Counted, threshold: number): number {
  if (!Number.isFinite(prior.strength) || prior.mean === 0) return 0.5
  const shape = prior.mean * prior.strength + member.count
  return 1 - gammaCdf(shape, threshold * (prior.strength + member.exposure))
}

/** The quantile of a member's rate at this probability. */
export function rateQuantile(prior: RatePrior, member: Counted, probability: number): number {
  if (!Number.isFinite(prior.strength) || prior.mean === 0) return prior.mean
  const shape = prior.mean * prior.strength + member.count
  return gammaQuantile(shape, probability) / (prior.strength + member.exposure)
}
