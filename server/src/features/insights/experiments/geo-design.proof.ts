/** What a design promises, in worlds that its rules were not chosen on: 80 % power, and verdicts without an effect in 5 %. */
import { expect, it } from 'vitest'
import { plantSeries, type SeriesWorld } from '../../../../test/planted/experiments.ts'
import { DURATIONS } from './contract.ts'
import { chooseOption, designOption, lotsOf, readerOf, toSides, usableRegions } from './design-rules.ts'

const WORLDS = 40
const AHEAD = 42
const kinds: Record<string, Omit<SeriesWorld, 'days' | 'regions'>> = {
  'days remember': { rho: 0.7 },
  'regions grow apart': { growth: 0.0008 },
  'regions wander': { wander: 0.008 },
  'heavy tails': { tail: true },
  'all of it, unequal regions': { rho: 0.5, growth: 0.0005, wander: 0.005, tail: true, follow: 0.4 },
  'few sales': { sales: 6 },
}

function play(kind: SeriesWorld, past: number) {
  let [designs, found, falseVerdicts, read] = [0, 0, 0, 0]
  const effects: number[] = []
  for (let seed = 0; seed < WORLDS; seed++) {
    const world = plantSeries({ ...kind, days: past + AHEAD }, 7000 + seed)
    const history = usableRegions(world.map(({ region, days }) => ({ region, days: days.slice(0, past) })))
    const lots = lotsOf(history, `world ${seed}`)
    const best = chooseOption(DURATIONS.flatMap((days) => designOption(history, lots, days)))
    const sides = toSides(world, lots[0]!)
    for (const days of [14, 28]) {
      read++
      if (readerOf(sides, past, days)(0).proves) falseVerdicts++
    }
    if (best === null) continue
    designs++
    effects.push(best.detectable!)
    const { verdict, proves } = readerOf(sides, past, best.days)(best.detectable!)
    if (verdict === 'positive' && proves) found++
  }
  const median = effects.sort((a, b) => a - b)[effects.length >> 1]
  return { designs, median, power: found / Math.max(designs, 1), falseShare: falseVerdicts / read }
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
  // With a true power of 80 %, fewer than 65 % of 40 worlds are found once in a hundred times.
  expect(result.power).toBeGreaterThanOrEqual(0.65)
})
