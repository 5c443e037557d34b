/** Checks a design's promise on held-out simulated worlds: 80 % power, and at most 5 % verdicts without an effect. */
import { expect, it } from 'vitest'
import { plantSeries, type SeriesWorld } from '../../../../test/planted/experiments.ts'
import { DURATIONS } from './contract.ts'
import {
  chooseOption,
  designOption,
  randomAssignments,
  toGroupSeries,
  usableRegions,
  windowReader,
} from './design-rules.ts'

const WORLDS = 40
const AHEAD = 42
const kinds: Record<string, Omit<SeriesWorld, 'days' | 'regions'>> = {
  'autocorrelated days': { rho: 0.7 },
  'diverging growth': { growth: 0.0008 },
  'random walk': { wander: 0.008 },
  'heavy tails': { tail: true },
  'all of these, unequal regions': { rho: 0.5, growth: 0.0005, wander: 0.005, tail: true, follow: 0.4 },
  'few sales': { sales: 6 },
}

function play(kind: SeriesWorld, pastDays: number) {
  let [designs, detected, falseVerdicts, windows] = [0, 0, 0, 0]
  const effects: number[] = []
  for (let seed = 0; seed < WORLDS; seed++) {
    const world = plantSeries({ ...kind, days: pastDays + AHEAD }, 7000 + seed)
    const history = usableRegions(
      world.map(({ region, days }) => ({ region, days: days.slice(0, pastDays) })),
    )
    const draws = randomAssignments(history, `world ${seed}`)
    const best = chooseOption(DURATIONS.flatMap((days) => designOption(history, draws, days)))
    const series = toGroupSeries(world, draws[0]!)
    for (const days of [14, 28]) {
      windows++
      if (windowReader(series, pastDays, days)(0).proves) falseVerdicts++
    }
    if (best === null) continue
    designs++
    effects.push(best.detectable!)
    const { verdict, proves } = windowReader(series, pastDays, best.days)(best.detectable!)
    if (verdict === 'positive' && proves) detected++
  }
  const median = effects.sort((a, b) => a - b)[effects.length >> 1]
  return { designs, median, power: detected / Math.max(designs, 1), falseShare: falseVerdicts / windows }
}

it.each(
  Object.entries(kinds).flatMap(([name, kind]) =>
    [
      { regions: 9, past: 200 },
      { regions: 18, past: 364 },
    ].map((size) => ({ name, kind, ...size })),
  ),
)('$name, $regions regions', ({ name, kind, regions, past }) => {
  const result = play({ ...kind, regions, days: past }, past)
  console.log('geo design', name, regions, JSON.stringify(result))
  expect(result.falseShare).toBeLessThanOrEqual(0.05)
  // With a true power of 80 %, the chance of detecting fewer than 65 % of 40 worlds is 1 %.
  expect(result.power).toBeGreaterThanOrEqual(0.65)
})
