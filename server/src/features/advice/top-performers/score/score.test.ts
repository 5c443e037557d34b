import { describe, expect, it } from 'vitest'
import { luckyAndProvenAds, makeCounts, sellingAds, shuffled } from '../../../../../test/planted/ads.ts'
import { drawPoisson } from '../../../../../test/planted/chance.ts'
import { steeredAds } from '../../../../../test/planted/steered-ads.ts'
import { seededRandom } from '../../../../platform/seeded-random.ts'
import type { AdCounts } from './counts.ts'
import { clickWeights, daysUntilShare, lagDistribution, MAX_LAG_DAYS } from './lags.ts'
import { confidenceOf, layerWeights } from './layers.ts'
import { type Models, predictTarget, targets } from './likelihood.ts'
import { peerGroupsOf } from './peer-groups.ts'
import { percentilesOf } from './percentiles.ts'
import { evidenceOf, type PreviousScore, scoreAds, stageAfter } from './score.ts'
import type { Maturity } from './score-columns.ts'
import { medianRemaining } from './survival.ts'

/** The prior mean that each ad's rate is shrunk towards, from the smallest ad to the largest. */
function expectedRates(ads: readonly { counts: AdCounts }[]) {
  const scores = new Map(scoreAds(ads.map(({ counts }) => counts)).map((score) => [score.adId, score]))
  return ads
    .map(({ counts }) => {
      const revenueLayer = scores
        .get(counts.adId)!
        .layers.find(({ layer }) => layer === 'attributed_revenue')!
      const raw = counts.cashOutcomes / counts.cashExposure
      expect(revenueLayer.reliability).toBeGreaterThan(0)
      expect(revenueLayer.reliability).toBeLessThan(1)
      return {
        logClicks: Math.log(counts.cashExposure),
        logRate: Math.log(
          (revenueLayer.rate - revenueLayer.reliability * raw) / (1 - revenueLayer.reliability),
        ),
      }
    })
    .toSorted((a, b) => a.logClicks - b.logClicks)
}

