import { changeText } from '../format/numbers.ts'

/** The change from the previous period. `lowerIsBetter` inverts the colours. */
export function Delta({
  now,
  before,
  lowerIsBetter = false,
  neutral = false,
  period = 'previous period',
}: {
  now: number | null
  before: number | null
  lowerIsBetter?: boolean
  neutral?: boolean
  /** Text for the period it is compared with. */
  period?: string
}) {
  if (now === null || before === null || before === 0) return <span>no previous data</span>
  const change = ((now - before) / Math.abs(before)) * 100
  const flat = Math.abs(change) < 0.05
  const good = change > 0 !== lowerIsBetter
  const tone = flat || neutral ? 'delta' : good ? 'delta good' : 'delta bad'
  return (
    <span>
      <span className={tone}>{changeText(change)}</span> <span className="nowrap">vs {period}</span>
    </span>
  )
}
