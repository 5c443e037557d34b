/** Thresholds of the data-driven model over many simulated worlds; the figures are printed for the decision record. */
import { expect, it } from 'vitest'
import { printedSeed } from '../../../server/test/seed.ts'
import {
  harderWorlds,
  heldOutWorld,
  isServed,
  lastDecides,
  misplacedBy,
  nullWorlds,
  plantedWorlds,
  simulateWorld,
  steeredNulls,
  twists,
} from '../../test/data-driven-worlds.ts'
import type { World } from '../../test/planted-worlds.ts'
import { models } from '../models.ts'
import { creditIntervals, creditSales } from './model.ts'

const seed = printedSeed('data-driven worlds')
const seedsOf = (count: number) => Array.from({ length: count }, (_, at) => seed + at)
const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
const print = (name: string, figures: Record<string, number>, served: boolean[]) => {
  const shares = Object.entries(figures).map(([model, share]) => `${model}=${percent(share)}`)
  const count = served.filter(Boolean).length
  process.stdout.write(`${name}: ${shares.join(' ')} served=${count}/${served.length}\n`)
  return count
}

function meanOf(worlds: readonly { world: World; seed: number }[]) {
  const each = worlds.map((sample) => misplacedBy(sample.world, [sample.seed]))
  const mean = (model: keyof (typeof each)[number]) =>
    each.reduce((sum, misplaced) => sum + misplaced[model], 0) / each.length
  return Object.fromEntries([...models, 'data_driven' as const].map((model) => [model, mean(model)]))
}

it.each(Object.entries({ ...plantedWorlds, ...harderWorlds }))(
  'misplaces the least money: %s',
  (name, world) => {
    const worlds = seedsOf(5).map((worldSeed) => ({ world, seed: worldSeed }))
    const means = meanOf(worlds)
    print(
      name,
      means,
      worlds.map((sample) => isServed(simulateWorld(world, sample.seed), world)),
    )
    for (const model of models) expect(means.data_driven).toBeLessThan(means[model]!)
  },
)

it.each(twists)('misplaces the least money in held-out worlds: %s', (twist) => {
  const worlds = seedsOf(8).map((worldSeed) => ({ world: heldOutWorld(twist, worldSeed), seed: worldSeed }))
  const means = meanOf(worlds)
  print(
    `held out, ${twist}`,
    means,
    worlds.map((sample) => isServed(simulateWorld(sample.world, sample.seed), sample.world)),
  )
  for (const model of models) expect(means.data_driven).toBeLessThan(means[model]!)
})

it.each(Object.entries(nullWorlds))('is withheld in 38 of 40 worlds: %s', (name, world) => {
  const served = seedsOf(40).map((worldSeed) => isServed(simulateWorld(world, worldSeed), world))
  expect(print(name, {}, served)).toBeLessThanOrEqual(2)
})

it('is withheld in 57 of 60 worlds in which no channel has an effect and one follows buyers', () => {
  const served = steeredNulls.flatMap((world) =>
    seedsOf(20).map((worldSeed) => isServed(simulateWorld(world, worldSeed), world)),
  )
  expect(print('nothing works, retargeting of buyers', {}, served)).toBeLessThanOrEqual(3)
})

it('is withheld in 19 of 20 worlds in which only the last visit matters', () => {
  const served = seedsOf(20).map((worldSeed) => isServed(simulateWorld(lastDecides, worldSeed), lastDecides))
  expect(print('the last visit decides', {}, served)).toBeLessThanOrEqual(1)
})

/** Intervals describe other samples of people of the same world. Their coverage of the truth is printed, for the texts. */
it.each(twists)('the intervals cover the credit by other people of the same world: %s', (twist) => {
  let [coveredOther, coveredTruth, all] = [0, 0, 0]
  for (const worldSeed of seedsOf(20)) {
    const world = heldOutWorld(twist, worldSeed + 1000)
    const played = simulateWorld(world, worldSeed + 1000)
    if (!isServed(played, world)) continue
    const total = played.sales.reduce((sum, sale) => sum + sale.amountMinor, 0)
    const byOthers = creditSales(
      simulateWorld(world, worldSeed + 2000).cells,
      played.sales,
      world.effects.length,
    )
    const intervals = creditIntervals(played.cells, played.sales, world.effects.length)
    for (const [channel, { lowMinor, highMinor }] of intervals.entries()) {
      const isWithin = (minor: number) => lowMinor <= minor && minor <= highMinor
      all++
      if (isWithin(byOthers[channel]!.amountMinor)) coveredOther++
      if (isWithin(played.truth[channel]! * total)) coveredTruth++
    }
  }
  process.stdout.write(
    `intervals, ${twist}: other people ${percent(coveredOther / all)}, truth ${percent(coveredTruth / all)} of ${all}\n`,
  )
  expect(coveredOther / all).toBeGreaterThanOrEqual(0.5)
})

it('is withheld in 95 of 100 held-out worlds in which no channel has an effect', () => {
  const kinds = ['drift', 'sticky', 'heavy'] as const
  const served = kinds.flatMap((twist) =>
    seedsOf(34).map((worldSeed) => {
      const world = heldOutWorld(twist, worldSeed, true)
      return isServed(simulateWorld(world, worldSeed), world)
    }),
  )
  expect(print('held out, no channel works', {}, served)).toBeLessThanOrEqual(5)
})
