/**
 * Simulated visits with known channel effects. After each visit a person buys with a probability that is the sum of the
 * base rate, the effects of all channels so far and the person's intent. The true credit of a sale is each channel's part
 * of that probability.
 */

import type { Transition } from '../src/data-driven/followers.ts'
import { PERSON_GROUPS, type Sale, type VisitCell } from '../src/data-driven/model.ts'
import { attribute, type Model, models } from '../src/index.ts'
import { DAY_MS, defaultSettings } from '../src/models.ts'

/** The first channel is direct. */
export type World = {
  people: number
  base: number
  /** Probability that each channel adds to all later visits; `laterEffects` applies in the second half of the days. */
  effects: readonly number[]
  laterEffects?: readonly number[]
  /** Relative frequency of each channel among first visits and among later ones. */
  opening: readonly number[]
  returning: readonly number[]
  laterReturning?: readonly number[]
  /** Probability that a visit has the same channel as the previous one. */
  sticky?: number
  /** Probability of another visit. */
  again: number
  /** The number of visits is drawn from a Pareto distribution. */
  longTail?: boolean
  /** Standard deviation of the logarithm of money. */
  moneySpread?: number
  /** People with intent: their share, what intent adds to the probability, and the channel that targets them. */
  steering?: { share: number; adds: number; channel: number; pull: number }
  /** Only the channel of the last visit has an effect. */
  onlyLast?: boolean
  /** Effects halve with every later visit. */
  fades?: boolean
}

export type SimulationResult = {
  cells: VisitCell[]
  transitions: Transition[]
  sales: Sale[]
  /** Share of money per channel. */
  truth: number[]
  byModel: Record<Model, number[]>
}

const DAYS = 150
const TRAIN_DAYS = 80
const GAP_DAYS = 30

export function simulate(world: World, next: () => number): SimulationResult {
  const cells = new Map<string, VisitCell>()
  const transitions = new Map<string, Transition>()
  const sales: Sale[] = []
  const truth = world.effects.map(() => 0)
  const byModel = Object.fromEntries(models.map((model) => [model, world.effects.map(() => 0)])) as Record<
    Model,
    number[]
  >
  for (let person = 0; person < world.people; person++) {
    const group = person % PERSON_GROUPS
    const hasIntent = world.steering !== undefined && next() < world.steering.share
    let day = next() * DAYS
    let visitsLeft = world.longTail ? Math.floor((1 - next()) ** -0.7) : Number.POSITIVE_INFINITY
    let visits: { channel: number; day: number }[] = []
    let set = 0
    let hasPaid = false
    while (day < DAYS && visitsLeft-- > 0) {
      const isLate = day > DAYS / 2
      const channel = chooseChannel(world, visits.at(-1)?.channel, isLate, hasIntent, next)
      const from = visits.at(-1)?.channel
      if (from !== undefined)
        addTransition(transitions, { group, period: periodOf(day), from, to: channel, hasPaid })
      visits.push({ channel, day })
      set |= 1 << channel
      const effects = (isLate && world.laterEffects) || world.effects
      const parts = effects.map((effect, index) => {
        if (world.onlyLast) return index === channel ? effect : 0
        if (((set >> index) & 1) === 0) return 0
        const ago = world.fades
          ? visits.length - 1 - visits.findLastIndex((visit) => visit.channel === index)
          : 0
        return effect * 0.5 ** ago
      })
      const caused = parts.reduce((sum, part) => sum + part, 0)
      const chance = world.base + caused + (hasIntent ? world.steering!.adds : 0)
      const hasBought = next() < chance
      addVisit(cells, { group, period: periodOf(day), set, last: channel, hasBought })
      if (hasBought) {
        const amountMinor = Math.round(5000 * Math.exp((world.moneySpread ?? 0.5) * normal(next)))
        sales.push({ set, last: channel, amountMinor })
        if (caused > 0)
          for (const [index, part] of parts.entries()) truth[index]! += (amountMinor * part) / caused
        addModels(byModel, visits, amountMinor)
        visits = []
        set = 0
        hasPaid = true
      }
      if (!world.longTail && next() > world.again) break
      day += 0.2 + next() * 6
    }
  }
  return {
    cells: [...cells.values()],
    transitions: [...transitions.values()],
    sales,
    truth: toParts(truth),
    byModel: Object.fromEntries(
      models.map((model) => [model, toParts(byModel[model])]),
    ) as SimulationResult['byModel'],
  }
}

const periodOf = (day: number): VisitCell['period'] =>
  day < TRAIN_DAYS ? 'train' : day < TRAIN_DAYS + GAP_DAYS ? 'gap' : 'test'

function chooseChannel(
  world: World,
  before: number | undefined,
  isLate: boolean,
  hasIntent: boolean,
  next: () => number,
): number {
  if (before === undefined) return pick(world.opening, next)
  if (world.steering !== undefined && hasIntent && next() < world.steering.pull) return world.steering.channel
  if (world.sticky !== undefined && next() < world.sticky) return before
  return pick((isLate && world.laterReturning) || world.returning, next)
}

function pick(weights: readonly number[], next: () => number): number {
  let draw = next() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [at, weight] of weights.entries()) {
    draw -= weight
    if (draw < 0) return at
  }
  return weights.length - 1
}

const normal = (next: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())

type Visit = Pick<VisitCell, 'group' | 'period' | 'set' | 'last'> & { hasBought: boolean }

function addVisit(cells: Map<string, VisitCell>, { hasBought, ...cellKey }: Visit): void {
  const key = `${cellKey.group} ${cellKey.period} ${cellKey.set} ${cellKey.last}`
  const cell = cells.get(key) ?? { ...cellKey, visits: 0, conversions: 0 }
  cells.set(key, cell)
  cell.visits += 1
  cell.conversions += hasBought ? 1 : 0
}

function addTransition(transitions: Map<string, Transition>, step: Omit<Transition, 'visits'>): void {
  const key = Object.values(step).join(' ')
  const transition = transitions.get(key) ?? { ...step, visits: 0 }
  transitions.set(key, transition)
  transition.visits += 1
}

function addModels(
  byModel: Record<Model, number[]>,
  visits: readonly { channel: number; day: number }[],
  amountMinor: number,
): void {
  const touches = visits.map(({ channel, day }, at) => ({
    id: String(at),
    occurredAt: day * DAY_MS,
    recordedAt: at,
    isDirect: channel === 0,
  }))
  const conversion = { occurredAt: visits.at(-1)!.day * DAY_MS, amountMinor }
  const { perModel } = attribute(conversion, touches, defaultSettings)
  for (const model of models)
    for (const credit of perModel[model])
      byModel[model][visits[credit.touchIndex]!.channel]! += credit.amountMinor
}

export function toParts(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  return amounts.map((amount) => (total === 0 ? 0 : amount / total))
}

/** Share of money that is with the wrong channel. */
export const misplaced = (shares: readonly number[], truth: readonly number[]): number =>
  shares.reduce((sum, share, at) => sum + Math.abs(share - truth[at]!), 0) / 2
