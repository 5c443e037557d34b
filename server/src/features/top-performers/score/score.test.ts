import { describe, expect, it } from 'vitest'
import {
  adWeeks,
  clickDays,
  makeCounts,
  sellingAds,
  shuffled,
  shuffleLabels,
} from '../../../../test/planted/ads.ts'
import { drawPoisson } from '../../../../test/planted/chance.ts'
import { seededRandom } from '../../../seeded-random.ts'
import { cohortsOf } from './cohorts.ts'
import { findFatigue } from './fatigue.ts'
import { learn } from './gate.ts'
import { clickWeights, daysUntilShare, lagDistribution, MAX_LAG_DAYS } from './lags.ts'
import { fitLogistic, predict } from './logistic.ts'
import { percentilesOf } from './percentiles.ts'
import { scoreAds } from './score.ts'
import { remainingBy } from './survival.ts'

describe('a score', () => {
  it('is cold for one sale from one click, and never passes 600 sales from 10,000 clicks', () => {
    const lucky = makeCounts('lucky', {
      spendMinor: 100,
      impressions: 50,
      linkClicks: 1,
      cashExposure: 1,
      cashOutcomes: 1,
      outcomes: 1,
    })
    const proven = makeCounts('proven', {
      spendMinor: 1_000_000,
      impressions: 500_000,
      linkClicks: 10_000,
      cashExposure: 10_000,
      cashOutcomes: 600,
      outcomes: 600,
    })
    const scores = scoreAds([...sellingAds(1).map(({ counts }) => counts), lucky, proven])
    const of = (adId: string) => scores.find((score) => score.adId === adId)!
    expect(of('lucky').maturity).toBe('cold')
    expect(of('proven').maturity).toBe('mature')
    expect(of('lucky').composite!).toBeLessThan(of('proven').composite!)
    const place = (adId: string) => of(adId).layers.find(({ layer }) => layer === 'attributed_revenue')!
    expect(place('lucky').percentile).toBeLessThan(place('proven').percentile)
    expect(place('lucky').confidence).toBe('low')
  })

  it('does not depend on the order of the ads', () => {
    const ads = sellingAds(2).map(({ counts }) => counts)
    const mixed = shuffled(ads, seededRandom('order'))
    expect(mixed[0]).not.toBe(ads[0])
    expect(scoreAds(mixed)).toEqual(scoreAds(ads))
  })

  it('leaves out a layer that nobody in the cohort has, and blends the rest to 0 to 100', () => {
    const scores = scoreAds(sellingAds(3).map(({ counts }) => counts))
    for (const { layers, composite } of scores) {
      expect(layers.map(({ layer }) => layer)).toEqual(['delivery', 'click_intent', 'attributed_revenue'])
      expect(composite).toBeGreaterThanOrEqual(0)
      expect(composite).toBeLessThanOrEqual(100)
    }
  })

  it('is not given where there is nobody to be compared with', () => {
    expect(scoreAds([makeCounts('a'), makeCounts('b')]).map(({ composite }) => composite)).toEqual([
      null,
      null,
    ])
  })
})

it('a percentile agrees with the pairs counted one by one', () => {
  const posteriors = [
    { shape: 0.4, rate: 30 },
    { shape: 3, rate: 90 },
    { shape: 40, rate: 800 },
    { shape: 900, rate: 9000 },
  ]
  const random = seededRandom('pairs')
  const draw = ({ shape, rate }: { shape: number; rate: number }) => gammaDraw(random, shape) / rate
  const counted = posteriors.map((own, index) => {
    const others = posteriors.filter((_, other) => other !== index)
    let wins = 0
    for (let trial = 0; trial < 4000; trial++) {
      const value = draw(own)
      for (const other of others) if (value > draw(other)) wins++
    }
    return wins / (4000 * others.length)
  })
  percentilesOf(posteriors).forEach((percentile, index) => {
    expect(Math.abs(percentile - counted[index]!)).toBeLessThan(0.025)
  })
})

