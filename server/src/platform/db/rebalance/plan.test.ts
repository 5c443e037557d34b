import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterMoves, loadsOf, planMoves, type ShardLoad } from './plan.ts'

const shardsOf = (count: number, shard: (index: number) => Partial<ShardLoad>): ShardLoad[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    node: 'a',
    tenants: 0,
    events: 0,
    ...shard(index),
  }))

const planned = (nodes: string[], shards: ShardLoad[]) => {
  const moves = planMoves(nodes, shards)
  return { moves, loads: loadsOf(nodes, afterMoves(shards, moves)) }
}

describe('rebalancing', () => {
  it('few tenants on one node are spread, even if each node has the same number of shards', () => {
    // Result of Citus' own rebalancing for small data: shards are balanced, tenants are not.
    const shards = shardsOf(30, (index) => ({
      node: index < 10 ? 'a' : index < 20 ? 'b' : 'c',
      tenants: index < 6 ? 1 : 0,
    }))
    const { loads, moves } = planned(['a', 'b', 'c'], shards)
    expect(loads.map(({ tenants }) => tenants)).toEqual([2, 2, 2])
    expect(loads.map((load) => load.shards)).toEqual([10, 10, 10])
    expect(moves.filter(({ shard }) => Number(shard) < 6).length).toBe(4)
  })

  it('a new node gets its share of tenants and of shards without tenants', () => {
    const shards = shardsOf(32, (index) => ({ node: index % 2 ? 'a' : 'b', tenants: index < 24 ? 1 : 0 }))
    const { loads } = planned(['a', 'b', 'new'], shards)
    expect(loads.map(({ tenants }) => tenants)).toEqual([8, 8, 8])
    expect(loads.map((load) => load.shards).sort()).toEqual([10, 11, 11])
  })

  it('events count: a large tenant gets a node for itself, the others share the rest', () => {
    const shards = shardsOf(9, (index) => ({ tenants: 1, events: index === 0 ? 8000 : 1000 }))
    const { loads } = planned(['a', 'b'], shards)
    expect(loads.map(({ events }) => events)).toEqual([8000, 8000])
  })

  it('two shards are swapped if no single move helps', () => {
    const events = [60, 50, 40, 30]
    const shards = shardsOf(4, (index) => ({ node: index < 2 ? 'a' : 'b', events: events[index]! }))
    const { loads, moves } = planned(['a', 'b'], shards)
    expect(loads.map((load) => load.events)).toEqual([90, 90])
    expect(moves.length).toBe(2)
  })

  it('a node that is to have no shards is emptied', () => {
    const shards = shardsOf(8, (index) => ({ node: index < 4 ? 'leaving' : 'a', tenants: index % 2 }))
    const { loads } = planned(['a', 'b'], shards)
    expect(loads.map((load) => [load.tenants, load.shards])).toEqual([
      [2, 4],
      [2, 4],
    ])
  })

  it('nothing moves for a small gain', () => {
    const shards = shardsOf(40, (index) => ({
      node: index % 2 ? 'a' : 'b',
      tenants: 1,
      events: index % 2 ? 1000 : 1040,
    }))
    expect(planMoves(['a', 'b'], shards)).toEqual([])
    expect(
      planMoves(
        ['a'],
        shardsOf(8, () => ({ tenants: 1 })),
      ),
    ).toEqual([])
    expect(planMoves(['a', 'b'], [])).toEqual([])
  })

  it('any plan moves a shard at most once, from its current node, and a second plan is empty', () => {
    const world = fc
      .record({
        nodes: fc.integer({ min: 1, max: 6 }),
        shards: fc.array(
          fc.record({
            at: fc.nat(5),
            tenants: fc.nat(3),
            events: fc.oneof(fc.constant(0), fc.nat(100), fc.nat(100_000)),
          }),
          { maxLength: 48 },
        ),
      })
      .map(({ nodes, shards }) => ({
        nodes: Array.from({ length: nodes }, (_, index) => `n${index}`),
        shards: shards.map(({ at, ...load }, index) => ({
          id: String(index),
          node: `n${at % nodes}`,
          ...load,
        })),
      }))
    const busiest = (nodes: string[], shards: ShardLoad[]) =>
      Math.max(...loadsOf(nodes, shards).map(({ tenants, events }) => tenants + events))
    fc.assert(
      fc.property(world, ({ nodes, shards }) => {
        const moves = planMoves(nodes, shards)
        const after = afterMoves(shards, moves)
        expect(new Set(moves.map(({ shard }) => shard)).size).toBe(moves.length)
        for (const { shard, from, to } of moves) {
          expect(shards.find(({ id }) => id === shard)?.node).toBe(from)
          expect(nodes).toContain(to)
        }
        expect(busiest(nodes, after)).toBeLessThanOrEqual(busiest(nodes, shards))
        expect(planMoves(nodes, after)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
