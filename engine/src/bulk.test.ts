import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depth, shortIt as it } from '../../server/test/length.ts'
import { anyCustomers, anySettings, type WorldCustomer } from '../test/worlds.ts'
import {
  type AttributionSettings,
  attribute,
  BulkAttribution,
  creditPerEntity,
  defaultSettings,
  joinShares,
  levels,
  models,
  NO_ENTITY,
  type RollupRow,
  Rollups,
} from './index.ts'
import { compareRecorded } from './order.ts'

const key = (row: Pick<RollupRow, 'level' | 'entity' | 'day' | 'outcomeType'>) =>
  [row.level, row.entity, row.day, row.outcomeType].join('/')
type SumRow = Omit<RollupRow, 'shares'> & { shares: number[] }
const byKey = (rows: Iterable<SumRow>) =>
  [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map((row) => ({ ...row, key: key(row) }))
const joined = ({ shares: [a, b, c, d], ...row }: RollupRow): SumRow => ({
  ...row,
  shares: [joinShares(a!, b!), joinShares(c!, d!)],
})

/** Credits by touch id and rollups of a world, by the reference implementation. */
function reference(customers: readonly WorldCustomer[], settings: AttributionSettings) {
  const rollups = new Map<string, SumRow>()
  const credits: object[] = []
  for (const { touches, conversions } of customers) {
    for (const { day, outcomeType, refunds, ...conversion } of conversions) {
      const { perModel } = attribute(conversion, touches, settings)
      const parts = [{ day, conversion, counted: 1 }]
      for (const refund of refunds) {
        const negated = { occurredAt: conversion.occurredAt, amountMinor: 0 - refund.amountMinor }
        parts.push({ day: refund.day, conversion: negated, counted: 0 })
      }
      for (const part of parts) {
        const split = attribute(part.conversion, touches, settings).perModel
        models.forEach((model, m) => {
          levels.forEach((name, level) => {
            for (const credit of creditPerEntity(part.conversion, split[model], touches, name)) {
              const empty = { counts: [0, 0, 0, 0, 0], valueMinor: [0, 0, 0, 0, 0], shares: [0, 0] }
              const row = { level, entity: credit.entity, day: part.day, outcomeType, ...empty }
              const rollup = rollups.get(key(row)) ?? row
              rollup.counts[m]! += part.counted
              rollup.valueMinor[m]! += credit.amountMinor
              const divided = ['linear', 'time_decay'].indexOf(model)
              if (divided >= 0) rollup.shares[divided]! += (part.counted * credit.weight) / credit.totalWeight
              rollups.set(key(row), rollup)
            }
          })
        })
      }
      credits.push(
        models.map((model) =>
          perModel[model].map(({ touchIndex, ...credit }) => ({ touch: touches[touchIndex]!.id, ...credit })),
        ),
      )
    }
  }
  return { credits, rollups: byKey(rollups.values()) }
}

/** The same world by the bulk path, `perChunk` customers at a time. */
function inBulk(
  customers: readonly WorldCustomer[],
  settings: AttributionSettings,
  perChunk: number,
  rollups = new Rollups(),
) {
  const bulk = new BulkAttribution(settings, rollups)
  const credits: object[] = []
  for (let from = 0; from < customers.length; from += perChunk) {
    bulk.chunk.reset()
    const ids: string[] = []
    for (const { touches, conversions } of customers.slice(from, from + perChunk)) {
      bulk.chunk.beginCustomer()
      for (const touch of touches.toSorted(compareRecorded)) {
        ids[bulk.chunk.addTouch(touch.occurredAt, touch.isDirect, touch.campaign, touch.adSet, touch.ad)] =
          touch.id
      }
      for (const { occurredAt, amountMinor, day, outcomeType, refunds } of conversions) {
        const conversion = bulk.chunk.addConversion(occurredAt, amountMinor, day, outcomeType)
        for (const refund of refunds) bulk.chunk.addRefund(conversion, refund.amountMinor, refund.day)
      }
    }
    bulk.attributeChunk()
    for (let conversion = 0; conversion < bulk.credits.conversionCount; conversion++) {
      credits.push(creditsOf(bulk, conversion, ids))
    }
  }
  return { credits, rollups: byKey(bulk.rollups.rows().map(joined)) }
}

function creditsOf({ chunk, credits }: BulkAttribution, conversion: number, ids: readonly string[]) {
  return [...models.keys()].map((model) => {
    const rows = []
    for (let at = credits.start[conversion]!; at < credits.start[conversion + 1]!; at++) {
      const weight = credits.weightOf(at, model)
      if (weight === 0) continue
      const totalWeight = credits.totalWeightOf(conversion, model)
      const amountMinor = credits.amountOf(at, model, chunk.conversionAmountMinor[conversion]!)
      rows.push({ touch: ids[credits.touch[at]!]!, weight, totalWeight, amountMinor })
    }
    return rows
  })
}

type World = ReturnType<typeof reference>
/** Shares are compared separately with a tolerance, because they are sums of fractions. */
const withoutShares = ({ credits, rollups }: World) => ({
  credits,
  rollups: rollups.map(({ shares: _, ...row }) => row),
})
const sharesOf = ({ rollups }: World) => rollups.flatMap((row) => row.shares)

function expectSame(got: World, expected: World): void {
  expect(withoutShares(got)).toEqual(withoutShares(expected))
  const shares = sharesOf(expected)
  const different = sharesOf(got).filter((share, index) => !(Math.abs(share - shares[index]!) < 1e-12))
  expect(different).toEqual([])
}

describe('the bulk path', () => {
  test('equals the reference implementation on random worlds, for any chunk and buffer size', () => {
    fc.assert(
      fc.property(
        anyCustomers,
        anySettings,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 30 }),
        (customers, settings, perChunk, bufferedCredits) => {
          const rollups = new Rollups({ bufferedCredits })
          expectSame(inBulk(customers, settings, perChunk, rollups), reference(customers, settings))
        },
      ),
      { numRuns: depth(200, 1000) },
    )
  })

  it('has the same rows of entities with namedOnly', () => {
    const withEntity = ({ rollups }: World) => rollups.filter((row) => row.entity !== NO_ENTITY)
    fc.assert(
      fc.property(anyCustomers, anySettings, (customers, settings) => {
        const all = inBulk(customers, settings, 3)
        const namedOnly = inBulk(customers, settings, 3, new Rollups({ namedOnly: true }))
        expect(withEntity(namedOnly)).toEqual(withEntity(all))
      }),
      { numRuns: 200 },
    )
  })

  it('has the same total for every model and level, net of refunds', () => {
    fc.assert(
      fc.property(anyCustomers, anySettings, (customers, settings) => {
        const { rollups } = inBulk(customers, settings, 100)
        const conversions = customers.flatMap((customer) => customer.conversions)
        const total = conversions.reduce(
          (sum, { amountMinor, refunds }) =>
            refunds.reduce((remaining, refund) => remaining - refund.amountMinor, sum + amountMinor),
          0,
        )
        for (const level of [0, 1, 2]) {
          models.forEach((model, m) => {
            const rows = rollups.filter((row) => row.level === level)
            expect(rows.reduce((sum, row) => sum + row.valueMinor[m]!, 0)).toBe(total)
            const divided = ['linear', 'time_decay'].indexOf(model)
            if (divided >= 0)
              expect(rows.reduce((sum, row) => sum + row.shares[divided]!, 0)).toBeCloseTo(
                conversions.length,
                9,
              )
            const counted = rows.reduce((sum, row) => sum + row.counts[m]!, 0)
            if (model === 'linear' || model === 'time_decay') {
              expect(counted).toBeGreaterThanOrEqual(conversions.length)
            } else {
              expect(counted).toBe(conversions.length)
            }
          })
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is exact for a customer with many touches, while every column grows', () => {
    const count = 20_000
    const bulk = new BulkAttribution(defaultSettings)
    bulk.chunk.beginCustomer()
    for (let i = 0; i < count; i++) bulk.chunk.addTouch(i * 1000, i % 3 === 0, i % 700, i % 2100, i)
    for (let i = 0; i < 3; i++) bulk.chunk.addConversion(count * 1000, 100_003, 5, 0)
    bulk.attributeChunk()
    const ads = [...bulk.rollups.rows()].filter((row) => row.level === 2)
    expect(ads).toHaveLength(count)
    for (const m of models.keys()) {
      expect(ads.reduce((sum, row) => sum + row.valueMinor[m]!, 0)).toBe(300_009)
    }
    expect(ads.every((row) => row.counts[2] === 3 && row.counts[3] === 3)).toBe(true)
  })

  it('rejects touches out of order, fractional amounts and keys out of range', () => {
    const { chunk } = new BulkAttribution(defaultSettings)
    expect(() => chunk.addTouch(0, false, -1, -1, -1)).toThrow('beginCustomer')
    chunk.beginCustomer()
    chunk.addTouch(10, false, -1, -1, -1)
    expect(() => chunk.addTouch(9, false, -1, -1, -1)).toThrow('touch order')
    expect(() => chunk.addConversion(0, 0.5, 0, 0)).toThrow('whole minor units')
    expect(() => chunk.addConversion(0, 1, 2 ** 20, 0)).toThrow('day')
    expect(() => chunk.addConversion(0, 1, 0, 256)).toThrow('outcome type')
    expect(() => chunk.addRefund(0, 1, 0)).toThrow('conversion')
    chunk.beginCustomer()
    expect(chunk.addTouch(9, false, -1, -1, -1)).toBe(1)
  })

  it('counts a refund of unknown amount once in each row of its conversion, and adds no money', () => {
    const bulk = new BulkAttribution(defaultSettings)
    const { chunk } = bulk
    chunk.beginCustomer()
    chunk.addTouch(0, false, 1, 2, 3)
    chunk.addTouch(1, false, 1, 2, 4)
    chunk.addRefund(chunk.addConversion(2, 100, 0, 0), 0, 5, 7)
    bulk.attributeChunk()
    const rows = [...bulk.rollups.rows()].filter((row) => row.outcomeType === 7)
    expect(rows.every((row) => row.day === 5 && row.valueMinor.every((minor) => minor === 0))).toBe(true)
    const linear = (level: number) => rows.filter((row) => row.level === level).map((row) => row.counts[2])
    expect([linear(0), linear(1), linear(2)]).toEqual([[1], [1], [1, 1]])
    expect(() => chunk.addRefund(0, 0, 5, 256)).toThrow('outcome type')
  })

  it('throws if a sum is no longer exact', () => {
    const bulk = new BulkAttribution(defaultSettings)
    bulk.chunk.beginCustomer()
    bulk.chunk.addConversion(0, Number.MAX_SAFE_INTEGER, 0, 0)
    bulk.chunk.addConversion(0, 2, 0, 0)
    bulk.attributeChunk()
    expect(() => [...bulk.rollups.rows()]).toThrow('safe integers')
  })
})
