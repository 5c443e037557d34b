/** Coverage of the 95 % intervals: in 500 simulated worlds they must contain the true effect about 475 times. */
import { expect, it } from 'vitest'
import { plantGeo, plantRegions, plantSplit } from '../../../../test/planted/experiments.ts'
import { seededRandom } from '../../../platform/seeded-random.ts'
import { readPairs } from './design-rules.ts'
import { placeboRatio, regionChanges, regionRatio } from './placebo-rules.ts'
import { decide, geoReading, provesCause, type Reading, sampleRatioP, splitReading } from './rules.ts'

const WORLDS = 500

function coverage(read: (seed: number) => Reading | null, truth: number): number {
  let covered = 0
  for (let seed = 0; seed < WORLDS; seed++) {
    const reading = read(seed)!
    if (reading.low <= truth && reading.high >= truth) covered++
  }
  return covered / WORLDS
}

const cases = [0, 0.1].flatMap((effect) => [0, 0.3, 0.6].map((rho) => ({ effect, rho })))

it.each(cases)(
  'a split test with effect $effect and autocorrelation $rho is covered 92 to 98 %',
  ({ effect, rho }) => {
    const share = coverage((seed) => {
      const { treatment, control } = plantSplit({ seed, effect, rho })
      return splitReading('outcomes_per_spend', treatment, control)
    }, effect)
    console.log('split', effect, rho, share)
    expect(share).toBeGreaterThanOrEqual(0.92)
    expect(share).toBeLessThanOrEqual(0.98)
  },
)

it.each(cases)(
  'regions with effect $effect and autocorrelation $rho are covered 92 to 98 %',
  ({ effect, rho }) => {
    const share = coverage((seed) => {
      const { before, during } = plantGeo({ seed, effect, rho })
      return geoReading('outcomes', before, during)
    }, effect)
    console.log('geo', effect, rho, share)
    expect(share).toBeGreaterThanOrEqual(0.92)
    expect(share).toBeLessThanOrEqual(0.98)
  },
)

const verdictShare = (world: Omit<Parameters<typeof plantGeo>[0], 'seed'>) => {
  let verdicts = 0
  for (let seed = 0; seed < WORLDS; seed++) {
    const { before, during } = plantGeo({ seed, ...world })
    const ratio = placeboRatio(before, during)
    const checks = { sampleRatioP: null, prePeriodOk: null, divergentDelivery: null, regionRatio: null }
    const reading = geoReading('outcomes', before.slice(-56), during)
    const { verdict } = decide('complete', { ...checks, placeboRatio: ratio }, reading, 'geo')
    if (verdict !== 'inconclusive') verdicts++
  }
  console.log('geo verdicts', JSON.stringify(world), verdicts / WORLDS)
  return verdicts / WORLDS
}

it.each(
  [
    { rho: 0, growth: 0, wander: 0 },
    { rho: 0.6, growth: 0, wander: 0 },
    { rho: 0, growth: 0.001, wander: 0 },
    { rho: 0.6, growth: -0.001, wander: 0 },
    { rho: 0, growth: 0, wander: 0.01 },
    { rho: 0, growth: 0, wander: 0.03 },
    { rho: 0.3, growth: 0.001, wander: 0.01 },
  ].flatMap((world) => [14, 28].map((days) => ({ ...world, days }))),
)('regions without an effect get a verdict in at most 5 % of worlds: %j', (world) => {
  expect(verdictShare({ effect: 0, before: 182, ...world })).toBeLessThanOrEqual(0.05)
})

it.each([
  { rho: 0, effect: 0.1 },
  { rho: 0.6, effect: 0.2 },
])('a large lift of stable regions is detected: %j', (world) => {
  expect(verdictShare({ before: 182, ...world })).toBeGreaterThanOrEqual(0.95)
})

