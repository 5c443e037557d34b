/**
 * Ads are compared with ads of the same channel, format, objective, audience, country and placement. Where fewer than
 * eight are alike, the last of these is given up first; the key says what was given up.
 */
import type { Cohorted } from './counts.ts'

export const MIN_COHORT = 8
/** In the order in which they are given up. */
const givenUp = ['placement', 'geo', 'audienceWarmth', 'format'] as const
const parts = ['channel', 'format', 'objective', 'audienceWarmth', 'geo', 'placement'] as const

export type Cohort<T> = { key: string; members: T[] }

const keyOf = (ad: Cohorted, level: number): string =>
  parts.map((part) => (givenUp.slice(0, level).includes(part as never) ? '*' : ad[part])).join('|')

/** Each ad's own cohort: the finest that is large enough, else the coarsest. All who share the key are in it. */
export function cohortsOf<T extends Cohorted>(ads: readonly T[]): Map<T, Cohort<T>> {
  const levels = Array.from({ length: givenUp.length + 1 }, (_, level) => {
    const groups = new Map<string, Cohort<T>>()
    for (const ad of ads) {
      const key = keyOf(ad, level)
      const group = groups.get(key)
      if (group) group.members.push(ad)
      else groups.set(key, { key, members: [ad] })
    }
    return groups
  })
  return new Map(
    ads.map((ad) => {
      const found = levels.map((groups, level) => groups.get(keyOf(ad, level))!)
      return [ad, found.find(({ members }) => members.length >= MIN_COHORT) ?? found.at(-1)!]
    }),
  )
}
