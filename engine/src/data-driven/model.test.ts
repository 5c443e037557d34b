import { describe, expect, it } from 'vitest'
import { printedSeed } from '../../../server/test/seed.ts'
import {
  harderWorlds,
  isServed,
  lastDecides,
  misplacedBy,
  nullWorlds,
  plantedWorlds,
  simulateWorld,
  steeredNulls,
  verdictOf,
} from '../../test/data-driven-worlds.ts'
import { models } from '../models.ts'
import { CREDIT_UNITS, creditIntervals, creditSales } from './model.ts'
import { decideServing } from './verdict.ts'

const seed = printedSeed('data-driven worlds')
const world = plantedWorlds.planted!

it('credits sum to the sales and are within their intervals; equal input gives equal output', () => {
  const { cells, sales } = simulateWorld(world, seed)
  const odd = { set: 0b11111, last: 2, amountMinor: -333 }
  const all = [...sales, odd, { ...odd, set: 0b100 }]
  const credits = creditSales(cells, all, 5)
  const sum = (pick: (credit: (typeof credits)[number]) => number) =>
    credits.reduce((total, credit) => total + pick(credit), 0)
  expect(sum((credit) => credit.amountMinor)).toBe(all.reduce((total, sale) => total + sale.amountMinor, 0))
  expect(sum((credit) => credit.credit)).toBe(all.length * CREDIT_UNITS)
  const intervals = creditIntervals(cells, all, 5)
  const [low, high] = [intervals[1]!.lowMinor, intervals[1]!.highMinor]
  expect(low).toBeLessThan(credits[1]!.amountMinor)
  expect(high).toBeGreaterThan(credits[1]!.amountMinor)
  const again = [structuredClone(cells), structuredClone(all), 5] as const
  expect([creditSales(...again), creditIntervals(...again)]).toEqual([credits, intervals])
})

it('matches the worked example of the guide', () => {
  const cell = { group: 0, period: 'train', visits: 1000 } as const
  const cells = [
    { ...cell, set: 0b01, last: 0, conversions: 60 },
    { ...cell, set: 0b10, last: 1, conversions: 20 },
    { ...cell, set: 0b11, last: 1, conversions: 70 },
  ]
  const credits = creditSales(cells, [{ set: 0b11, last: 1, amountMinor: 10_000 }], 2)
  expect(credits.map(({ amountMinor }) => amountMinor)).toEqual([8333, 1667])
})

it('visits without a conversion lower the credit of a channel', () => {
  const { cells, sales } = simulateWorld(world, seed)
  const idle = { group: 3, period: 'train', set: 0b10, last: 1, visits: 200_000, conversions: 0 } as const
  const [before, after] = [cells, [...cells, idle]].map(
    (visitCells) => creditSales(visitCells, sales, 5)[1]!.amountMinor,
  )
  expect(after).toBeLessThan(before! * 0.8)
})

describe('recovers planted effects better than all five models', () => {
  it.each(Object.entries({ ...plantedWorlds, ...harderWorlds }))('%s', (_, planted) => {
    const { data_driven: dataDriven, ...others } = misplacedBy(planted, [seed, seed + 1])
    for (const model of models)
      expect([model, others[model] - dataDriven]).toEqual([model, expect.toSatisfy(isMore)])
  })
  const isMore = (gap: number) => gap > 0
})

it('is withheld if no channel has an effect, in at least 95 % of worlds', () => {
  const verdicts = Object.values(nullWorlds).flatMap((nullWorld) =>
    Array.from({ length: 10 }, (_, at) => verdictOf(simulateWorld(nullWorld, seed + at), nullWorld)),
  )
  const compared = verdicts.filter(({ againstOneRate }) => againstOneRate !== null)
  expect(compared.length).toBeGreaterThan(verdicts.length * 0.8)
  expect(verdicts.filter(({ reason }) => reason === null).length).toBeLessThanOrEqual(verdicts.length * 0.05)
})

it('is withheld if only the last visit matters, because last touch predicts as well', () => {
  for (const worldSeed of [seed, seed + 1])
    expect(verdictOf(simulateWorld(lastDecides, worldSeed), lastDecides).reason).toBe(
      'not_better_than_last_touch',
    )
})

it('is withheld if a channel follows buyers, although it predicts better than last touch', () => {
  const [steered] = steeredNulls
  const played = simulateWorld(steered!, 501)
  expect(decideServing(played.cells, played.sales, 5).reason).toBeNull()
  expect(verdictOf(played, steered!).reason).toBe('channel_follows_buyers')
})

it('is served in planted worlds', () => {
  for (const [name, planted] of Object.entries(plantedWorlds))
    expect([name, isServed(simulateWorld({ ...planted, people: 20_000 }, seed), planted)]).toEqual([
      name,
      true,
    ])
})

it('returns the reason for withholding', () => {
  const { cells, sales } = simulateWorld(world, seed)
  const reasonOf = (...[visitCells, sold]: [typeof cells, typeof sales]) =>
    decideServing(visitCells, sold, 5).reason
  expect(reasonOf([], [])).toBe('too_few_payments')
  expect(reasonOf(cells.slice(0, 40), sales)).toBe('too_few_payments')
  const bought = cells.map((cell) => ({ ...cell, visits: cell.conversions }))
  expect(reasonOf(bought, sales)).toBe('too_few_visits_without_payment')
  const single = sales.filter(({ set }) => (set & (set - 1)) === 0)
  expect(reasonOf(cells, single)).toBe('one_channel_per_path')
})
