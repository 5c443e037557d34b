/** Daily counts of an event, with the shapes that a shop's days have, into which a stop can be planted. */
import { seededRandom } from '../../src/platform/seeded-random.ts'
import { drawPoisson, drawSeries } from './chance.ts'

export type CountWorld = {
  days: number
  /** Average per day. */
  rate: number
  /** Level of Saturday and Sunday relative to the other days. */
  weekend?: number
  /** Deviation of the daily level, and its autocorrelation. */
  noise?: number
  rho?: number
  /** Relative growth per day. */
  growth?: number
  /** Level during a week of sale, which every fifth week is. */
  sale?: number
  /** Probability that a day is a holiday with a tenth of the usual events. */
  holidays?: number
  /** Probability of a day with ten times the usual events. */
  bursts?: number
  /** Events arrive in groups of this size. */
  groups?: number
}

export function plantDays(world: CountWorld, seed: number): number[] {
  const random = seededRandom('stops', JSON.stringify(world), seed)
  const noise = drawSeries(random, world.days, world.noise ?? 0, world.rho ?? 0)
  const firstWeekday = random.int(0, 6)
  const firstSale = random.int(0, 34)
  const { weekend = 1, groups = 1 } = world
  const weekday = (world.rate * 7) / (5 + 2 * weekend)
  return noise.map((stray, day) => {
    const isWeekend = (day + firstWeekday) % 7 > 4
    const isSale = (day + firstSale) % 35 < 7
    const isHoliday = random.chance(world.holidays ?? 0)
    const isBurst = random.chance(world.bursts ?? 0)
    const mean =
      weekday *
      (isWeekend ? weekend : 1) *
      (isSale ? (world.sale ?? 1) : 1) *
      (isHoliday ? 0.1 : 1) *
      (isBurst ? 10 : 1) *
      Math.exp(stray + (world.growth ?? 0) * day)
    return drawPoisson(random, mean / groups) * groups
  })
}

type Kinds = Record<string, Omit<CountWorld, 'days' | 'rate'>>

/**
 * The rule is tested on these. Its thresholds were chosen on others: even days, weekends at 0.3, days with noise 0.3, and
 * a drifting level (noise 0.4, rho 0.8).
 */
export const provingKinds: Kinds = {
  'closed weekends': { weekend: 0 },
  'almost closed weekends, noisy': { weekend: 0.1, noise: 0.2 },
  'busy weekends': { weekend: 2, noise: 0.2, rho: 0.5 },
  'decline of 1 % a day': { growth: -0.01 },
  'a week of sale': { sale: 3, noise: 0.2 },
  holidays: { holidays: 0.03, weekend: 0.5 },
  bursts: { bursts: 0.03 },
  'orders in groups of three': { groups: 3 },
  'slow waves': { noise: 0.5, rho: 0.95 },
}
