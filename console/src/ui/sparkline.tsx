/** A small line chart without labels. */
export function Sparkline({
  values,
  width = 96,
  height = 24,
}: {
  values: readonly number[]
  width?: number
  height?: number
}) {
  const highest = Math.max(1, ...values)
  // A day with more refunds than payments is negative.
  const lowest = Math.min(0, ...values)
  const step = values.length > 1 ? width / (values.length - 1) : width
  const heightOf = (value: number) => height - 2 - ((value - lowest) / (highest - lowest)) * (height - 4)
  const points = values.map((value, index) => `${index * step},${heightOf(value)}`)
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polyline
        points={points.length === 1 ? `0,${height - 2} ${points[0]}` : points.join(' ')}
        fill="none"
        stroke="var(--chart-1)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  )
}