describe('a score', () => {
  it('is cold for one sale from one click, and below 600 sales from 10,000 clicks', () => {
    const scores = scoreAds([...sellingAds(1).map(({ counts }) => counts), ...luckyAndProvenAds()])
    const scoreOf = (adId: string) => scores.find((score) => score.adId === adId)!
    expect(scoreOf('lucky').maturity).toBe('cold')
    expect(scoreOf('proven').maturity).toBe('mature')
    expect(scoreOf('lucky').composite!).toBeLessThan(scoreOf('proven').composite!)
    const revenueLayerOf = (adId: string) =>
      scoreOf(adId).layers.find(({ layer }) => layer === 'attributed_revenue')!
    expect(revenueLayerOf('lucky').percentile).toBeLessThan(revenueLayerOf('proven').percentile)
    expect(revenueLayerOf('lucky').confidence).toBe('low')
  })

  it('does not depend on the order of the ads', () => {
    const ads = sellingAds(2).map(({ counts }) => counts)
    const mixed = shuffled(ads, seededRandom('order'))
    expect(mixed[0]).not.toBe(ads[0])
    expect(scoreAds(mixed)).toEqual(scoreAds(ads))
  })

  it('omits layers that no ad of the peer group has, and is between 0 and 100', () => {
    const scores = scoreAds(sellingAds(3).map(({ counts }) => counts))
    for (const { layers, composite } of scores) {
      expect(layers.map(({ layer }) => layer)).toEqual(['delivery', 'click_intent', 'attributed_revenue'])
      expect(composite).toBeGreaterThanOrEqual(0)
      expect(composite).toBeLessThanOrEqual(100)
    }
  })

  it('is the weighted mean of the layers that the ad has', () => {
    const scores = scoreAds([...sellingAds(3).map(({ counts }) => counts), ...luckyAndProvenAds()])
    for (const { layers, composite } of scores) {
      const weights = layers.reduce((sum, { layer }) => sum + layerWeights[layer], 0)
      const blended = layers.reduce((sum, { layer, percentile }) => sum + layerWeights[layer] * percentile, 0)
      expect(composite).toBeCloseTo((100 * blended) / weights, 1)
    }
    expect(scores.find(({ adId }) => adId === 'proven')!.composite).toBeGreaterThan(70)
  })

  it('shrinks the rates of ads with little data towards the peer group', () => {
    const expected = expectedRates(sellingAds(4))
    const [small, large] = [expected[0]!, expected.at(-1)!]
    const slope = (large.logRate - small.logRate) / (large.logClicks - small.logClicks)
    // The prior mean is linear in the logarithm of clicks.
    for (const { logRate, logClicks } of expected)
      expect(logRate).toBeCloseTo(small.logRate + slope * (logClicks - small.logClicks), 6)
    expect(Math.abs(slope)).toBeLessThan(0.2)
  })

  it('shrinks ads with little delivery towards others of their size, not towards the best', () => {
    const ads = steeredAds('unit', { power: 3 })
    const expected = expectedRates(ads)
    const smallest = ads.toSorted((a, b) => a.truth - b.truth).slice(0, 15)
    const mean = smallest.reduce((sum, { truth }) => sum + truth, 0) / smallest.length
    const pulledTo = expected.slice(0, 15).reduce((sum, { logRate }) => sum + Math.exp(logRate), 0) / 15
    expect(pulledTo).toBeLessThan(1.35 * mean)
    const pooled =
      ads.reduce((sum, { counts }) => sum + counts.cashOutcomes, 0) /
      ads.reduce((sum, { counts }) => sum + counts.cashExposure, 0)
    expect(pooled).toBeGreaterThan(3 * mean)
  })

  it('reports confidence by the weight of the ad’s own data: low below a third, medium below two', () => {
    expect([0.33, 0.34, 0.66, 0.67].map(confidenceOf)).toEqual(['low', 'medium', 'medium', 'high'])
  })

  it.each([
    [
      'cold',
      'it spent less than the peer group’s cost per outcome',
      { spendMinor: 100, cashOutcomes: 9, outcomes: 9 },
    ],
    ['cold', 'it has too few impressions', { impressions: 999 }],
    ['cold', 'the prior outweighs its clicks', { cashExposure: 4, cashOutcomes: 0, outcomes: 0 }],
    ['mature', 'it has ten outcomes for less than others pay for one', { spendMinor: 100 }],
    ['early', 'its data weighs about as much as the prior', { cashExposure: 130, cashOutcomes: 4 }],
    ['mature', 'its data outweighs the prior', { cashExposure: 9000, cashOutcomes: 270 }],
  ] as const)('is %s if %s', (maturity, _, fields) => {
    const ownCounts = makeCounts('own', { outcomes: 30, cashOutcomes: 30, ...fields })
    const scores = scoreAds([...sellingAds(5).map(({ counts }) => counts), ownCounts])
    expect(scores.find(({ adId }) => adId === 'own')!.maturity).toBe(maturity)
  })

  it('distinguishes not shown enough, no difference, and different', () => {
    const like = (id: string, cashOutcomes: number) =>
      makeCounts(id, {
        spendMinor: 78_500,
        impressions: 40_696,
        cashExposure: 900,
        cashOutcomes,
        outcomes: cashOutcomes,
      })
    const alike = Array.from({ length: 9 }, (_, index) => like(`alike-${index}`, 26))
    const small = makeCounts('small', { cashExposure: 4, cashOutcomes: 1, outcomes: 1 })
    const scores = scoreAds([...alike, like('best', 90), small])
    const evidence = (id: string) => evidenceOf(scores.find(({ adId }) => adId === id)!)
    expect(scores.find(({ adId }) => adId === 'alike-3')!.maturity).not.toBe('cold')
    expect(['alike-3', 'best', 'small'].map(evidence)).toEqual([
      'no_difference',
      'differs',
      'not_shown_enough',
    ])
  })

  describe('of 785 USD, 40,696 impressions and 26 outcomes', () => {
    const like = (adId: string, cashOutcomes: number, fields: Partial<AdCounts> = {}) =>
      makeCounts(adId, {
        spendMinor: 78_500,
        impressions: 40_696,
        cashExposure: 900,
        cashOutcomes,
        outcomes: cashOutcomes,
        ...fields,
      })
    const otherAds = (count: number, cashOutcomes: number, fields: Partial<AdCounts> = {}) =>
      Array.from({ length: count }, (_, index) => like(`other-${index}`, cashOutcomes, fields))
    const leads = { pipelineOutcomes: 26, outcomes: 26 }
    it.each([
      ['alone', 'early', 'no_difference', like('own', 26), []],
      ['next to one', 'mature', 'no_difference', like('own', 26), otherAds(1, 24)],
      ['next to one without a sale', 'mature', 'differs', like('own', 26), otherAds(1, 0)],
      ['next to two', 'mature', 'no_difference', like('own', 26), otherAds(2, 25)],
      ['next to 34 without a sale', 'mature', 'differs', like('own', 26), otherAds(34, 0)],
      [
        'next to four that spent much',
        'mature',
        'differs',
        like('own', 26),
        otherAds(4, 0, { spendMinor: 900_000 }),
      ],
      ['with leads next to 34 with sales', 'mature', 'differs', like('own', 0, leads), otherAds(34, 5)],
    ] as const)('%s: never "not shown enough", and not shrunk far', (_, maturity, evidence, ad, around) => {
      const score = scoreAds([ad, ...around]).find(({ adId }) => adId === 'own')!
      expect([score.maturity, evidenceOf(score)]).toEqual([maturity, evidence])
      const revenueLayer = score.layers.find(({ layer }) => layer === 'attributed_revenue')
      // Its own data outweighs a few others, and no group shrinks it far.
      if (around.length > 0 && ad.cashOutcomes > 0) {
        expect(revenueLayer!.reliability).toBeGreaterThan(2 / 3)
        expect(Math.abs(revenueLayer!.rate / (26 / 900) - 1)).toBeLessThan(0.25)
      }
    })
  })

  it('does not flip its stage or evidence back and forth', () => {
    const [damped, plain] = [new Map<string, string[]>(), new Map<string, string[]>()]
    const note = (states: Map<string, string[]>, id: string, state: string) =>
      states.set(id, [...(states.get(id) ?? []), state])
    for (let seed = 0; seed < 4; seed++) {
      const random = seededRandom('flips', seed)
      const rates = Array.from({ length: 9 }, (_, ad) => 0.02 * (1 + 0.08 * ad))
      const days = rates.map((rate) => Array.from({ length: 60 }, () => drawPoisson(random, 45 * rate)))
      const before = new Map<string, PreviousScore>()
      for (let day = 14; day < 60; day++) {
        const ads = days.map((sold, ad) => {
          const sales = sold.slice(day - 14, day).reduce((sum, daySales) => sum + daySales, 0)
          return makeCounts(`ad-${ad}`, { cashExposure: 14 * 45, cashOutcomes: sales, outcomes: sales })
        })
        for (const score of scoreAds(ads)) {
          const id = `${seed} ${score.adId}`
          const stage = stageAfter(before.get(id)?.stage, score)
          const evidence = evidenceOf({ ...score, maturity: stage }, before.get(id))
          before.set(id, { stage, evidence, aboveMedian: score.aboveMedian })
          note(damped, id, `${stage} ${evidence}`)
          note(plain, id, `${score.maturity} ${evidenceOf(score)}`)
        }
      }
    }
    /** Changes reverted within a week, of 36 ads in 46 days. */
    const reverted = (states: Map<string, string[]>) =>
      [...states.values()].flatMap((list) =>
        list.filter(
          (state, day) =>
            day > 0 && list[day - 1] !== state && list.slice(day, day + 7).includes(list[day - 1]!),
        ),
      ).length
    expect(reverted(plain)).toBeGreaterThan(25)
    expect(reverted(damped)).toBeLessThanOrEqual(8)
  })

  it('keeps a difference while it is likely and on the same side', () => {
    const before = { stage: 'mature', evidence: 'differs', aboveMedian: 0.93 }
    const evidenceFor = (aboveMedian: number, last?: PreviousScore) =>
      evidenceOf({ maturity: 'mature', aboveMedian }, last)
    expect([
      evidenceFor(0.85),
      evidenceFor(0.85, before),
      evidenceFor(0.79, before),
      evidenceFor(0.15, before),
      evidenceFor(0.91),
    ]).toEqual(['no_difference', 'differs', 'no_difference', 'no_difference', 'differs'])
    expect(evidenceFor(0.85, { ...before, evidence: 'no_difference' })).toBe('no_difference')
  })

  it('keeps a stage until it is clearly below it', () => {
    const score = (maturity: Maturity, keptMaturity: Maturity) => ({ maturity, keptMaturity })
    expect(stageAfter(undefined, score('cold', 'early'))).toBe('cold')
    expect(stageAfter('early', score('cold', 'early'))).toBe('early')
    expect(stageAfter('calibrated', score('early', 'mature'))).toBe('mature')
    expect(stageAfter('mature', score('cold', 'cold'))).toBe('cold')
    expect(stageAfter('cold', score('mature', 'mature'))).toBe('mature')
  })

  it('is 50 for ads with equal figures', () => {
    const scores = scoreAds(
      Array.from({ length: 9 }, (_, index) =>
        makeCounts(`same-${index}`, { cashOutcomes: 30, outcomes: 30 }),
      ),
    )
    for (const { composite } of scores) expect(composite).toBeCloseTo(50, 5)
  })

  it('is null without other ads to compare with', () => {
    expect(scoreAds([makeCounts('a')]).map(({ composite }) => composite)).toEqual([null])
    expect(scoreAds([makeCounts('a'), makeCounts('b')]).map(({ composite }) => composite)).toEqual([50, 50])
  })
})

