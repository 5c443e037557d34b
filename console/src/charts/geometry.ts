/** Where points, bars and labels of a time chart are drawn. Pure, in pixels of the plot. */
const LABEL_GAP = 40
const CHARACTER_WIDTH = 6.6
const MAX_BAR_WIDTH = 36
const BAR_SHARE = 0.8

/** Centers of the points. Bars need half a step of space at both ends; lines go from edge to edge. */
export function pointPositions(count: number, width: number, hasBars: boolean): number[] {
  if (hasBars || count === 1)
    return Array.from({ length: count }, (_, index) => (width * (index + 0.5)) / count)
  return Array.from({ length: count }, (_, index) => (width * index) / (count - 1))
}

/** Index of the point nearest to the pointer. */
export function nearestPoint(positions: readonly number[], x: number): number {
  let nearest = 0
  for (const [index, position] of positions.entries())
    if (Math.abs(position - x) < Math.abs(positions[nearest]! - x)) nearest = index
  return nearest
}

/** Labels at equal distances, such as every third day, starting with the first and never closer than they can be read. */
export function labelledPoints(labels: readonly string[], width: number): number[] {
  const longest = Math.max(0, ...labels.map((label) => label.length)) * CHARACTER_WIDTH
  const step = Math.max(1, Math.ceil(((longest + LABEL_GAP) * (labels.length - 1)) / Math.max(1, width)))
  return labels.flatMap((_, index) => (index % step === 0 ? [index] : []))
}

export function valueScale(ticks: readonly number[], height: number): (value: number) => number {
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  return (value) => height - ((value - low) / (high - low)) * height
}

type Position = { x: number; y: number }

/** Consecutive points with a value; a missing value interrupts the line. */
export function lineSegments(
  positions: readonly number[],
  values: readonly (number | null | undefined)[],
  yOf: (value: number) => number,
): Position[][] {
  const segments: Position[][] = [[]]
  for (const [index, value] of values.entries())
    if (value === null || value === undefined) segments.push([])
    else segments.at(-1)!.push({ x: positions[index]!, y: yOf(value) })
  return segments.filter((segment) => segment.length > 0)
}

export function linePath(segment: readonly Position[]): string {
  return segment.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x},${y}`).join('')
}

export function areaPath(segment: readonly Position[], baseline: number): string {
  return `${linePath(segment)}L${segment.at(-1)!.x},${baseline}L${segment[0]!.x},${baseline}Z`
}

/** Bars of several series stand next to each other around the point. */
export function barColumns(
  count: number,
  pointCount: number,
  width: number,
): { offset: number; width: number }[] {
  const barWidth = Math.min(MAX_BAR_WIDTH, ((width / pointCount) * BAR_SHARE) / Math.max(1, count))
  return Array.from({ length: count }, (_, index) => ({
    offset: (index - count / 2) * barWidth,
    width: barWidth,
  }))
}
