import { isDay } from '@whence/server/contract/dates.ts'
import { dayText } from '../format/times.ts'

type Entry = { name?: unknown; value?: unknown; color?: string | undefined; stroke?: string | undefined }

/** The library gives what stands at the pointer. */
export function ChartTooltip({
  active,
  payload,
  label,
  format,
}: {
  active?: boolean
  payload?: readonly Entry[]
  label?: string | number
  format: (value: number) => string
}) {
  if (!active || !payload?.length) return null
  const title = typeof label === 'string' && isDay(label) ? dayText(label, true) : label
  return (
    <div className="chart-tooltip">
      <strong>{title}</strong>
      {payload.map((entry) => (
        <div key={String(entry.name)}>
          <span style={{ background: entry.stroke ?? entry.color }} />
          {String(entry.name)}
          <b>{format(Number(entry.value))}</b>
        </div>
      ))}
    </div>
  )
}
