/** Computes lifts of single trait values, pairs of values, and archetypes from scored ads. */
import { wilson } from '../../../platform/statistics/wilson.ts'
import {
  type Candidate,
  cramersV,
  findLifts,
  inOrder,
  isConfounded,
  type Lift,
  type ScoredAd,
} from './lift-rules.ts'
import { type Dimension, dimensions, type Traits } from './traits-rules.ts'

export type TraitedAd = ScoredAd & {
  traits: Traits
  /** The ad's rate is above the peer group's median with probability ≥ 0.9. */
  isWinner: boolean
  currency: string
}
export type TraitValue = { dimension: Dimension; value: string }

export type DimensionRow = Lift<TraitValue> & { spendMinor: number; confoundedWith: Dimension[] }
export type PatternRow = Lift<Pair> & {
  spendMinor: number
  confoundedWith: Dimension[]
}

/** Selected by frequency, never by performance. Few enough that a p-value of 999 permutations can be significant among them. */
const MAX_PAIRS = 40

export function findDimensions(unordered: readonly TraitedAd[]): DimensionRow[] {
  const ads = inOrder(unordered) as TraitedAd[]
  const lifts = findLifts(ads, candidatesOf(ads))
  const spend = spendOf(ads)
  const confounding = confoundingOf(ads)
  return lifts.map((lift) => ({
    ...lift,
    spendMinor: spend(lift.adIds),
    confoundedWith: confounding.get(lift.key.dimension) ?? [],
  }))
}

export function findPatterns(unordered: readonly TraitedAd[]): PatternRow[] {
  const ads = inOrder(unordered) as TraitedAd[]
  const confounding = confoundingOf(ads)
  const lifts = withoutRepeats(ads, findLifts(ads, pairsOf(ads, confounding)))
  const spend = spendOf(ads)
  return lifts.map((lift) => {
    const liftDimensions = lift.key.map(({ dimension }) => dimension)
    const confounders = liftDimensions.flatMap((dimension) => confounding.get(dimension) ?? [])
    return {
      ...lift,
      spendMinor: spend(lift.adIds),
      confoundedWith: dimensions.filter(
        (dimension) => confounders.includes(dimension) && !liftDimensions.includes(dimension),
      ),
    }
  })
}

/** Significance level of the tests that a pair adds to its single traits. */
const PAIR_SIGNIFICANCE = 0.01
type Pair = readonly [TraitValue, TraitValue]

/**
 * Drops pairs that only repeat a single trait. Among the ads with one trait of the pair, those that also have the other
 * must be better (or worse) than those without it; and the pair must still be better (or worse) after excluding ads with
 * any other reported single trait.
 */
function withoutRepeats(ads: readonly TraitedAd[], pairs: readonly Lift<Pair>[]): Lift<Pair>[] {
  const announced = pairs.filter(({ verdict }) => verdict !== 'unclear')
  if (announced.length === 0) return [...pairs]
  const singles = findLifts(ads, candidatesOf(ads)).filter(({ verdict }) => verdict !== 'unclear')
  const tests = announced.flatMap((pair) => {
    const [first, second] = pair.key
    const isOwn = ({ dimension, value }: TraitValue) =>
      pair.key.some((trait) => trait.dimension === dimension && trait.value === value)
    const both = (ad: TraitedAd) => bothOf(carries(ad, first), carries(ad, second))
    return [
      { pair, carries: (ad: TraitedAd) => (carries(ad, first) ? carries(ad, second) : null) },
      { pair, carries: (ad: TraitedAd) => (carries(ad, second) ? carries(ad, first) : null) },
      ...singles
        .filter(({ key, verdict }) => verdict === pair.verdict && !isOwn(key))
        .map(({ key }) => ({ pair, carries: (ad: TraitedAd) => (carries(ad, key) ? null : both(ad)) })),
    ]
  })
  const lifts = findLifts(
    ads,
    tests.map((test) => ({ key: test, carries: (ad: number) => test.carries(ads[ad]!) })),
  )
  const passed = new Set(
    lifts.flatMap(({ key, pValue, lift }) =>
      pValue <= PAIR_SIGNIFICANCE && lift > 1 === (key.pair.verdict === 'winning') ? [key] : [],
    ),
  )
  return pairs.filter((pair) => tests.every((test) => test.pair !== pair || passed.has(test)))
}

const bothOf = (first: boolean | null, second: boolean | null): boolean | null =>
  first === null || second === null ? null : first && second

function carries(ad: TraitedAd, { dimension, value }: TraitValue): boolean | null {
  const traitValue = ad.traits[dimension]
  return traitValue === null ? null : traitValue === value
}

const candidatesOf = (ads: readonly TraitedAd[]): Candidate<TraitValue>[] =>
  valuesOf(ads).map((key) => ({ key, carries: (ad) => carries(ads[ad]!, key) }))

/** Only the presence of a yes/no trait is a value: its absence is the same comparison reversed. */
function valuesOf(ads: readonly TraitedAd[]): TraitValue[] {
  return dimensions.flatMap((dimension) =>
    [...new Set(ads.map((ad) => ad.traits[dimension]))]
      .filter((value): value is string => value !== null && value !== 'no' && value !== 'none')
      .sort()
      .map((value) => ({ dimension, value })),
  )
}

