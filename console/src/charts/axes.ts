/** How every chart's axes look. */
const tick = { fill: 'var(--text-3)', fontSize: 12 }

export const acrossAxis = {
  tick,
  tickLine: false,
  axisLine: { stroke: 'var(--line)' },
  minTickGap: 40,
  // Every third day, say, and not now two and now three.
  interval: 'equidistantPreserveStart' as const,
  tickMargin: 8,
}

export const upAxis = { tick, tickLine: false, axisLine: false }

export const chartMargin = { top: 8, right: 4, bottom: 0, left: 0 }
