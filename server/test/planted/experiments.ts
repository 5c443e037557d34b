/** Experiments whose true effect is known, with days that differ and remember one another. */
import type { DayCount, Pair } from '../../src/features/insights/experiments/rules.ts'
import { seededRandom } from '../../src/platform/seeded-random.ts'
import { drawNormal, drawPoisson, drawSeries } from './chance.ts'

type World = { seed: number; effect: number; rho: number; days?: number; before?: number }
/** `growth` of the treated regions per day beyond the others', and by how much they wander from day to day. */
type GeoWorld = World & { growth?: number; wander?: number }

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)

export function plantSplit({ seed, effect, rho, days = 28 }: World) {
  const random = seededRandom('split', seed, effect, rho)
  const common = drawSeries(random, days, 0.2, 0.6)
  const cell = (factor: number): DayCount[] => {
    const own = drawSeries(random, days, rho === 0 ? 0 : 0.15, rho)
    return own.map((stray, index) => {
      const exposure = 100 * Math.exp(0.2 * drawNormal(random))
      const mean =
        exposure * 0.25 * factor * Math.exp(common[index]! + stray - (rho === 0 ? 0 : 0.15 ** 2 / 2))
      return { day: dayOf(index), outcomes: drawPoisson(random, mean), exposure }
    })
  }
  return { treatment: cell(1 + effect), control: cell(1) }
}

export function plantGeo({ seed, effect, rho, days = 28, before = 56, growth = 0, wander = 0 }: GeoWorld) {
  const random = seededRandom('geo', seed, effect, rho)
  const all = days + before
  const market = drawSeries(random, all, 12, 0.5)
  const noise = drawSeries(random, all, 5, rho)
  let wandered = 0
  const pairs = market.map((move, index): Pair => {
    if (wander > 0) wandered += wander * drawNormal(random)
    const usual = (40 + 0.6 * (100 + move)) * Math.exp(growth * index + wandered)
    const isTreated = index >= before
    return { control: 100 + move, treatment: usual * (isTreated ? 1 + effect : 1) + noise[index]! }
  })
  return { before: pairs.slice(0, before), during: pairs.slice(before) }
}
