/**
 * Divides a conversion among the channels of its path, from the value of every coalition (subset of channels).
 * `shapley` averages a channel's marginal contribution over all orders of joining; `removal` is the loss when only that
 * channel is removed.
 */

/** The value of a coalition; the channels are in path order. */
type CoalitionValue<T> = (channels: readonly T[]) => number
type SolutionConcept = <T>(path: readonly T[], coalitionValue: CoalitionValue<T>) => number[]

/** Exact Shapley values; evaluates 2^n coalitions for a path of n channels. */
export const shapley: SolutionConcept = (path, coalitionValue) => {
  const count = path.length
  const values = Array.from({ length: 2 ** count }, (_, part) =>
    coalitionValue(path.filter((_, at) => (part >> at) & 1)),
  )
  const weights = joinWeights(count)
  const contributions = path.map(() => 0)
  for (let part = 0; part < values.length; part++) {
    const weight = weights[sizeOf(part)]!
    for (let at = 0; at < count; at++)
      if (((part >> at) & 1) === 0) contributions[at]! += weight * (values[part | (1 << at)]! - values[part]!)
  }
  return contributions
}

export const removal: SolutionConcept = (path, coalitionValue) => {
  const totalValue = coalitionValue(path)
  if (path.length === 1) return [totalValue]
  return path.map((_, removed) => totalValue - coalitionValue(path.filter((_, at) => at !== removed)))
}

/** Shares that sum to 1. Negative contributions count as 0; without any contribution the last channel gets all. */
export function toShares(contributions: readonly number[], last = contributions.length - 1): number[] {
  const positive = contributions.map((contribution) => Math.max(contribution, 0))
  const total = positive.reduce((sum, contribution) => sum + contribution, 0)
  return positive.map((contribution, at) => (total > 0 ? contribution / total : at === last ? 1 : 0))
}

/** By size: the probability that exactly a given coalition of that size joins before another channel. */
function joinWeights(count: number): number[] {
  const weights = [1 / Math.max(count, 1)]
  for (let size = 1; size < count; size++) weights.push((weights[size - 1]! * size) / (count - size))
  return weights
}

export function sizeOf(set: number): number {
  let size = 0
  for (let remainingBits = set; remainingBits > 0; remainingBits &= remainingBits - 1) size++
  return size
}
