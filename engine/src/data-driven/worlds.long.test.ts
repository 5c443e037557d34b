/** The bars of the data-driven model over many worlds; the figures are printed for the decision record. */
import { expect, it } from 'vitest'
import { printedSeed } from '../../../server/test/seed.ts'
import {
  heldOutWorlds,
  isServed,
  misplacedBy,
  nullWorlds,
  plantedWorlds,
  playWorld,
  steeredNull,
} from '../../test/data-driven-worlds.ts'
import { models } from '../models.ts'

const seed = printedSeed('data-driven worlds')
const seeds = Array.from({ length: 5 }, (_, at) => seed + at)
const print = (...words: unknown[]) => process.stdout.write(`${words.join(' ')}\n`)
const percent = (share: number) => `${Math.round(share * 1000) / 10} %`

it.each(Object.entries({ ...plantedWorlds, ...heldOutWorlds }))(
  'misplaces less money than each of the five models: %s',
  (name, world) => {
    const found = misplacedBy(world, seeds)
    const served = seeds.filter((one) => isServed(playWorld(world, one), world)).length
    print(
      name,
      ...Object.entries(found).map(([model, share]) => `${model}=${percent(share)}`),
      `served=${served}/5`,
    )
    for (const model of models) expect(found.data_driven).toBeLessThan(found[model])
  },
)

it.each(Object.entries(nullWorlds))('is withheld in at least 95 %% of worlds: %s', (name, world) => {
  const served = Array.from({ length: 40 }, (_, at) => isServed(playWorld(world, seed + at), world))
  const count = served.filter(Boolean).length
  print(name, `served=${count}/50`)
  expect(count).toBeLessThanOrEqual(2)
})

it('cannot tell intent from effect where nothing works and retargeting follows intent: printed, not promised', () => {
  const served = seeds.filter((one) => isServed(playWorld(steeredNull, one), steeredNull)).length
  print('nothing works, retargeting follows intent', `served=${served}/5`)
  expect(served).toBeLessThanOrEqual(5)
})
