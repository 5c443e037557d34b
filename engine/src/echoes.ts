/**
 * What a provider's record says of a click is an echo where the person's touches hold that click already: it makes no
 * touch of its own. A record's click that was not seen otherwise is placed where the provider says.
 */
export type TouchEvidence = {
  occurredAt: number
  /** When the record happened; null for a touch that was seen. */
  reportedAt: number | null
  /** Kind and id of the click. */
  click: string | null
  ad: string | null
}

/** The longest pause within one visit. */
const VISIT_MS = 120 * 60_000

/** One customer's touches, in touch order, without the echoes. */
export function withoutEchoes<Row>(
  touches: readonly Row[],
  evidenceOf: (touch: Row) => TouchEvidence,
): readonly Row[] {
  const evidence = touches.map(evidenceOf)
  if (evidence.every((touch) => touch.reportedAt === null)) return touches
  const seen = evidence.filter((touch) => touch.reportedAt === null)
  const kept: TouchEvidence[] = []
  return touches.filter((_, at) => {
    const own = evidence[at]!
    if (own.reportedAt === null) return true
    const isEcho = [...seen, ...kept].some((other) => isEchoOf(own, own.reportedAt!, other))
    if (!isEcho) kept.push(own)
    return !isEcho
  })
}

/**
 * The same click, or the same ad in the visit that the record is of. A record that names neither says less than whatever
 * else is known of its visit. What was seen only after the record is another.
 */
function isEchoOf(own: TouchEvidence, reportedAt: number, other: TouchEvidence): boolean {
  if (other.occurredAt > reportedAt) return false
  if (own.click !== null && own.click === other.click) return true
  if (own.ad !== null) return own.ad === other.ad && other.occurredAt >= own.occurredAt - VISIT_MS
  return own.click === null && Math.abs(other.occurredAt - own.occurredAt) <= VISIT_MS
}
