/** Ads with known true rates: campaigns differ, ads differ, and traits have planted effects. */

import { weightOf } from '../../src/features/advice/creative-patterns/lift-rules.ts'
import type { TraitedAd } from '../../src/features/advice/creative-patterns/patterns-rules.ts'
import {
  type CreativeFacts,
  type Traits,
  traitsOf,
} from '../../src/features/advice/creative-patterns/traits-rules.ts'
import { type Random, seededRandom } from '../../src/platform/seeded-random.ts'
import {
  fitPrior,
  peerGroupMedian,
  probabilityAbove,
  shrunkRate,
} from '../../src/platform/statistics/gamma-poisson.ts'
import { drawNormal, drawPoisson } from './chance.ts'

const titles = [
  'Nine days, one new kitchen',
  'Why we still plane by hand',
  'Do you cook every day?',
  '“We cook together again”',
  '200,000 times open and shut',
  'From plan to price in a day, with a drawing',
]
const bodies = [
  'See how the Larsens got theirs without moving out.',
  'Bring your measurements and leave with a fixed price of $900 for the plan.',
  'Walnut boards and oil, packed by us, at your door in two days. 🎁',
  'Save 20 % on the second board, this week and in every one of our four showrooms, with delivery to the door.',
]

function drawFacts(random: Random, house: string): CreativeFacts {
  const format = random.chance(0.5) ? house : random.pick(['video', 'static', 'carousel'])
  return {
    format,
    aspectRatio: random.pick(['1:1', '4:5', '9:16']),
    durationSeconds: format === 'video' ? random.int(5, 70) : null,
    cardCount: format === 'carousel' ? random.int(2, 6) : null,
    ctaType: random.pick(['SHOP_NOW', 'LEARN_MORE', 'SIGN_UP']),
    title: random.pick(titles),
    body: random.pick(bodies),
    landingHost: random.pick(['shop.example', 'www.example.com']),
  }
}

export type CreativeWorld = {
  seed: number
  ads?: number
  campaigns?: number
  /** True rate of an ad, relative to its campaign's. */
  effect?: (traits: Traits, campaign: number) => number
  /** Changes the drawn traits, so that a trait can correlate with a campaign. */
  dress?: (traits: Traits, campaign: number) => Traits
  /** True rates of campaigns; random by default. */
  base?: (campaign: number) => number
}

export function plantCreatives(world: CreativeWorld): TraitedAd[] {
  const { seed, ads = 120, campaigns = 10, effect = () => 1, dress = (traits) => traits } = world
  const random = seededRandom('creatives', seed)
  const houses = Array.from({ length: campaigns }, () => random.pick(['video', 'static', 'carousel']))
  const rates = Array.from({ length: campaigns }, () => 0.03 * Math.exp(0.5 * drawNormal(random)))
  const drawn = Array.from({ length: ads }, (_, index) => {
    const campaign = index % campaigns
    const traits = dress(traitsOf(drawFacts(random, houses[campaign]!)), campaign)
    const exposure = Math.round(800 * Math.exp(0.8 * drawNormal(random)))
    const base = world.base?.(campaign) ?? rates[campaign]!
    const rate = base * effect(traits, campaign) * Math.exp(0.25 * drawNormal(random))
    return { index, campaign, traits, exposure, count: drawPoisson(random, rate * exposure) }
  })
  const prior = fitPrior(drawn)
  const median = peerGroupMedian(prior)
  return drawn.map((ad) => ({
    id: String(ad.index).padStart(5, '0'),
    profileId: 'p',
    currency: 'EUR',
    campaignId: `c${ad.campaign}`,
    logRate: Math.log(shrunkRate(prior, ad)),
    weight: weightOf(prior.mean * prior.strength + ad.count),
    spendMinor: ad.exposure * 90,
    traits: ad.traits,
    isWinner: probabilityAbove(prior, ad, median) >= 0.9,
  }))
}

/** The naive method of many tools: clicks of all ads are pooled and treated as independent draws. */
export function pooledWinners(ads: readonly TraitedAd[], dimension: keyof Traits): number {
  const values = [...new Set(ads.map((ad) => ad.traits[dimension]))].filter((value) => value !== null)
  return values.filter((value) => {
    const sums = { in: [0, 0], out: [0, 0] }
    for (const ad of ads) {
      if (ad.traits[dimension] === null) continue
      const side = ad.traits[dimension] === value ? sums.in : sums.out
      const exposure = ad.spendMinor / 90
      side[0]! += exposure
      side[1]! += Math.exp(ad.logRate) * exposure
    }
    if (sums.in[0] === 0 || sums.out[0] === 0) return false
    const [a, b] = [sums.in[1]! / sums.in[0]!, sums.out[1]! / sums.out[0]!]
    return (a - b) / Math.sqrt(a / sums.in[0]! + b / sums.out[0]!) > 1.96
  }).length
}
