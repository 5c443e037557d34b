/**
 * What a finished study says of credited revenue: the factor by which it is multiplied to get what would not have come
 * without the ads. It is shown next to the credit and never changes it.
 */
export type StudyReading = { metric: string; effect: number; low: number; high: number; level: number }
export type Factor = { factor: number; low: number; high: number }

/** Of the outcomes of people or regions that saw the ads, the share that the ads caused. */
const causedShare = (effect: number): number => effect / (1 + effect)

/**
 * A geo study is read from credited outcomes, so that the share is the factor. A lift study counts all outcomes of the
 * people who could see the ads (`tested`), credited or not: what the ads caused of them is divided by what was
 * credited in the same days. Null where that is not known, or where the ads would have caused more than was sold.
 */
export function factorOf(
  reading: StudyReading,
  counts: { kind: 'lift' | 'geo'; tested: number | null; credited: number; sold: number },
): Factor | null {
  const { kind, tested, credited, sold } = counts
  if (reading.low <= -1) return null
  const [middle, low, high] = [reading.effect, reading.low, reading.high].map(causedShare)
  if (kind === 'geo') return { factor: middle!, low: low!, high: high! }
  if (tested === null || credited <= 0 || tested * middle! > sold) return null
  const per = (share: number) => (tested * share) / credited
  return { factor: per(middle!), low: per(low!), high: per(high!) }
}

export type Buyers = { incremental: number; incremental_low: number; incremental_high: number }

/** People who would not have bought without the ads; null where the platform does not report how many bought. */
export function buyersOf(reading: StudyReading, tested: number | null): Buyers | null {
  if (tested === null || reading.metric !== 'buyers' || reading.low <= -1) return null
  const caused = (effect: number) => Math.round(tested * causedShare(effect))
  return {
    incremental: caused(reading.effect),
    incremental_low: caused(reading.low),
    incremental_high: caused(reading.high),
  }
}
