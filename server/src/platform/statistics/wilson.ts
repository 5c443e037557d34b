import { normalQuantile } from './distributions.ts'

/** A 95 % interval of a share that stays within 0 and 1 and is honest about few (Wilson 1927). */
export function wilson(wins: number, of: number): [number, number] {
  const z = normalQuantile(0.975)
  const centre = (wins + (z * z) / 2) / (of + z * z)
  const margin = (z / (of + z * z)) * Math.sqrt((wins * (of - wins)) / of + (z * z) / 4)
  return [Math.max(0, centre - margin), Math.min(1, centre + margin)]
}
