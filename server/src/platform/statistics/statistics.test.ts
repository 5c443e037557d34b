import { describe, expect, it } from 'vitest'
import { dispersionsOf } from './dispersion.ts'
import {
  boundedProbability,
  boundedPValue,
  chiSquareSurvival,
  fisherSurvival,
  gammaCdf,
  gammaQuantile,
  normalCdf,
  normalQuantile,
  studentTwoSided,
} from './distributions.ts'
import {
  fitPrior,
  peerGroupMedian,
  probabilityAbove,
  rateQuantile,
  reliability,
  shrunkRate,
} from './gamma-poisson.ts'

describe('distributions agree with printed tables', () => {
  it('normal', () => {
    expect(normalCdf(1.96)).toBeCloseTo(0.9750021, 6)
    expect(normalCdf(-1)).toBeCloseTo(0.1586553, 6)
    expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 5)
    expect(normalQuantile(0.1)).toBeCloseTo(-1.2815516, 5)
  })
  it('chi-square', () => {
    expect(chiSquareSurvival(3.841459, 1)).toBeCloseTo(0.05, 6)
    expect(chiSquareSurvival(18.307038, 10)).toBeCloseTo(0.05, 6)
  })
  it('gamma, also far out', () => {
    expect(gammaCdf(1, 2)).toBeCloseTo(1 - Math.exp(-2), 12)
    expect(gammaCdf(5, 5)).toBeCloseTo(0.5595067, 6)
    expect(gammaCdf(200_000, 200_000)).toBeCloseTo(0.5003, 3)
    expect(gammaQuantile(1, 0.5)).toBeCloseTo(Math.LN2, 9)
  })
  it('Fisher', () => {
    expect(fisherSurvival(3.325835, 5, 10)).toBeCloseTo(0.05, 5)
    expect(fisherSurvival(4.102821, 2, 10)).toBeCloseTo(0.05, 5)
  })
  it('Student', () => {
    expect(studentTwoSided(0.95, 10)).toBeCloseTo(2.228139, 5)
    expect(studentTwoSided(0.8, 3)).toBeCloseTo(1.637744, 5)
    expect(studentTwoSided(0.95, 1e6)).toBeCloseTo(1.95997, 4)
  })
})

describe('a shrunk rate', () => {
  const members = [
    { count: 30, exposure: 1000 },
    { count: 5, exposure: 1000 },
    { count: 60, exposure: 1000 },
    { count: 1, exposure: 1 },
  ]
  const prior = fitPrior(members)
  it('of one sale from one click stays near the peer group', () => {
    expect(shrunkRate(prior, members[3]!)).toBeLessThan(0.1)
    expect(reliability(prior, 1)).toBeLessThan(0.05)
    expect(probabilityAbove(prior, members[3]!, peerGroupMedian(prior))).toBeLessThan(0.9)
  })
  it('of much exposure stays near its own', () => {
    expect(shrunkRate(prior, members[2]!)).toBeGreaterThan(0.055)
    expect(probabilityAbove(prior, members[2]!, peerGroupMedian(prior))).toBeGreaterThan(0.99)
    expect(probabilityAbove(prior, members[1]!, peerGroupMedian(prior))).toBeLessThan(0.01)
    expect(rateQuantile(prior, members[2]!, 0.1)).toBeLessThan(0.06)
    expect(rateQuantile(prior, members[2]!, 0.9)).toBeGreaterThan(0.06)
  })
  it('of members that do not differ is the peer group’s, and none is above it', () => {
    const same = fitPrior([
      { count: 10, exposure: 1000 },
      { count: 10, exposure: 1000 },
      { count: 11, exposure: 1000 },
    ])
    expect(same.strength).toBe(Number.POSITIVE_INFINITY)
    expect(shrunkRate(same, { count: 50, exposure: 100 })).toBe(same.mean)
    expect(probabilityAbove(same, { count: 50, exposure: 100 }, peerGroupMedian(same))).toBe(0.5)
    expect(fitPrior([])).toEqual({ mean: 0, strength: Number.POSITIVE_INFINITY })
  })
})

it('a displayed probability is never 0 or 1', () => {
  expect([0, 0.004, 0.5, 0.9999, 1].map(boundedProbability)).toEqual([0.01, 0.01, 0.5, 0.99, 0.99])
  expect([0, 0.00123, 0.5, 1].map(boundedPValue)).toEqual([0.0001, 0.0012, 0.5, 0.999])
})

describe('dispersion', () => {
  const days = (count: (day: number) => number) =>
    Array.from({ length: 84 }, (_, day) => ({ count: count(day), exposure: 1 }))
  it('of days with slow waves is far above that of the same days mixed', () => {
    const waves = dispersionsOf([days((day) => (Math.floor(day / 14) % 2 === 0 ? 20 : 5))])[0]!
    const mixed = dispersionsOf([days((day) => (day % 2 === 0 ? 20 : 5))])[0]!
    expect(waves.ratio).toBeGreaterThan(20)
    expect(mixed.ratio).toBe(1)
  })
  it('of a member without an outcome is the peer group’s', () => {
    const [, silent] = dispersionsOf([
      days((day) => (Math.floor(day / 14) % 2 === 0 ? 20 : 5)),
      days(() => 0),
    ])
    expect(silent!.ratio).toBeGreaterThan(2)
  })
})
