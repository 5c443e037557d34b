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

/** The key of each level, the finest first, from the parts in their order. */
const keysOf = (values: readonly string[]): string[] =>
  Array.from({ length: givenUp.length + 1 }, (_, level) => {
    const without: readonly string[] = givenUp.slice(0, level)
    return parts.map((part, index) => (without.includes(part) ? '*' : values[index]!)).join('|')
  })

/** Each ad's own cohort: the finest that is large enough, else the coarsest. All who share the key are in it. */
export function cohortsOf<T extends Cohorted>(ads: readonly T[]): Map<T, Cohort<T>> {
  // Ads are many and kinds of them few, so that keys are made of kinds.
  const kindOf = new Map<string, { keys: string[]; ads: number; levels: Cohort<T>[] }>()
  const kinds = ads.map((ad) => {
    const values = parts.map((part) => ad[part])
    const key = values.join('|')
    const kind = kindOf.get(key) ?? { keys: keysOf(values), ads: 0, levels: [] }
    kindOf.set(key, kind)
    kind.ads++
    return kind
  })
  const sizes = new Map<string, number>()
  for (const kind of kindOf.values())
    for (const key of kind.keys) sizes.set(key, (sizes.get(key) ?? 0) + kind.ads)
  const own = (kind: { keys: string[] }) =>
    kind.keys.find((key) => sizes.get(key)! >= MIN_COHORT) ?? kind.keys.at(-1)!
  const cohorts = new Map(
    [...kindOf.values()].map((kind) => [own(kind), { key: own(kind), members: [] as T[] }]),
  )
  for (const kind of kindOf.values()) kind.levels = kind.keys.flatMap((key) => cohorts.get(key) ?? [])
  ads.forEach((ad, index) => {
    for (const cohort of kinds[index]!.levels) cohort.members.push(ad)
  })
  return new Map(ads.map((ad, index) => [ad, cohorts.get(own(kinds[index]!))!]))
}
