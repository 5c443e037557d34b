/** Campaigns with known true outcomes per spend, by day. */
import {
  type CampaignFacts,
  dueSpend,
  HISTORY_DAYS,
} from '../../src/features/advice/recommendations/rules.ts'
import { type Random, seededRandom } from '../../src/platform/seeded-random.ts'
import { drawNormal, drawPoisson, drawSeries } from './chance.ts'

export const PLANTED_NOW = new Date('2026-11-16T09:00:00Z')
const WINDOW = 28
const DAYS = HISTORY_DAYS

/** Sources of overdispersion of real accounts, compared with Poisson counts. */
export type DayKind = {
  /** Outcomes per buyer on the same day. */
  perBuyer?: number
  /** Standard deviation of the logarithm of a day's rate, per campaign. */
  dayNoise?: number
  /** Autocorrelation of the day noise. */
  rho?: number
  /** Days without spend: Saturday and Sunday. */
  weekendsOff?: boolean
  /** Mean days from click to outcome. */
  delayDays?: number
  /** Daily growth of spend: delivery that the platform shifts to some campaigns. */
  growth?: (campaign: number) => number
}

export type PlantedWorld = DayKind & {
  seed: number | string
  count?: number
  /** Cost per outcome. */
  costMinor?: number
  /** True rate of a campaign, relative to the peer group's. */
  factor?: (campaign: number) => number
}

export function plantCampaigns(world: PlantedWorld): CampaignFacts[] {
  const { seed, count = 8 } = world
  const random = seededRandom('campaigns', seed)
  return Array.from({ length: count }, (_, index) => {
    const usual = (250_000 / WINDOW) * Math.exp(0.6 * drawNormal(random))
    const days = plantDays(random, world, index, usual)
    const window = days.slice(-WINDOW)
    const sum = (select: (day: (typeof days)[number]) => number) =>
      window.reduce((total, day) => total + select(day), 0)
    const spendMinor = sum((day) => day.spendMinor)
    return {
      id: `c${index}`,
      platformId: String(1000 + index),
      name: `Campaign ${index}`,
      provider: 'social_ads',
      objective: 'SALES',
      isRunning: true,
      isBrandSearch: false,
      outcomeName: 'payments' as const,
      dailyBudgetMinor: Math.round(spendMinor / WINDOW),
      spendMinor,
      exposureMinor: sum((day) => day.exposureMinor),
      outcomes: sum((day) => day.outcomes),
      days,
      unchangedSince: new Date('2026-10-01T00:00:00Z'),
    }
  })
}

function plantDays(random: Random, world: PlantedWorld, index: number, usual: number) {
  const { costMinor = 6000, factor = () => 1, perBuyer = 1, dayNoise = 0, rho = 0, delayDays = 0 } = world
  const growth = world.growth?.(index) ?? 0
  // Outcomes of earlier clicks still arrive in the history.
  const before = delayDays > 0 ? 60 : 0
  const all = before + DAYS
  const noise = drawSeries(random, all, dayNoise, rho)
  const outcomes = Array.from({ length: all }, () => 0)
  const spend = noise.map((_, day) => {
    const isOff = world.weekendsOff === true && (day + 6) % 7 >= 5
    const level = usual * (1 + growth) ** (day - all + WINDOW)
    return isOff ? 0 : Math.round(level * Math.exp(0.1 * drawNormal(random)))
  })
  spend.forEach((minor, day) => {
    const rate = (factor(index) / costMinor / perBuyer) * Math.exp(noise[day]! - dayNoise ** 2 / 2)
    for (let buyer = drawPoisson(random, minor * rate); buyer > 0; buyer--) {
      const lag = delayDays === 0 ? 0 : Math.floor(-delayDays * Math.log(1 - random.next()))
      if (day + lag < all) outcomes[day + lag]! += perBuyer
    }
  })
  const within = Array.from({ length: 61 }, (_, lag) =>
    delayDays === 0 ? 1 : 1 - Math.exp(-(lag + 1) / delayDays),
  )
  const due = dueSpend(spend, within)
  return spend
    .map((spendMinor, day) => ({ spendMinor, exposureMinor: due[day]!, outcomes: outcomes[day]! }))
    .slice(before)
}
