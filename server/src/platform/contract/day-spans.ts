/** Rollups kept by spans of days in addition to single days: reports read whole spans where they fit; measured in docs/decisions/0100. */
export const spans = [25, 5] as const

/** The first day of a day's span. */
export function spanStart(day: number, span: number): number {
  return Math.floor(day / span) * span
}
