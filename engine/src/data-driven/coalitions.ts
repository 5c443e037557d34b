/**
 * How one conversion is divided among the channels of its path, from the value of every part of the path.
 * `shapley` averages a channel's contribution over all orders in which the channels could have joined; `removal` is what
 * is lost when one channel alone is taken away.
 */

/** The value of some of the path's channels, given in the order of the path. */
type Worth<T> = (channels: readonly T[]) => number
type Concept = <T>(path: readonly T[], worth: Worth<T>) => number[]

/** Exact; 2^n values are read for a path of n channels. */
export const shapley: Concept = (path, worth) => {
  const count = path.length
  const values = Array.from({ length: 2 ** count }, (_, part) =>
    worth(path.filter((_, at) => (part >> at) & 1)),
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

export const removal: Concept = (path, worth) => {
  const whole = worth(path)
  if (path.length === 1) return [whole]
  return path.map((_, removed) => whole - worth(path.filter((_, at) => at !== removed)))
}

/** Shares that sum to 1: no channel has less than none, and without any contribution the last channel has all. */
export function toShares(contributions: readonly number[], last = contributions.length - 1): number[] {
  const positive = contributions.map((contribution) => Math.max(contribution, 0))
  const total = positive.reduce((sum, contribution) => sum + contribution, 0)
  return positive.map((contribution, at) => (total > 0 ? contribution / total : at === last ? 1 : 0))
}

/** How likely exactly `size` given channels join before another one, by size. */
function joinWeights(count: number): number[] {
  const weights = [1 / Math.max(count, 1)]
  for (let size = 1; size < count; size++) weights.push((weights[size - 1]! * size) / (count - size))
  return weights
}

export function sizeOf(set: number): number {
  let size = 0
  for (let rest = set; rest > 0; rest &= rest - 1) size++
  return size
}
