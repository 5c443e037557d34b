import { NONE } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'

export const day = (instant: string | null) => (instant === null ? NONE : dayText(instant.slice(0, 10), true))

/** When the verdict is due, or the reason for the verdict or its absence. */
export function reasonText({
  status,
  verdict,
  readable_from,
  reason,
}: {
  status: string
  verdict: string | null
  readable_from: string | null
  reason: string
}): string {
  const isWaiting = verdict === null && ['planned', 'running', 'observing'].includes(status)
  return isWaiting && readable_from !== null ? `Verdict from ${day(readable_from)}` : reason
}
