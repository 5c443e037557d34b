/**
 * Which traits are associated with better ads. The unit is the ad, and only ads of one campaign are compared, because
 * campaigns differ in audience and budget. Significance comes from a permutation test within campaigns. The result is an
 * association: platforms optimize delivery, so the trait need not be the cause.
 */
import { seededRandom } from '../../../platform/seeded-random.ts'
import { normalQuantile } from '../../../platform/statistics/distributions.ts'

export const MIN_ADS = 8
export const MIN_CAMPAIGNS = 3
export const MAX_Q = 0.1
export const PERMUTATIONS = 999
const SEED = 'creative patterns'
const CONFOUNDED_ABOVE = 0.7

export type ScoredAd = {
  id: string
  profileId: string
  campaignId: string
  /** Logarithm of the shrunk rate. */
  logRate: number
  /** `weightOf` the posterior: higher for better known rates. */
  weight: number
  spendMinor: number
}
/** Variance between ads beyond that of their counts, so that one well-measured ad does not outweigh ten others. */
const BETWEEN_ADS = 0.1

/** `shape`: shape of the rate's Gamma posterior, whose logarithm has the variance 1/shape. */
export const weightOf = (shape: number): number => 1 / (BETWEEN_ADS + 1 / shape)

/** `carries` is null for ads with an unknown value of the dimension. */
export type Candidate<Key> = { key: Key; carries: (ad: number) => boolean | null }

export type Verdict = 'winning' | 'losing' | 'unclear'
export type Lift<Key> = {
  key: Key
  adIds: string[]
  lift: number
  liftLow: number
  liftHigh: number
  pValue: number
  qValue: number
  verdict: Verdict
  /** Of `profiles`, those whose own difference has the same sign. */
  profilesAgreeing: number
  profiles: number
}

/** Sorts ads before shuffling, so that the result does not depend on the input order. */
export const inOrder = (ads: readonly ScoredAd[]): ScoredAd[] =>
  ads.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))

/** Indexes of ads of one campaign. */
type Contrast = { carriers: Int32Array; others: Int32Array }

export function findLifts<Key>(ads: readonly ScoredAd[], candidates: readonly Candidate<Key>[]): Lift<Key>[] {
  const campaigns = groupByCampaign(ads)
  const tested = candidates.flatMap((candidate) => {
    const contrasts = contrastsOf(campaigns, candidate.carries)
    const carriers = contrasts.flatMap((contrast) => [...contrast.carriers])
    if (carriers.length < MIN_ADS || contrasts.length < MIN_CAMPAIGNS) return []
    return [{ candidate, contrasts, carriers }]
  })
  const rates = ratesOf(ads)
  const observed = tested.map(({ contrasts }) => difference(rates, contrasts))
  const nulls = shuffledDifferences(
    rates,
    campaigns,
    tested.map(({ contrasts }) => contrasts),
  )
  const pValues = observed.map((value, index) => {
    const extremeCount = nulls[index]!.filter(
      (shuffled) => Math.abs(shuffled) >= Math.abs(value) - 1e-12,
    ).length
    return (1 + extremeCount) / (1 + PERMUTATIONS)
  })
  const qValues = benjaminiHochberg(pValues)
  return tested.map(({ candidate, contrasts, carriers }, index) => {
    const value = observed[index]!
    const margin = normalQuantile(0.975) * deviation(nulls[index]!)
    return {
      key: candidate.key,
      adIds: carriers.map((ad) => ads[ad]!.id),
      lift: Math.exp(value),
      liftLow: Math.exp(value - margin),
      liftHigh: Math.exp(value + margin),
      pValue: pValues[index]!,
      qValue: qValues[index]!,
      verdict: verdictOf(value, qValues[index]!),
      ...agreement(ads, rates, contrasts, value),
    }
  })
}

export const verdictOf = (difference: number, q: number): Verdict =>
  q > MAX_Q ? 'unclear' : difference > 0 ? 'winning' : 'losing'

