import { changeText } from '../format/numbers.ts'

/** How far a figure of a table moved since the period before; nothing where there was none. */
export function Change({
  now,
  before,
  lowerIsBetter = false,
  neutral = false,
  was,
}: {
  now: number | null | undefined
  before: number | null | undefined
  lowerIsBetter?: boolean
  /** More is neither better nor worse. */
  neutral?: boolean
  /** The figure before, as text. */
  was?: string | undefined
}) {
  if (now == null || !before) return null
  const change = ((now - before) / Math.abs(before)) * 100
  const isFlat = Math.abs(change) < 0.05
  const tone = isFlat || neutral ? 'delta' : change > 0 !== lowerIsBetter ? 'delta good' : 'delta bad'
  return (
    <span className={`sub ${tone}`} title={was ? `${was} in the previous period` : undefined}>
      {isFlat ? '±0%' : changeText(change)}
    </span>
  )
}
