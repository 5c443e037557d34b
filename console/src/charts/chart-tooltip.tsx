import type { Point, Series } from './series.ts'

/** Values at the pointer, each with its date if that differs from the point's. */
export function ChartTooltip({
  point,
  series,
  format,
  note,
}: {
  point: Point
  series: readonly Series[]
  format: (value: number) => string
  note: string | undefined
}) {
  return (
    <div className="chart-tooltip">
      <strong>{point.title}</strong>
      {series.map(({ key, label, color }) => {
        const value = point.values[key]
        if (value === undefined) return null
        const date = point.dates?.[key]
        return (
          <div key={key}>
            <span style={{ background: color }} />
            {label}
            {date ? <em>{date}</em> : null}
            <b>{value === null ? '–' : format(value)}</b>
          </div>
        )
      })}
      {point.detail?.map(({ label, value }) => (
        <div key={label} className="faint">
          {label}
          <b>{value}</b>
        </div>
      ))}
      {note ? <p>{note}</p> : null}
    </div>
  )
}
