/** Ads with known true rates, where better ads are shown more often, as on platforms. */
import type { AdCounts } from '../../src/features/advice/top-performers/score/counts.ts'
import { type Random, seededRandom } from '../../src/platform/seeded-random.ts'
import { makeCounts } from './ads.ts'
import { drawNormal, drawPoisson } from './chance.ts'

export type SteeredWorld = {
  ads?: number
  /** Standard deviation of the logarithm of the true rates. */
  deviation?: number
  heavyTails?: boolean
  /** Clicks are proportional to this power of the true rate. */
  power?: number
  /** Clicks of each of 28 days are proportional to this power of the rate observed so far. */
  learning?: number
  /** Clicks of the smallest ad before steering; the largest has e² times as many. */
  clicks?: number
  /** Deviation of the random walk of the rate over 28 days; the truth is their mean. */
  drift?: number
  /** Outcomes come two at a time. */
  twoAtOnce?: boolean
  meanRate?: number
}

type Drawn = { clicks: number; sales: number }
const LEARNING_DAYS = 28

export function steeredAds(
  seed: string | number,
  world: SteeredWorld,
): { truth: number; counts: AdCounts }[] {
  const random = seededRandom('steered ads', seed)
  const { ads = 60, meanRate = 0.03 } = world
  const truths = Array.from({ length: ads }, () => drawTruth(random, world, meanRate))
  const drawn = drawFor(random, truths, world)
  return truths.map((truth, index) => ({
    truth,
    counts: toCounts(index, drawn[index]!),
  }))
}

function drawTruth(random: Random, { deviation = 0.5, heavyTails }: SteeredWorld, meanRate: number): number {
  const normal = drawNormal(random)
  const squares = heavyTails ? [0, 0, 0, 0].reduce((sum) => sum + drawNormal(random) ** 2, 0) / 4 : 1
  return meanRate * Math.min(20, Math.exp((deviation * normal) / Math.sqrt(squares) - deviation ** 2 / 2))
}

function drawFor(random: Random, truths: readonly number[], world: SteeredWorld): Drawn[] {
  if (world.learning !== undefined) return byLuck(random, truths, world)
  return world.drift === undefined
    ? byTruth(random, truths, world)
    : byDay(random, truths, world, world.drift)
}

/** Draws a day's clicks independently of its rate, so that some ads have more clicks on good days and others on bad days. */
function byDay(random: Random, truths: readonly number[], world: SteeredWorld, drift: number): Drawn[] {
  return truths.map((truth) => {
    const { clicks } = byTruth(random, [truth], world)[0]!
    const days = Array.from({ length: LEARNING_DAYS }, () => ({
      share: (2 * random.next() * clicks) / LEARNING_DAYS,
      factor: 1,
    }))
    days.forEach((day, index) => {
      day.factor = (days[index - 1]?.factor ?? 1) * Math.exp(drift * drawNormal(random))
    })
    const mean = days.reduce((sum, { factor }) => sum + factor, 0) / days.length
    const today = days.map(({ share, factor }) => {
      const drawnClicks = Math.max(1, Math.round(share))
      return { clicks: drawnClicks, sales: drawSales(random, (truth * drawnClicks * factor) / mean, world) }
    })
    return today.reduce((sum, day) => ({ clicks: sum.clicks + day.clicks, sales: sum.sales + day.sales }))
  })
}

const drawSales = (random: Random, mean: number, { twoAtOnce }: SteeredWorld) =>
  twoAtOnce ? 2 * drawPoisson(random, mean / 2) : drawPoisson(random, mean)

function byTruth(random: Random, truths: readonly number[], world: SteeredWorld): Drawn[] {
  const { clicks: least = 100, power = 0, meanRate = 0.03 } = world
  return truths.map((truth) => {
    const steered = least * Math.exp(2 * random.next()) * (truth / meanRate) ** power
    const clicks = Math.min(200_000, Math.max(1, Math.round(steered)))
    return { clicks, sales: drawSales(random, truth * clicks, world) }
  })
}

function byLuck(random: Random, truths: readonly number[], world: SteeredWorld): Drawn[] {
  const { clicks = 100, learning = 1, meanRate = 0.03 } = world
  const ads = truths.map(() => ({ clicks: 0, sales: 0 }))
  for (let day = 0; day < LEARNING_DAYS; day++) {
    const pulls = ads.map((ad) => ((ad.sales + 1) / (ad.clicks + 1 / meanRate)) ** learning)
    const total = pulls.reduce((sum, pull) => sum + pull, 0)
    ads.forEach((ad, index) => {
      const today = Math.max(1, Math.round((clicks * ads.length * pulls[index]!) / (2 * total)))
      ad.clicks += today
      ad.sales += drawSales(random, truths[index]! * today, world)
    })
  }
  return ads
}

const toCounts = (index: number, { clicks, sales }: Drawn) =>
  makeCounts(`ad-${String(index).padStart(3, '0')}`, {
    linkClicks: clicks,
    impressions: clicks * 50,
    spendMinor: clicks * 100,
    cashExposure: clicks,
    cashOutcomes: sales,
    outcomes: sales,
  })
