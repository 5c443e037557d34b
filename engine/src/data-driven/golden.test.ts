/** Published results of other implementations; the sources are in the files. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { removal, shapley, toShares } from './coalitions.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../golden/${name}.json`, import.meta.url), 'utf8'))

type Fractribution = {
  cases: {
    transform: string
    paths: Record<string, [conversions: number, others: number]>
    expected: Record<string, Record<string, number>>
  }[]
}

describe('fractribution: shares by removing one step of a path', () => {
  const { cases } = read('fractribution') as Fractribution
  it.each(cases)('$transform', ({ paths, expected }) => {
    expect(Object.keys(expected).length).toBeGreaterThan(20)
    const rateOf = (steps: readonly string[]) => {
      const [conversions, otherwise] = paths[steps.join('')] ?? [0, 1]
      return conversions / (conversions + otherwise)
    }
    for (const [path, shares] of Object.entries(expected)) {
      const steps = [...path]
      const shareOfChannel: Record<string, number> = {}
      for (const [at, share] of toShares(removal(steps, rateOf)).entries())
        if (share > 0) shareOfChannel[steps[at]!] = (shareOfChannel[steps[at]!] ?? 0) + share
      expect([path, Object.keys(shareOfChannel).sort()]).toEqual([path, Object.keys(shares).sort()])
      for (const [channel, share] of Object.entries(shares))
        expect(shareOfChannel[channel]).toBeCloseTo(share, 7)
    }
  })
})

it('DP6: Shapley values of channel sets', () => {
  const { values, expected } = read('dp6-shapley') as {
    values: Record<string, number>
    expected: Record<string, number[]>
  }
  for (const [path, contributions] of Object.entries(expected)) {
    const shares = shapley(path.split(' > '), (part) => values[part.join(' > ')] ?? 0)
    for (const [at, contribution] of contributions.entries()) expect(shares[at]).toBeCloseTo(contribution, 5)
  }
})

it('Shapley values sum to the total value, and a channel without contribution gets 0', () => {
  const coalitionValue = (part: readonly string[]) =>
    (part.includes('a') ? 3 : 0) + (part.includes('b') && part.includes('c') ? 5 : 0)
  expect(shapley(['a', 'b', 'c', 'd'], coalitionValue).map((value) => Math.round(value * 1e9) / 1e9)).toEqual(
    [3, 2.5, 2.5, 0],
  )
})

it('without any contribution the last channel gets all', () => {
  expect(toShares([0, -1, 0])).toEqual([0, 0, 1])
  expect(toShares([0, 0, 0], 1)).toEqual([0, 1, 0])
  expect(toShares([1, -4, 3])).toEqual([0.25, 0, 0.75])
})