function groupByCampaign(ads: readonly ScoredAd[]): number[][] {
  const groups = new Map<string, number[]>()
  ads.forEach((ad, index) => {
    const key = `${ad.profileId} ${ad.campaignId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
  })
  return [...groups.values()]
}

/** Campaigns with both kinds of ads; the others carry no information about the value. */
function contrastsOf(campaigns: readonly number[][], carriesOf: (ad: number) => boolean | null): Contrast[] {
  return campaigns.flatMap((campaign) => {
    const carriers = campaign.filter((ad) => carriesOf(ad) === true)
    const others = campaign.filter((ad) => carriesOf(ad) === false)
    if (carriers.length === 0 || others.length === 0) return []
    return [{ carriers: Int32Array.from(carriers), others: Int32Array.from(others) }]
  })
}

/** Rates in typed arrays, because the permutations read them a million times. */
type Rates = { weight: Float64Array; weighted: Float64Array }

const ratesOf = (ads: readonly ScoredAd[]): Rates => ({
  weight: Float64Array.from(ads, ({ weight }) => weight),
  weighted: Float64Array.from(ads, ({ weight, logRate }) => weight * logRate),
})

/** Weighted mean over campaigns of the difference between carriers and other ads. */
function difference({ weight, weighted }: Rates, contrasts: readonly Contrast[]): number {
  let sum = 0
  let total = 0
  for (const { carriers, others } of contrasts) {
    let [inWeight, inSum, outWeight, outSum] = [0, 0, 0, 0]
    for (let index = 0; index < carriers.length; index++) {
      inWeight += weight[carriers[index]!]!
      inSum += weighted[carriers[index]!]!
    }
    for (let index = 0; index < others.length; index++) {
      outWeight += weight[others[index]!]!
      outSum += weighted[others[index]!]!
    }
    if (inWeight === 0 || outWeight === 0) continue
    const shared = (inWeight * outWeight) / (inWeight + outWeight)
    sum += shared * (inSum / inWeight - outSum / outWeight)
    total += shared
  }
  return total === 0 ? 0 : sum / total
}

/** One permutation is used for all values, which preserves their correlation. */
function shuffledDifferences(
  rates: Rates,
  campaigns: readonly number[][],
  tested: readonly Contrast[][],
): Float64Array[] {
  const random = seededRandom(SEED)
  const shuffled = { weight: rates.weight.slice(), weighted: rates.weighted.slice() }
  const nulls = tested.map(() => new Float64Array(PERMUTATIONS))
  for (let round = 0; round < PERMUTATIONS; round++) {
    for (const campaign of campaigns)
      for (let last = campaign.length - 1; last > 0; last--) {
        const chosen = campaign[Math.floor(random.next() * (last + 1))]!
        swap(shuffled.weight, campaign[last]!, chosen)
        swap(shuffled.weighted, campaign[last]!, chosen)
      }
    for (let index = 0; index < tested.length; index++)
      nulls[index]![round] = difference(shuffled, tested[index]!)
  }
  return nulls
}

function swap(list: Float64Array, a: number, b: number): void {
  const previous = list[a]!
  list[a] = list[b]!
  list[b] = previous
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

function agreement(ads: readonly ScoredAd[], rates: Rates, contrasts: readonly Contrast[], overall: number) {
  const byProfile = Object.groupBy(contrasts, ({ carriers }) => ads[carriers[0]!]!.profileId)
  const differences = Object.values(byProfile).map((group) => difference(rates, group!))
  return {
    profiles: differences.length,
    profilesAgreeing: differences.filter((value) => Math.sign(value) === Math.sign(overall)).length,
  }
}

/** q-values: expected share of false discoveries among all tests up to this p-value. */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[b]! - pValues[a]!)
  const q = new Array<number>(pValues.length)
  let smallest = 1
  order.forEach((index, fromLast) => {
    smallest = Math.min(smallest, (pValues[index]! * pValues.length) / (pValues.length - fromLast))
    q[index] = smallest
  })
  return q
}

/** Association of two traits from 0 to 1, with bias correction for small samples (Bergsma 2013). */
export function cramersV(pairs: readonly (readonly [string, string])[]): number {
  const n = pairs.length
  const rows = countBy(pairs.map(([a]) => a))
  const columns = countBy(pairs.map(([, b]) => b))
  if (n < 2 || rows.size < 2 || columns.size < 2) return 0
  const cells = countBy(pairs.map(([a, b]) => `${a}\u0000${b}`))
  let chiSquare = 0
  for (const [a, ofRow] of rows)
    for (const [b, ofColumn] of columns) {
      const expected = (ofRow * ofColumn) / n
      chiSquare += ((cells.get(`${a}\u0000${b}`) ?? 0) - expected) ** 2 / expected
    }
  const free = (rows.size - 1) * (columns.size - 1)
  const phi = Math.max(0, chiSquare / n - free / (n - 1))
  const r = rows.size - (rows.size - 1) ** 2 / (n - 1)
  const c = columns.size - (columns.size - 1) ** 2 / (n - 1)
  const most = Math.min(r, c) - 1
  return most <= 0 ? 0 : Math.min(1, Math.sqrt(phi / most))
}

export const isConfounded = (v: number): boolean => v > CONFOUNDED_ABOVE

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
