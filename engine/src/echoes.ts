/**
 * Removes echoes. A click in a provider's record is an echo if the person's touches already contain it; then it is no
 * touch. Otherwise it is a touch at the time that the provider reports.
 */
export type TouchEvidence = {
  occurredAt: number
  /** Time of the provider's record; null for a touch that the tracker saw. */
  reportedAt: number | null
  /** Kind and id of the click. */
  click: string | null
  ad: string | null
}

/** The longest pause within one visit. */
const VISIT_MS = 120 * 60_000

/** One customer's touches without echoes. Expects touch order. */
export function withoutEchoes<Row>(
  touches: readonly Row[],
  evidenceOf: (touch: Row) => TouchEvidence,
): readonly Row[] {
  const evidence = touches.map(evidenceOf)
  if (evidence.every((touch) => touch.reportedAt === null)) return touches
  const observed = evidence.filter((touch) => touch.reportedAt === null)
  const nonEchoes: TouchEvidence[] = []
  return touches.filter((_, at) => {
    const touch = evidence[at]!
    if (touch.reportedAt === null) return true
    const isEcho = [...observed, ...nonEchoes].some((other) => isEchoOf(touch, touch.reportedAt!, other))
    if (!isEcho) nonEchoes.push(touch)
    return !isEcho
  })
}

/**
 * True for the same click, or the same ad in the same visit. A record without click and ad is an echo of any touch of its
 * visit. Touches after the record are never its original.
 */
function isEchoOf(touch: TouchEvidence, reportedAt: number, other: TouchEvidence): boolean {
  if (other.occurredAt > reportedAt) return false
  if (touch.click !== null && touch.click === other.click) return true
  if (touch.ad !== null) return touch.ad === other.ad && other.occurredAt >= touch.occurredAt - VISIT_MS
  return touch.click === null && Math.abs(other.occurredAt - touch.occurredAt) <= VISIT_MS
}
