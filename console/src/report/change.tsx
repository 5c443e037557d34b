import { changeText } from '../format/numbers.ts'

/** The change of a table's figure from the previous period; nothing if there is no previous figure. */
export function Change({
  now,
  before,
  lowerIsBetter = false,
  neutral = false,
  beforeText,
}: {
  now: number | null | undefined
  before: number | null | undefined
  lowerIsBetter?: boolean
  /** Neither direction is better. */
  neutral?: boolean
  /** The previous figure as text. */
  beforeText?: string | undefined
}) {
  if (now == null || !before) return null
  const change = ((now - before) / Math.abs(before)) * 100
  const isFlat = Math.abs(change) < 0.05
  const tone = isFlat || neutral ? 'delta' : change > 0 !== lowerIsBetter ? 'delta good' : 'delta bad'
  return (
    <span className={`sub ${tone}`} title={beforeText ? `${beforeText} in the previous period` : undefined}>
      {isFlat ? '±0%' : changeText(change)}
    </span>
  )
}