/** If this share of the ads with one trait have the other, the pair is nearly the same as that trait. */
const REDUNDANT_SHARE = 0.8

/** Skips pairs of confounded traits, and pairs in which one value is nearly implied by the other. */
function pairsOf(
  ads: readonly TraitedAd[],
  confounding: ReadonlyMap<Dimension, Dimension[]>,
): Candidate<Pair>[] {
  const values = valuesOf(ads)
  const counts = new Map(values.map((value) => [value, ads.filter((ad) => carries(ad, value)).length]))
  const carriers = (value: TraitValue) => counts.get(value)!
  const pairs = values.flatMap((first, index) =>
    values.slice(index + 1).flatMap((second) => {
      if (first.dimension === second.dimension) return []
      if (confounding.get(first.dimension)?.includes(second.dimension)) return []
      const count = ads.filter((ad) => carries(ad, first) && carries(ad, second)).length
      const isRedundant = count >= REDUNDANT_SHARE * Math.min(carriers(first), carriers(second))
      return count === 0 || isRedundant ? [] : [{ key: [first, second] as const, count }]
    }),
  )
  return pairs
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_PAIRS)
    .map(({ key }) => ({
      key,
      carries: (index) => bothOf(carries(ads[index]!, key[0]), carries(ads[index]!, key[1])),
    }))
}

function confoundingOf(ads: readonly TraitedAd[]): Map<Dimension, Dimension[]> {
  const confounded = new Map<Dimension, Dimension[]>()
  dimensions.forEach((first, index) => {
    for (const second of dimensions.slice(index + 1)) {
      const pairs = ads.flatMap(({ traits }) => {
        const [a, b] = [traits[first], traits[second]]
        return a === null || b === null ? [] : [[a, b] as const]
      })
      if (!isConfounded(cramersV(pairs))) continue
      confounded.set(first, [...(confounded.get(first) ?? []), second])
      confounded.set(second, [...(confounded.get(second) ?? []), first])
    }
  })
  return confounded
}

function spendOf(ads: readonly TraitedAd[]): (adIds: readonly string[]) => number {
  const byId = new Map(ads.map((ad) => [ad.id, ad.spendMinor]))
  return (adIds) => adIds.reduce((sum, id) => sum + byId.get(id)!, 0)
}

const bySpend = (a: TraitedAd, b: TraitedAd) => b.spendMinor - a.spendMinor || (a.id < b.id ? -1 : 1)

/** Highest spend first. Different currencies are not comparable: then the first of each currency, the second of each, … */
export function mostSpentFirst(ads: readonly TraitedAd[]): string[] {
  const ranked = [...Map.groupBy(ads, ({ currency }) => currency).values()].flatMap((group) =>
    group.toSorted(bySpend).map(({ id }, rank) => ({ id, rank })),
  )
  return ranked.toSorted((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
}

type Archetype = { name: string; definition: string; holds: (traits: Traits) => boolean }

/** In order of precedence: an ad belongs to the first that fits. */
const archetypes: readonly Archetype[] = [
  {
    name: 'customer_story',
    definition: 'The text quotes somebody.',
    holds: (traits) => traits.testimonial === 'yes',
  },
  {
    name: 'offer',
    definition: 'The text names a price, a percentage or something free.',
    holds: (traits) => traits.offer !== null && traits.offer !== 'none',
  },
  {
    name: 'question',
    definition: 'The text asks a question.',
    holds: (traits) => traits.question === 'yes',
  },
  {
    name: 'proof_by_numbers',
    definition: 'The text argues with a number that is not an offer.',
    holds: (traits) => traits.number === 'yes',
  },
  {
    name: 'product_carousel',
    definition: 'A carousel of several cards.',
    holds: (traits) => traits.format === 'carousel',
  },
  {
    name: 'video',
    definition: 'A video without any of the above.',
    holds: ({ format }) => format === 'video',
  },
  {
    name: 'plain_statement',
    definition: 'An image whose text is a plain statement.',
    holds: (traits) => traits.format !== null && traits.question === 'no',
  },
]
const MAX_SAMPLES = 5

export type ArchetypeRow = {
  archetype: string
  definition: string
  ads: number
  winRate: number
  winRateLow: number
  winRateHigh: number
  /** Sorted by `mostSpentFirst`. */
  adIds: string[]
  sampleAdIds: string[]
}

export function findArchetypes(unordered: readonly TraitedAd[]): ArchetypeRow[] {
  const ads = inOrder(unordered) as TraitedAd[]
  const groups = Map.groupBy(ads, ({ traits }) => archetypes.find(({ holds }) => holds(traits)))
  return archetypes.flatMap((archetype) => {
    const members = groups.get(archetype) ?? []
    if (members.length === 0) return []
    const wins = members.filter(({ isWinner }) => isWinner).length
    const [low, high] = wilson(wins, members.length)
    const adIds = mostSpentFirst(members)
    return {
      archetype: archetype.name,
      definition: archetype.definition,
      ads: members.length,
      winRate: wins / members.length,
      winRateLow: low,
      winRateHigh: high,
      adIds,
      sampleAdIds: adIds.slice(0, MAX_SAMPLES),
    }
  })
}
