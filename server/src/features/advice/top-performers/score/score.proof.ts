/** Checks the statistical claims of the scores over many simulated worlds. */
import { describe, expect, it } from 'vitest'
import {
  adWeeks,
  decline,
  fatigueOnDay44,
  isTired,
  luckyAndProvenAds,
  sellingAds,
  shuffled,
  shuffleLabels,
} from '../../../../../test/planted/ads.ts'
import { alarmsPerAdYear, type ClickWorld } from '../../../../../test/planted/click-years.ts'
import { type SteeredWorld, steeredAds } from '../../../../../test/planted/steered-ads.ts'
import { seededRandom } from '../../../../platform/seeded-random.ts'
import { gammaQuantile } from '../../../../platform/statistics/distributions.ts'
import { learn } from './gate.ts'
import { predict } from './logistic.ts'
import { scoreAds } from './score.ts'

describe('a shrunk rate', () => {
  it('has at most 0.7 of the error of the raw rate over 50 worlds', () => {
    let [shrunk, raw] = [0, 0]
    for (let seed = 0; seed < 50; seed++) {
      const ads = sellingAds(seed)
      const scores = new Map(scoreAds(ads.map(({ counts }) => counts)).map((score) => [score.adId, score]))
      for (const { truth, counts } of ads) {
        const { rate } = scores.get(counts.adId)!.layers.find(({ layer }) => layer === 'attributed_revenue')!
        shrunk += (rate - truth) ** 2
        raw += (counts.cashOutcomes / counts.cashExposure - truth) ** 2
      }
    }
    const ratio = Math.sqrt(shrunk / raw)
    console.log(`error of shrunk over raw rates: ${ratio.toFixed(3)}`)
    expect(ratio).toBeLessThanOrEqual(0.7)
  })

  it('never ranks one sale from one click above 600 from 10,000, and calls it cold', () => {
    for (let seed = 0; seed < 50; seed++) {
      const scores = scoreAds([...sellingAds(seed).map(({ counts }) => counts), ...luckyAndProvenAds()])
      const scoreOf = (adId: string) => scores.find((score) => score.adId === adId)!
      expect(scoreOf('lucky').maturity).toBe('cold')
      expect(scoreOf('lucky').composite!).toBeLessThan(scoreOf('proven').composite!)
    }
  })

  it('does not depend on the order of the ads', () => {
    for (let seed = 0; seed < 20; seed++) {
      const ads = sellingAds(seed).map(({ counts }) => counts)
      expect(scoreAds(shuffled(ads, seededRandom('order', seed)))).toEqual(scoreAds(ads))
    }
  })
})

describe('a shrunk rate of ads whose delivery the platform optimizes', () => {
  const worlds: Record<string, SteeredWorld> = {
    unsteered: {},
    'eight ads': { ads: 8 },
    'ads that hardly differ': { deviation: 0.05 },
    'clicks follow the rate': { power: 1 },
    'clicks follow its cube': { power: 3 },
    'clicks follow its cube, twelve ads': { power: 3, ads: 12 },
    'clicks follow its cube, many clicks': { power: 3, clicks: 2000 },
    'clicks follow its sixth power': { power: 6 },
    'worse ads are shown more': { power: -2 },
    'heavy tails, steered': { power: 3, heavyTails: true },
    'rates far apart, steered': { power: 3, deviation: 1 },
    'two outcomes at once, steered': { power: 3, twoAtOnce: true },
    'rare outcomes, steered': { power: 2, meanRate: 0.004 },
    'clicks follow luck': { learning: 1 },
    'clicks follow luck, strongly': { learning: 4 },
  }
  it.each(Object.entries(worlds))(
    '%s: no larger error than the raw rate, and intervals cover the truth for three of four ads',
    (name, world) => checkCoverage(name, world, 30),
  )
})

describe('a shrunk rate in a peer group of a few ads', () => {
  const worlds: Record<string, SteeredWorld> = {
    alike: { deviation: 0.05 },
    'alike, many clicks': { deviation: 0.05, clicks: 5000 },
    'a little apart, many clicks': { deviation: 0.2, clicks: 1500 },
    'few clicks': { clicks: 20 },
    'heavy tails': { heavyTails: true },
    'heavy tails, steered': { power: 4, heavyTails: true },
    drift: { drift: 0.1, clicks: 300 },
    'drift, steered': { drift: 0.1, power: 2, clicks: 100 },
    'two outcomes at once': { twoAtOnce: true, clicks: 300 },
    'clicks follow luck': { learning: 3, clicks: 40 },
  }
  const cases = Object.entries(worlds).flatMap(([name, world]) =>
    [2, 3, 4, 5].map((ads) => [`${ads} ads, ${name}`, { ...world, ads }] as const),
  )
  it.each(cases)(
    '%s: no larger error than the raw rate, and intervals cover the truth for three of four ads',
    (name, world) => checkCoverage(name, world, 250),
  )
})

