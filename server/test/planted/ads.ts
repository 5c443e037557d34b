/** Ads with known true rates, to compare scores with the truth. */

import type { AdCounts } from '../../src/features/advice/top-performers/score/counts.ts'
import {
  type AdSeries,
  type Fatigue,
  findFatigue,
} from '../../src/features/advice/top-performers/score/fatigue.ts'
import type { Example } from '../../src/features/advice/top-performers/score/gate.ts'
import type { Random } from '../../src/platform/seeded-random.ts'
import { seededRandom } from '../../src/platform/seeded-random.ts'
import { drawNormal, drawPoisson } from './chance.ts'

export function makeCounts(adId: string, overrides: Partial<AdCounts> = {}): AdCounts {
  return {
    adId,
    channel: 'social',
    format: 'video',
    objective: 'sales',
    audienceWarmth: 'cold',
    geo: 'US',
    placement: 'automatic',
    spendMinor: 100_000,
    impressions: 50_000,
    clicks: 1000,
    linkClicks: 1000,
    videoImpressions: 0,
    videoViews: 0,
    thruplays: 0,
    messagingStarted: 0,
    platformConversionsMilli: 0,
    platformValueMinor: 0,
    rankedDays: 0,
    rankingPoints: 0,
    activeDays: 28,
    outcomes: 0,
    cashOutcomes: 0,
    pipelineOutcomes: 0,
    messagingOutcomes: 0,
    revenueMinor: 0,
    pipelineMinor: 0,
    cashExposure: 1000,
    pipelineExposure: 1000,
    ...overrides,
  }
}

/** One sale from one click, and 600 from 10,000. */
export const luckyAndProvenAds = (): AdCounts[] => [
  makeCounts('lucky', {
    spendMinor: 100,
    impressions: 50,
    linkClicks: 1,
    cashExposure: 1,
    cashOutcomes: 1,
    outcomes: 1,
  }),
  makeCounts('proven', {
    spendMinor: 1_000_000,
    impressions: 500_000,
    linkClicks: 10_000,
    cashExposure: 10_000,
    cashOutcomes: 600,
    outcomes: 600,
  }),
]

/** Sales per click that differ by half of their mean, over clicks from a few to thousands. */
export function sellingAds(seed: string | number, size = 60): { truth: number; counts: AdCounts }[] {
  const random = seededRandom('selling ads', seed)
  return Array.from({ length: size }, (_, index) => {
    const truth = 0.03 * Math.exp(0.5 * drawNormal(random) - 0.125)
    const clicks = Math.round(20 * Math.exp(random.next() * 5))
    const sales = drawPoisson(random, truth * clicks)
    return {
      truth,
      counts: makeCounts(`ad-${String(index).padStart(3, '0')}`, {
        linkClicks: clicks,
        impressions: clicks * 50,
        spendMinor: clicks * 100,
        cashExposure: clicks,
        cashOutcomes: sales,
        outcomes: sales,
      }),
    }
  })
}

/** Weeks of ads whose label depends on the first feature by `strength` (log-odds per unit), with a random effect per week. */
export function adWeeks(seed: string | number, strength: number, weeks = 20, ads = 40): Example[] {
  const random = seededRandom('ad weeks', seed)
  const habits = Array.from({ length: ads }, () => drawNormal(random))
  const examples: Example[] = []
  const before = new Map<number, number>()
  for (let week = 0; week < weeks; week++) {
    const weather = 0.2 * drawNormal(random)
    for (const [ad, habit] of habits.entries()) {
      const features = [
        habit * 0.7 + drawNormal(random) * 0.7,
        ...Array.from({ length: 5 }, () => drawNormal(random)),
      ]
      const chance = 1 / (1 + Math.exp(-(-1.2 + weather + strength * features[0]!)))
      const label = Number(random.chance(chance))
      examples.push({ week, features, label, before: before.get(ad) ?? null })
      before.set(ad, label)
    }
  }
  return examples
}

export function shuffleLabels(examples: readonly Example[], seed: string | number): Example[] {
  const random = seededRandom('shuffled labels', seed)
  const labels = shuffled(
    examples.map(({ label }) => label),
    random,
  )
  const befores = shuffled(
    examples.map(({ before }) => before),
    random,
  )
  return examples.map((example, index) => ({ ...example, label: labels[index]!, before: befores[index]! }))
}

export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const mixed = [...list]
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = random.int(0, index)
    ;[mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!]
  }
  return mixed
}

/** A peer group's daily clicks. `rate`: remaining share of an ad's usual clicks on a day. */
export function clickDays(
  seed: string | number,
  options: {
    ads: number
    days: number
    clicks: number
    rate: (ad: number, day: number) => number
    noise?: number
  },
): AdSeries[] {
  const random = seededRandom('click days', seed)
  const weather = Array.from({ length: options.days }, () => 0.1 * drawNormal(random))
  return Array.from({ length: options.ads }, (_, ad) => {
    const usual = options.clicks * Math.exp(0.4 * drawNormal(random))
    const days = Array.from({ length: options.days }, (__, day) => day)
    const columns = {
      day: days,
      impressions: days.map(() => Math.round(usual * 60)),
      linkClicks: days.map((day) =>
        drawPoisson(
          random,
          usual *
            options.rate(ad, day) *
            Math.exp(weather[day]! + (options.noise ?? 0.08) * drawNormal(random)),
        ),
      ),
      frequency: days.map((day) => 1.3 + (1 - options.rate(ad, day)) * 2),
    }
    return { adId: `ad-${ad}`, peerGroupKey: 'one', changes: [], columns: () => columns }
  })
}

/** From day 38 on 6 % of the clicks are lost each day. */
export const decline = (day: number): number => (day > 37 ? 0.94 ** (day - 37) : 1)

/** The fatigue result on day 44 for twelve ads with 120 clicks a day; `rate`: remaining share of an ad's usual clicks. */
export const fatigueOnDay44 = (
  seed: string,
  rate: (ad: number, day: number) => number,
): Map<string, Fatigue> => findFatigue(clickDays(seed, { ads: 12, days: 45, clicks: 120, rate }), 44)

export const isTired = (fatigue: Fatigue | undefined): boolean =>
  fatigue?.status === 'served' && fatigue.tier === 'high'
