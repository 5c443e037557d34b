/**
 * Calibration of credited revenue by a finished study: the factor that turns credited into incremental revenue. It is
 * shown next to the credit and never changes it.
 */
export type StudyReading = { metric: string; effect: number; low: number; high: number; level: number }
export type Factor = { factor: number; low: number; high: number }

/** The share of the treated group's outcomes that the ads caused. `effect` is relative to the control group. */
const incrementalShare = (effect: number): number => effect / (1 + effect)

/**
 * A geo study measures credited outcomes, so the incremental share is the factor. A lift study counts all outcomes of
 * the people who could see the ads (`tested`), credited or not: the incremental ones are divided by the outcomes
 * credited in the same days. Null if a count is missing, or if the ads would have caused more outcomes than there were.
 */
export function calibrationFactor(
  reading: StudyReading,
  counts: { kind: 'lift' | 'geo'; tested: number | null; credited: number; sold: number },
): Factor | null {
  const { kind, tested, credited, sold } = counts
  if (reading.low <= -1) return null
  const [middle, low, high] = [reading.effect, reading.low, reading.high].map(incrementalShare)
  if (kind === 'geo') return { factor: middle!, low: low!, high: high! }
  if (tested === null || credited <= 0 || tested * middle! > sold) return null
  const per = (share: number) => (tested * share) / credited
  return { factor: per(middle!), low: per(low!), high: per(high!) }
}

export type IncrementalBuyers = { incremental: number; incremental_low: number; incremental_high: number }

/**
 * People who would not have bought without the ads; null if the platform does not report the number of buyers, or if
 * there would be more of them than payments (`sold`): then the platform counts other people than the profile does.
 */
export function incrementalBuyers(
  reading: StudyReading,
  tested: number | null,
  sold: number,
): IncrementalBuyers | null {
  if (tested === null || reading.metric !== 'buyers' || reading.low <= -1) return null
  if (tested * incrementalShare(reading.effect) > sold) return null
  const caused = (effect: number) => Math.round(tested * incrementalShare(effect))
  return {
    incremental: caused(reading.effect),
    incremental_low: caused(reading.low),
    incremental_high: caused(reading.high),
  }
}
