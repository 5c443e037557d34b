/** Shared axis styles. */
const tick = { fill: 'var(--text-3)', fontSize: 12 }

export const xAxisStyle = {
  tick,
  tickLine: false,
  axisLine: { stroke: 'var(--line)' },
  minTickGap: 40,
  // Ticks at equal distances, such as every third day.
  interval: 'equidistantPreserveStart' as const,
  tickMargin: 8,
}

export const yAxisStyle = { tick, tickLine: false, axisLine: false }

export const chartMargin = { top: 8, right: 4, bottom: 0, left: 0 }
