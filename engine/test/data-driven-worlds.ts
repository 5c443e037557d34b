/**
 * Simulated worlds for the data-driven model. The model and its serving rule were developed on the named worlds;
 * `heldOutWorld` generates random ones that were first used after both were fixed.
 */
import { creditSales } from '../src/data-driven/model.ts'
import { decideServing } from '../src/data-driven/verdict.ts'
import { type Model, models } from '../src/index.ts'
import { misplaced, type SimulationResult, simulate, toParts, type World } from './planted-worlds.ts'

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

export const harderWorlds: Record<string, World> = {
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
}

/** No channel has an effect, and one is targeted at people who would buy anyway. */
export const steeredNulls: World[] = [
  { share: 0.2, adds: 0.1, channel: 4, pull: 0.8 },
  { share: 0.3, adds: 0.08, channel: 4, pull: 0.8 },
  { share: 0.1, adds: 0.15, channel: 2, pull: 0.7 },
].map((steering) => ({ ...planted, people: 20_000, base: 0.02, effects: none, steering }))

export const lastDecides: World = { ...planted, people: 20_000, onlyLast: true }

export const twists = ['drift', 'sticky', 'heavy', 'steered'] as const
export type Twist = (typeof twists)[number]

/** A random number of channels, effects, traffic and twist size; with `isNull` no channel has an effect. */
export function heldOutWorld(twist: Twist, seed: number, isNull = false): World {
  const next = mulberry(seed)
  const between = (low: number, high: number) => low + next() * (high - low)
  const draw = <T>(make: () => T) => Array.from({ length: count }, make)
  const count = 3 + Math.floor(next() * 5)
  const effects = draw(() => (next() < 0.4 ? 0 : between(0.005, 0.08)))
  effects[0] = 0
  effects[1] = between(0.02, 0.08)
  const world: World = {
    people: 8000,
    base: isNull ? between(0.02, 0.05) : between(0.002, 0.01),
    effects: isNull ? effects.map(() => 0) : effects,
    opening: draw(() => between(0.2, 4)),
    returning: draw(() => between(0.2, 4)),
    again: between(0.5, 0.8),
  }
  switch (twist) {
    case 'drift':
      return {
        ...world,
        laterEffects: world.effects.map((effect) => effect * between(0.3, 2)),
        laterReturning: draw(() => between(0.2, 4)),
      }
    case 'sticky':
      return { ...world, sticky: between(0.3, 0.7) }
    case 'heavy':
      return { ...world, longTail: true, moneySpread: between(1, 2) }
    case 'steered': {
      const channel = count - 1
      const steering = {
        share: between(0.1, 0.4),
        adds: between(0.02, 0.08),
        channel,
        pull: between(0.3, 0.8),
      }
      return { ...world, effects: world.effects.map((effect, at) => (at === channel ? 0 : effect)), steering }
    }
  }
}

export const simulateWorld = (world: World, seed: number): SimulationResult => simulate(world, mulberry(seed))
export const verdictOf = ({ cells, sales, transitions }: SimulationResult, world: World) =>
  decideServing(cells, sales, world.effects.length, transitions)
export const isServed = (played: SimulationResult, world: World): boolean =>
  verdictOf(played, world).reason === null

/** Mean share of misplaced money over the seeds, for the data-driven model and the five others. */
export function misplacedBy(world: World, seeds: readonly number[]): Record<Model | 'data_driven', number> {
  const sums = Object.fromEntries([...models, 'data_driven'].map((model) => [model, 0])) as Record<
    Model | 'data_driven',
    number
  >
  for (const seed of seeds) {
    const played = simulateWorld(world, seed)
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
