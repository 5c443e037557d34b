import { expect, it } from 'vitest'
import { plantRegions } from '../../../../test/planted/experiments.ts'
import { readPairs } from './design-rules.ts'
import { regionChanges } from './placebo-rules.ts'
import { decide, geoReading } from './rules.ts'

const readWorld = (world: Partial<Parameters<typeof plantRegions>[0]> & { seed: number; effect: number }) => {
  const { before, during, regions } = plantRegions({ regions: 9, ...world })
  return { ...readPairs('m', before, during, regionChanges(regions)), before, during }
}

it('the interval of a geo study excludes zero exactly if both placebo tests do', () => {
  for (let seed = 0; seed < 40; seed++) {
    const effect = [0, 0.1, 0.2, 0.4][seed % 4]!
    const { reading, checks, before, during } = readWorld({ seed, effect, wander: 0.005 })
    const raw = geoReading('m', before.slice(-56), during)!
    const passes = checks.placeboRatio! > 1 && checks.regionRatio! > 1 && (raw.low > 0 || raw.high < 0)
    expect([seed, reading!.low > 0 || reading!.high < 0]).toEqual([seed, passes])
    expect(reading!.effect).toBe(raw.effect)
    expect(reading!.low).toBeLessThanOrEqual(raw.low)
    expect(reading!.high).toBeGreaterThanOrEqual(raw.high)
  }
})

it('the interval of graded studies contains the effect, also if the regions drift', () => {
  let [graded, covered] = [0, 0]
  for (let seed = 0; seed < 40; seed++) {
    const { reading, proves } = readWorld({ seed: 500 + seed, effect: 0.4, wander: 0.01 })
    if (!proves) continue
    graded++
    if (reading!.low <= 0.4 && reading!.high >= 0.4) covered++
  }
  expect(graded).toBeGreaterThan(30)
  expect(covered).toBeGreaterThanOrEqual(0.93 * graded)
})

it('a verdict of a geo study says that a small effect reads too large', () => {
  const { checks, reading } = readWorld({ seed: 1, effect: 0.4 })
  const caution = /A small effect that is found reads too large on average\.$/
  expect(decide('complete', checks, reading, 'geo')).toEqual({
    verdict: 'positive',
    reason: expect.stringMatching(caution),
  })
  expect(decide('complete', checks, reading, 'lift').reason).not.toMatch(caution)
})
