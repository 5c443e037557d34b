/**
 * Ads are compared with ads of the same channel, format, objective, audience, country and placement. Where fewer than
 * eight are alike, the last of these is given up first; the key says what was given up.
 */
import type { Cohorted } from './counts.ts'

export const MIN_COHORT = 8
/** In the order in which they are given up. */
const givenUp = ['placement', 'geo', 'audienceWarmth', 'format'] as const
const parts = ['channel', 'format', 'objective', 'audienceWarmth', 'geo', 'placement'] as const

/** Ads by their places in the list that was given: `members` share the key, and of those `own` are compared here. */
export type Cohort = { key: string; members: number[]; own: number[] }

/** The key of each level, the finest first, from the parts in their order. */
const keysOf = (values: readonly string[]): string[] =>
  Array.from({ length: givenUp.length + 1 }, (_, level) => {
    const without: readonly string[] = givenUp.slice(0, level)
    return parts.map((part, index) => (without.includes(part) ? '*' : values[index]!)).join('|')
  })

/** An ad's own peer group is the finest that is large enough, else the coarsest. */
export function cohortsOf(ads: readonly Cohorted[]): Cohort[] {
  // Ads are many and kinds of them few, so that keys are made of kinds.
  const kindOf = new Map<string, { keys: string[]; ads: number[] }>()
  ads.forEach((ad, place) => {
    const values = parts.map((part) => ad[part])
    const key = values.join('|')
    const kind = kindOf.get(key)
    if (kind === undefined) kindOf.set(key, { keys: keysOf(values), ads: [place] })
    else kind.ads.push(place)
  })
  const kinds = [...kindOf.values()]
  const sizes = new Map<string, number>()
  for (const kind of kinds)
    for (const key of kind.keys) sizes.set(key, (sizes.get(key) ?? 0) + kind.ads.length)
  const ownKey = (kind: { keys: string[] }) =>
    kind.keys.find((key) => sizes.get(key)! >= MIN_COHORT) ?? kind.keys.at(-1)!
  const cohorts = new Map<string, Cohort>()
  for (const kind of kinds) cohorts.set(ownKey(kind), { key: ownKey(kind), members: [], own: [] })
  const add = (to: number[], places: readonly number[]) => {
    for (const place of places) to.push(place)
  }
  for (const kind of kinds) {
    for (const key of kind.keys) {
      const cohort = cohorts.get(key)
      if (cohort !== undefined) add(cohort.members, kind.ads)
    }
    add(cohorts.get(ownKey(kind))!.own, kind.ads)
  }
  // Sums are made in the order of the ads.
  for (const { members, own } of cohorts.values())
    for (const places of [members, own]) places.sort((a, b) => a - b)
  return [...cohorts.values()]
}
