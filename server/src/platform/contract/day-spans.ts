/**
 * Rollups are stored per span of days as well as per day, so reports read whole spans where possible; measured in
 * docs/decisions/0100.
 */
export const spans = [25, 5] as const

/** The first day of a day's span. */
export function spanStart(day: number, span: number): number {
  return Math.floor(day / span) * span
}