it('percentiles agree with simulated pairwise comparisons', () => {
  const posteriors = [
    { shape: 0.4, rate: 30 },
    { shape: 3, rate: 90 },
    { shape: 40, rate: 800 },
    { shape: 900, rate: 9000 },
  ]
  const random = seededRandom('pairs')
  const draw = ({ shape, rate }: { shape: number; rate: number }) => gammaDraw(random, shape) / rate
  const winShares = posteriors.map((posterior, index) => {
    const otherPosteriors = posteriors.filter((_, other) => other !== index)
    let wins = 0
    for (let trial = 0; trial < 4000; trial++) {
      const value = draw(posterior)
      for (const other of otherPosteriors) if (value > draw(other)) wins++
    }
    return wins / (4000 * otherPosteriors.length)
  })
  percentilesOf(posteriors).forEach((percentile, index) => {
    expect(Math.abs(percentile - winShares[index]!)).toBeLessThan(0.025)
  })
})

/** Gamma sampling by Marsaglia and Tsang; small shapes are boosted. */
function gammaDraw(random: ReturnType<typeof seededRandom>, shape: number): number {
  if (shape < 1) return gammaDraw(random, shape + 1) * random.next() ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - random.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

describe('peer groups', () => {
  it('generalize placement, country, warmth and format in turn until they have eight ads', () => {
    const alike = Array.from({ length: 8 }, (_, index) => makeCounts(`a${index}`))
    const otherPlacement = makeCounts('b', { placement: 'instagram' })
    const abroad = makeCounts('c', { geo: 'DE', placement: 'instagram' })
    const warm = makeCounts('d', { audienceWarmth: 'warm', geo: 'DE' })
    const still = makeCounts('e', { format: 'static', geo: 'FR' })
    const alone = makeCounts('f', { objective: 'awareness' })
    const ads = [...alike, otherPlacement, abroad, warm, still, alone]
    const peerGroups = peerGroupsOf(ads)
    const peerGroupOf = (ad: (typeof ads)[number]) => {
      const ownPeerGroups = peerGroups.filter((peerGroup) => peerGroup.own.includes(ads.indexOf(ad)))
      expect(ownPeerGroups).toHaveLength(1)
      return ownPeerGroups[0]!
    }
    const keyOf = (ad: (typeof ads)[number]) => peerGroupOf(ad).key
    expect(keyOf(alike[0]!)).toBe('social|video|sales|cold|US|automatic')
    expect(keyOf(otherPlacement)).toBe('social|video|sales|cold|US|*')
    expect(keyOf(abroad)).toBe('social|video|sales|cold|*|*')
    expect(keyOf(warm)).toBe('social|video|sales|*|*|*')
    expect(keyOf(still)).toBe('social|*|sales|*|*|*')
    expect(keyOf(alone)).toBe('social|*|awareness|*|*|*')
    expect(peerGroupOf(otherPlacement).members).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(peerGroupOf(otherPlacement).own).toEqual([8])
  })
})

describe('clicks are weighted by the conversions expected so far', () => {
  /** A business with an average conversion lag of six days. */
  const lags = Array.from({ length: MAX_LAG_DAYS + 1 }, (_, days) =>
    Math.round(100_000 * (1 / 7) * (6 / 7) ** days),
  )
  const distribution = lagDistribution(lags)

  const estimate = (age: number, seed: number, isWeighted: boolean) => {
    const random = seededRandom('aged', age, seed)
    const weights = clickWeights(distribution, 'lifetime')
    let [sales, exposure] = [0, 0]
    for (let day = 0; day < age; day++) {
      sales += drawPoisson(random, 0.05 * 200 * distribution[day]!)
      exposure += isWeighted ? (200 * weights[day]!) / 1e6 : 200
    }
    return sales / exposure
  }
  const meanOf = (age: number, isWeighted: boolean) =>
    Array.from({ length: 100 }, (_, seed) => estimate(age, seed, isWeighted)).reduce(
      (sum, rate) => sum + rate,
      0,
    ) / 100

  it('so that the same truth aged 4 and 28 days agrees', () => {
    expect(Math.abs(meanOf(4, true) / meanOf(28, true) - 1)).toBeLessThan(0.05)
    // Without the weights the young ad looks half as good.
    expect(meanOf(4, false) / meanOf(28, false)).toBeLessThan(0.6)
  })

  it('and the wait for 95 of 100 conversions is the profile’s own', () => {
    expect(daysUntilShare(lags, 0.95)).toBe(19)
    expect(daysUntilShare([], 0.95)).toBe(5)
    expect(daysUntilShare([...new Array(60).fill(0), 1e6], 0.95)).toBe(MAX_LAG_DAYS)
  })

  it('and a window includes late conversions of its older clicks', () => {
    const weights = clickWeights(distribution, '7d')
    expect(weights[0]).toBe(Math.round(distribution[0]! * 1e6))
    expect(weights[10]).toBe(Math.round((distribution[10]! - distribution[3]!) * 1e6))
    expect(weights.at(-1)).toBe(0)
  })
})

it('remaining days are the median of peer-group ads that reached the same age', () => {
  const ended = [10, 20, 30, 40, 50, 60, 70, 80].map((days) => ({ days, ended: true }))
  expect(medianRemaining(ended)(0)).toBe(40)
  // Half of those that ran 45 days ran 60.
  expect(medianRemaining(ended)(45)).toBe(15)
  // Ads that still run are censored.
  const running = [...ended.slice(0, 5), ...ended.slice(5).map(({ days }) => ({ days, ended: false }))]
  expect(medianRemaining(running)(0)).toBe(40)
  expect(medianRemaining(running)(55)).toBeNull()
  expect(medianRemaining(ended.slice(0, 7))(0)).toBeNull()
})

it('a likelihood is never 0 or 1', () => {
  const score = scoreAds(sellingAds(5).map(({ counts }) => counts))[0]!
  const month = makeCounts(score.adId)
  const ad = { adId: score.adId, month, week: null, frequency: null, ageDays: 30, isActive: true }
  const answers = [-40, 40].flatMap((intercept) => {
    const none = Array.from({ length: 20 }, () => 0)
    const model = { intercept, weights: none, means: none, deviations: none.map(() => 1) }
    const learned = { model, backtest: { status: 'served', reason: null } } as unknown as Models['top']
    const models = { top: learned, pause: learned, degradation: learned }
    return targets.map((question) => predictTarget(models, question, ad, score).value)
  })
  expect(answers).toEqual([0.01, 0.01, 0.01, 0.99, 0.99, 0.99])
})