function checkCoverage(name: string, world: SteeredWorld, worlds: number): void {
  let [shrunk, raw, covered, ads] = [0, 0, 0, 0]
  for (let seed = 0; seed < worlds; seed++) {
    const planted = steeredAds(`${name} ${seed}`, world)
    const scores = scoreAds(planted.map(({ counts }) => counts))
    planted.forEach(({ truth, counts }, index) => {
      const { layers, posterior } = scores[index]!
      if (!layers.some(({ layer }) => layer === 'attributed_revenue')) return
      const { shape, rate } = posterior!
      ads++
      shrunk += (shape / rate - truth) ** 2
      raw += (counts.cashOutcomes / counts.cashExposure - truth) ** 2
      if (gammaQuantile(shape, 0.1) <= truth * rate && gammaQuantile(shape, 0.9) >= truth * rate) covered++
    })
  }
  const ratio = Math.sqrt(shrunk / raw)
  console.log(
    `${name}: error over raw ${ratio.toFixed(3)}, intervals hold ${((100 * covered) / ads).toFixed(0)} %`,
  )
  expect(ratio).toBeLessThanOrEqual(1)
  expect(covered / ads).toBeGreaterThanOrEqual(0.75)
}

describe('the gate', () => {
  it('withholds models trained on shuffled labels in at least 95 of 100 worlds', () => {
    let withheld = 0
    for (let seed = 0; seed < 100; seed++)
      if (
        learn(shuffleLabels(adWeeks(seed, 1.2, 16, 30), seed), `blind ${seed}`).backtest.status === 'withheld'
      )
        withheld++
    console.log(`shuffled labels withheld: ${withheld} of 100`)
    expect(withheld).toBeGreaterThanOrEqual(95)
  })

  it('serves a simulated signal, calibrated in five bins', () => {
    let served = 0
    const bins = Array.from({ length: 5 }, () => ({ foretold: 0, happened: 0, count: 0 }))
    for (let seed = 0; seed < 20; seed++) {
      const examples = adWeeks(`signal ${seed}`, 1.2, 30, 40)
      const past = examples.filter(({ week }) => week < 20)
      const { backtest, model } = learn(past, `signal ${seed}`)
      if (backtest.status === 'served') served++
      if (model === null) continue
      for (const { features, label, week } of examples) {
        if (week < 22) continue
        const chance = predict(model, features)
        const bin = bins[Math.min(4, Math.floor(chance * 5))]!
        bin.foretold += chance
        bin.happened += label
        bin.count++
      }
    }
    console.log(
      `planted signal served: ${served} of 20; ${bins.map((bin) => `${(bin.foretold / bin.count).toFixed(2)}→${(bin.happened / bin.count).toFixed(2)}`).join(' ')}`,
    )
    expect(served).toBeGreaterThanOrEqual(18)
    for (const bin of bins) expect(Math.abs(bin.foretold - bin.happened) / bin.count).toBeLessThan(0.05)
  })
})

describe('fatigue', () => {
  const world = (seed: number, rate: (ad: number, day: number) => number) =>
    fatigueOnDay44(`world ${seed}`, rate)

  it('of 6 % a day is detected on its seventh day in at least 80 of 100 worlds, with few false alarms', () => {
    let [detected, falseAlarms] = [0, 0]
    for (let seed = 0; seed < 100; seed++) {
      const judged = world(seed, (ad, day) => (ad === 0 ? decline(day) : 1))
      if (isTired(judged.get('ad-0'))) detected++
      for (const [id, fatigue] of judged) if (id !== 'ad-0' && isTired(fatigue)) falseAlarms++
    }
    console.log(
      `planted decline found: ${detected} of 100; others alarmed on the day: ${falseAlarms} of 1100`,
    )
    expect(detected).toBeGreaterThanOrEqual(80)
    expect(falseAlarms / 1100).toBeLessThan(0.005)
  })

  it('is not raised by a shock to the whole peer group', () => {
    let [shocked, usual] = [0, 0]
    for (let seed = 0; seed < 400; seed++) {
      for (const fatigue of world(seed, (_, day) => decline(day)).values()) if (isTired(fatigue)) shocked++
      for (const fatigue of world(seed, () => 1).values()) if (isTired(fatigue)) usual++
    }
    console.log(`alarms in 4,800 ads: ${shocked} with the shock, ${usual} without`)
    expect(usual / 4800).toBeLessThan(0.005)
    expect(shocked / 4800).toBeLessThan(0.005)
  })

  const worlds: Record<string, ClickWorld> = {
    still: {},
    'few clicks': { clicks: 8 },
    'many clicks': { clicks: 2000 },
    'moods of 15 %, memory 0.6': { moods: { deviation: 0.15, memory: 0.6 } },
    'moods of 30 %, memory 0.6': { moods: { deviation: 0.3, memory: 0.6 } },
    'moods of 15 %, memory 0.9': { moods: { deviation: 0.15, memory: 0.9 } },
    'heavy tails': { noise: 0.15, heavyTails: true },
    'weekends off': { weekendsOff: true, moods: { deviation: 0.1, memory: 0.6 } },
    'own weekdays': { weekdays: 0.2 },
    'drift of the peer group and growth': { drift: -0.003, growth: 0.01 },
    steered: { steering: 5, moods: { deviation: 0.15, memory: 0.7 } },
  }
  it('has at most 0.7 false alarms per ad and year, whatever the autocorrelation', () => {
    const rates = Object.entries(worlds).map(([name, world]) => ({
      name,
      rate: alarmsPerAdYear(name, world, { years: 3 }),
    }))
    for (const { name, rate } of rates)
      console.log(`false alarms per ad and year, ${name}: ${rate.toFixed(2)}`)
    for (const { name, rate } of rates) expect(rate, name).toBeLessThanOrEqual(0.7)
  })
})