const provenShare = (world: Omit<Parameters<typeof plantRegions>[0], 'seed'>) => {
  let proven = 0
  for (let seed = 0; seed < 250; seed++) {
    const { before, during, regions } = plantRegions({ seed, ...world })
    const checks = {
      sampleRatioP: null,
      prePeriodOk: null,
      divergentDelivery: null,
      placeboRatio: placeboRatio(before, during),
      regionRatio: regionRatio(before, during, regions),
    }
    const { verdict } = decide('complete', checks, geoReading('m', before.slice(-56), during), 'geo')
    if (provesCause('geo', verdict, checks)) proven++
  }
  console.log('geo lift', JSON.stringify(world), proven / 250)
  return proven / 250
}

it.each(
  [
    { rho: 0.6 },
    { growth: 0.002 },
    { wander: 0.01 },
    { wander: 0.03 },
    { rho: 0.4, growth: 0.001, wander: 0.01 },
    { shock: 0.1 },
    { shock: 0.2, rho: 0.3, treated: 1 },
    { sales: 4 },
  ].flatMap((world) => [5, 12].map((regions) => ({ ...world, regions, days: regions === 5 ? 28 : 14 }))),
)('regions without an effect are graded lift in at most 5 % of worlds: %j', (world) => {
  expect(provenShare({ effect: 0, ...world })).toBeLessThanOrEqual(0.05)
})

/** Coverage among graded studies only: the ones that people act on. */
it.each(
  [{}, { rho: 0.6 }, { growth: 0.001 }, { wander: 0.01 }, { shock: 0.05 }, { sales: 8 }].flatMap((world) =>
    [0.15, 0.25, 0.4].map((effect) => ({ ...world, effect })),
  ),
)('the interval of graded geo studies contains the effect in at least 93 %: %j', (world) => {
  let [graded, covered, readTotal] = [0, 0, 0]
  for (let seed = 0; seed < 120; seed++) {
    const { before, during, regions } = plantRegions({ seed: 40_000 + seed, regions: 9, days: 28, ...world })
    const { reading, proves } = readPairs('m', before, during, regionChanges(regions))
    if (!proves) continue
    graded++
    readTotal += reading!.effect
    if (reading!.low <= world.effect && reading!.high >= world.effect) covered++
  }
  console.log('graded geo', JSON.stringify(world), graded, covered / graded, readTotal / graded)
  // Of few graded studies one miss is more than 7 %.
  expect(graded - covered).toBeLessThanOrEqual(Math.max(1, 0.07 * graded))
  // A small effect that is found reads too large.
  if (graded < 40) expect(readTotal / graded).toBeGreaterThan(world.effect)
})

it.each([0.8, 0.9])(
  'a split test whose cells drift, autocorrelation %f, is covered in at least 75 %',
  (rho) => {
    const share = coverage((seed) => {
      const { treatment, control } = plantSplit({ seed: 40_000 + seed, effect: 0.1, rho })
      return splitReading('outcomes_per_spend', treatment, control)
    }, 0.1)
    console.log('split, drifting', rho, share)
    // Drift that lasts as long as the test does not show in its days; the API says so.
    expect(share).toBeGreaterThanOrEqual(0.75)
  },
)

it('a large lift of stable regions is graded lift', () => {
  expect(provenShare({ effect: 0.4, regions: 8 })).toBeGreaterThanOrEqual(0.95)
  expect(provenShare({ effect: 0.4, regions: 5, rho: 0.5 })).toBeGreaterThanOrEqual(0.6)
})

it('a working split is hardly ever called broken; one that loses 5 % of a cell nearly always is', () => {
  let [working, broken] = [0, 0]
  for (let seed = 0; seed < WORLDS; seed++) {
    const random = seededRandom('assignment', seed)
    let assigned = 0
    let lost = 0
    for (let person = 0; person < 60_000; person++) {
      if (!random.chance(0.5)) continue
      assigned++
      if (random.chance(0.05)) lost++
    }
    const p = (count: number) =>
      sampleRatioP([
        { share: 50, count },
        { share: 50, count: 60_000 - assigned },
      ])!
    if (p(assigned) < 0.001) working++
    if (p(assigned - lost) < 0.001) broken++
  }
  console.log('sample ratio: working called broken', working, 'broken called broken', broken)
  expect(working).toBeLessThanOrEqual(3)
  expect(broken).toBeGreaterThanOrEqual(0.95 * WORLDS)
})
