/** The rule of the data-driven model was set on `planted` and `nothingWorks`; all others were played afterwards. */
import { creditSales } from '../src/data-driven/model.ts'
import { decideServing } from '../src/data-driven/verdict.ts'
import { type Model, models } from '../src/index.ts'
import { misplaced, type Played, play, toParts, type World } from './planted-worlds.ts'

const planted: World = {
  people: 8000,
  base: 0.004,
  effects: [0, 0.06, 0.03, 0.01, 0],
  opening: [1, 3, 2, 2, 1],
  returning: [4, 1, 1, 1, 2],
  again: 0.65,
}

export const plantedWorlds: Record<string, World> = {
  planted,
  'another closer': { ...planted, effects: [0, 0.01, 0.05, 0, 0.02], opening: [2, 2, 2, 2, 2] },
}

export const heldOutWorlds: Record<string, World> = {
  'effects and traffic drift': {
    ...planted,
    laterEffects: [0, 0.03, 0.05, 0.01, 0],
    laterReturning: [2, 2, 1, 1, 3],
  },
  'visits repeat their channel': { ...planted, sticky: 0.5 },
  'heavy tails of money and of visits': { ...planted, longTail: true, moneySpread: 1.5 },
  'retargeting follows intent': {
    ...planted,
    steering: { share: 0.2, adds: 0.05, channel: 4, pull: 0.6 },
  },
}

const none = planted.effects.map(() => 0)
export const nullWorlds: Record<string, World> = {
  'nothing works': { ...planted, people: 3000, base: 0.03, effects: none },
  'nothing works, visits repeat': { ...planted, people: 3000, base: 0.03, effects: none, sticky: 0.5 },
  'nothing works, heavy tails': {
    ...planted,
    people: 3000,
    base: 0.04,
    effects: none,
    longTail: true,
    moneySpread: 2,
  },
  'nothing works, traffic drifts': {
    ...planted,
    people: 3000,
    base: 0.03,
    effects: none,
    laterReturning: [1, 4, 0.2, 3, 1],
  },
  'the last visit decides': { ...planted, people: 3000, onlyLast: true },
}

export const steeredNull: World = {
  ...planted,
  base: 0.01,
  effects: none,
  steering: { share: 0.2, adds: 0.1, channel: 4, pull: 0.6 },
}

export const playWorld = (world: World, seed: number): Played => play(world, mulberry(seed))
export const isServed = ({ cells, sales }: Played, world: World): boolean =>
  decideServing(cells, sales, world.effects.length).reason === null

/** Mean share of misplaced money over these seeds, of the data-driven model and of the five. */
export function misplacedBy(world: World, seeds: readonly number[]): Record<Model | 'data_driven', number> {
  const sums = Object.fromEntries([...models, 'data_driven'].map((model) => [model, 0])) as Record<
    Model | 'data_driven',
    number
  >
  for (const seed of seeds) {
    const played = playWorld(world, seed)
    const credits = creditSales(played.cells, played.sales, world.effects.length)
    const shares = toParts(credits.map(({ amountMinor }) => amountMinor))
    sums.data_driven += misplaced(shares, played.truth) / seeds.length
    for (const model of models) sums[model] += misplaced(played.byModel[model], played.truth) / seeds.length
  }
  return sums
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