/** By Marsaglia and Tsang; small shapes are boosted. */
function gammaDraw(random: ReturnType<typeof seededRandom>, shape: number): number {
  if (shape < 1) return gammaDraw(random, shape + 1) * random.next() ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - random.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

describe('cohorts', () => {
  it('give up placement, country, warmth and format in turn until eight are alike', () => {
    const alike = Array.from({ length: 8 }, (_, index) => makeCounts(`a${index}`))
    const elsewhere = makeCounts('b', { placement: 'instagram' })
    const abroad = makeCounts('c', { geo: 'DE', placement: 'instagram' })
    const warm = makeCounts('d', { audienceWarmth: 'warm', geo: 'DE' })
    const still = makeCounts('e', { format: 'static', geo: 'FR' })
    const alone = makeCounts('f', { objective: 'awareness' })
    const cohorts = cohortsOf([...alike, elsewhere, abroad, warm, still, alone])
    const keyOf = (ad: ReturnType<typeof makeCounts>) => cohorts.get(ad)!.key
    expect(keyOf(alike[0]!)).toBe('social|video|sales|cold|US|automatic')
    expect(keyOf(elsewhere)).toBe('social|video|sales|cold|US|*')
    expect(keyOf(abroad)).toBe('social|video|sales|cold|*|*')
    expect(keyOf(warm)).toBe('social|video|sales|*|*|*')
    expect(keyOf(still)).toBe('social|*|sales|*|*|*')
    expect(keyOf(alone)).toBe('social|*|awareness|*|*|*')
    expect(cohorts.get(elsewhere)!.members).toHaveLength(9)
  })
})

describe('clicks are weighted by what can have come in', () => {
  /** A business whose people take six days on average. */
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
      (sum, one) => sum + one,
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

  it('and a window holds what its older clicks still brought', () => {
    const weights = clickWeights(distribution, '7d')
    expect(weights[0]).toBe(Math.round(distribution[0]! * 1e6))
    expect(weights[10]).toBe(Math.round((distribution[10]! - distribution[3]!) * 1e6))
    expect(weights.at(-1)).toBe(0)
  })
})

describe('a learned value', () => {
  it('finds known weights, the same on every run', () => {
    const random = seededRandom('weights')
    const rows = Array.from({ length: 4000 }, () => [random.next() * 4 - 2, random.next() * 10])
    const labels = rows.map(([a]) => Number(random.chance(1 / (1 + Math.exp(-(0.5 + 1.5 * a!))))))
    const model = fitLogistic(rows, labels, 1e-6)
    expect(model.weights[0]! / model.deviations[0]!).toBeCloseTo(1.5, 0)
    expect(Math.abs(model.weights[1]! / model.deviations[1]!)).toBeLessThan(0.05)
    expect(fitLogistic(rows, labels, 1e-6)).toEqual(model)
    expect(predict(model, [2, 5])).toBeGreaterThan(0.9)
  })

  it('is served where the signal is real, and withheld where labels are shuffled', () => {
    const real = adWeeks('real', 1.2)
    expect(learn(real, 'seed').backtest).toMatchObject({ status: 'served', reason: null })
    const blind = learn(shuffleLabels(real, 'blind'), 'seed')
    expect(blind.backtest.status).toBe('withheld')
    expect(blind.model).toBeNull()
  })

  it('is withheld where it says no more than "as last week", however well calibrated', () => {
    const random = seededRandom('as last week')
    const ads = Array.from({ length: 40 }, () => Number(random.chance(0.3)))
    const examples = Array.from({ length: 24 }, (_, week) =>
      ads.map((before, ad) => {
        const label = Number(random.chance(before === 1 ? 0.75 : 0.12))
        ads[ad] = label
        return { week, features: [before], label, before }
      }),
    ).flat()
    const { backtest } = learn(examples, 'seed')
    expect(backtest).toMatchObject({ status: 'withheld', reason: 'no_skill' })
    expect(backtest.calibration_slope).toBeGreaterThan(0.7)
    expect(backtest.skill_over_base_rate_low).toBeGreaterThan(0)
  })

  it('is withheld for want of history', () => {
    expect(learn(adWeeks('short', 1.2, 5, 20), 'seed').backtest).toMatchObject({
      status: 'withheld',
      reason: 'insufficient_history',
    })
  })
})

describe('fatigue', () => {
  const world = (rate: (ad: number, day: number) => number) =>
    findFatigue(clickDays('tired', { ads: 12, days: 45, clicks: 120, rate }), 44)

  const raised = (found: ReturnType<typeof world>) =>
    [...found].flatMap(([id, one]) => (one.status === 'served' && one.tier === 'high' ? [id] : []))
  const decline = (day: number) => (day > 37 ? 0.94 ** (day - 37) : 1)
  const usual = raised(world(() => 1))

  it('of one ad is found within seven days of its beginning', () => {
    expect(usual).not.toContain('ad-0')
    const found = world((ad, day) => (ad === 0 ? decline(day) : 1))
    expect(raised(found)).toContain('ad-0')
    const fatigue = found.get('ad-0')!
    if (fatigue.status !== 'served') throw new Error(fatigue.reason)
    expect(fatigue.decline).toBeGreaterThan(0.1)
    expect(fatigue.frequencyShare).toBeGreaterThan(0.3)
  })

  it('is not raised by what happens to the whole cohort', () => {
    expect(raised(world((_, day) => decline(day))).filter((id) => !usual.includes(id))).toEqual([])
  })

  it('is silent for three days after a change of budget or status', () => {
    const tired = clickDays('tired', {
      ads: 12,
      days: 45,
      clicks: 120,
      rate: (ad, day) => (ad === 0 && day > 37 ? 0.94 ** (day - 37) : 1),
    })
    const changed = tired.map((ad) => (ad.adId === 'ad-0' ? { ...ad, changes: [43] } : ad))
    expect(findFatigue(changed, 44).get('ad-0')).toEqual({ status: 'withheld', reason: 'recent_change' })
  })
})

it('days still to run are the median of those of the cohort that came as far', () => {
  const ended = [10, 20, 30, 40, 50, 60, 70, 80].map((days) => ({ days, ended: true }))
  expect(remainingBy(ended)(0)).toBe(40)
  // Of those that ran 45 days half ran 60.
  expect(remainingBy(ended)(45)).toBe(15)
  // Ads that still run have not ended where they stand.
  const running = [...ended.slice(0, 5), ...ended.slice(5).map(({ days }) => ({ days, ended: false }))]
  expect(remainingBy(running)(0)).toBe(40)
  expect(remainingBy(running)(55)).toBeNull()
  expect(remainingBy(ended.slice(0, 7))(0)).toBeNull()
})
