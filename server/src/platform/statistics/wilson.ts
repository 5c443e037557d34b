import { normalQuantile } from './distributions.ts'

/** Wilson score interval (95 %) of a share: within 0 and 1, and valid for small samples (Wilson 1927). */
export function wilson(wins: number, total: number): [number, number] {
  const z = normalQuantile(0.975)
  const centre = (wins + (z * z) / 2) / (total + z * z)
  const margin = (z / (total + z * z)) * Math.sqrt((wins * (total - wins)) / total + (z * z) / 4)
  return [Math.max(0, centre - margin), Math.min(1, centre + margin)]
}
