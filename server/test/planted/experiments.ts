/** Experiments with a known true effect, with noisy and autocorrelated days. */
import type { DayCount, Pair } from '../../src/features/advice/experiments/rules.ts'
import { seededRandom } from '../../src/platform/seeded-random.ts'
import { drawNormal, drawPoisson, drawSeries } from './chance.ts'

type World = { seed: number; effect: number; rho: number; days?: number; before?: number }
/** `growth`: additional daily growth of the treated regions; `wander`: deviation of their daily random walk. */
type GeoWorld = World & { growth?: number; wander?: number }

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)

export function plantSplit({ seed, effect, rho, days = 28 }: World) {
  const random = seededRandom('split', seed, effect, rho)
  const common = drawSeries(random, days, 0.2, 0.6)
  const cell = (factor: number): DayCount[] => {
    const strays = drawSeries(random, days, rho === 0 ? 0 : 0.15, rho)
    return strays.map((stray, index) => {
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

/**
 * Regions that follow the market, with individual growth, random walks and autocorrelation; `treated` of them get the
 * effect. `shock` shifts each region at the start of the study by an individual amount, like a season.
 */
type RegionWorld = Omit<World, 'rho'> & {
  rho?: number
  regions: number
  treated?: number
  growth?: number
  wander?: number
  shock?: number
  sales?: number
}

export function plantRegions(world: RegionWorld) {
  const { seed, effect, rho = 0, days = 28, before = 182, regions, treated = 2 } = world
  const random = seededRandom('regions', JSON.stringify(world), seed)
  const all = days + before
  const market = drawSeries(random, all, 0.12, 0.5)
  const series = Array.from({ length: regions + treated }, (_, region) => {
    const size = (world.sales ?? 40) * Math.exp(0.5 * drawNormal(random))
    const growth = (world.growth ?? 0) * drawNormal(random)
    const noise = drawSeries(random, all, 0.1, rho)
    const shock = (world.shock ?? 0) * drawNormal(random)
    let wandered = 0
    return market.map((move, day) => {
      wandered += (world.wander ?? 0) * drawNormal(random)
      const isDuring = day >= before
      const log = move + growth * day + wandered + noise[day]! + (isDuring ? shock : 0)
      return drawPoisson(random, size * Math.exp(log) * (isDuring && region < treated ? 1 + effect : 1))
    })
  })
  const [treatedSeries, control] = [series.slice(0, treated), series.slice(treated)]
  const sumAt = (list: readonly number[][], day: number) =>
    list.reduce((sum, region) => sum + region[day]!, 0)
  const pairs = market.map(
    (_, day): Pair => ({ treatment: sumAt(treatedSeries, day), control: sumAt(control, day) }),
  )
  return {
    before: pairs.slice(0, before),
    during: pairs.slice(before),
    regions: control.map((region) => ({ before: region.slice(0, before), during: region.slice(before) })),
  }
}

/** Regions that differ in size and market sensitivity, with drift, autocorrelation and outlier days. */
export type SeriesWorld = {
  regions: number
  days: number
  sales?: number
  rho?: number
  growth?: number
  wander?: number
  follow?: number
  tail?: boolean
}

export function plantSeries(world: SeriesWorld, seed: number): { region: string; days: number[] }[] {
  const random = seededRandom('series', JSON.stringify(world), seed)
  const market = drawSeries(random, world.days, 0.12, 0.5)
  return Array.from({ length: world.regions }, (_, index) => {
    const size = (world.sales ?? 30) * Math.exp(0.6 * drawNormal(random))
    const growth = (world.growth ?? 0) * drawNormal(random)
    const follow = 1 + (world.follow ?? 0) * drawNormal(random)
    const noise = drawSeries(random, world.days, 0.1, world.rho ?? 0)
    let wandered = 0
    const days = market.map((move, day) => {
      wandered += (world.wander ?? 0) * drawNormal(random)
      const burst = world.tail && random.chance(0.02) ? Math.min((1 - random.next()) ** -0.7, 6) : 1
      return drawPoisson(
        random,
        size * burst * Math.exp(follow * move + growth * day + wandered + noise[day]!),
      )
    })
    return { region: `R${index + 1}`, days }
  })
}
