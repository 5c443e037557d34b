import { expect, it } from 'vitest'
import {
  areaPath,
  barColumns,
  labelledPoints,
  linePath,
  lineSegments,
  nearestPoint,
  pointPositions,
  valueScale,
} from './geometry.ts'

it('lines reach both edges, bars stay inside', () => {
  expect(pointPositions(3, 100, false)).toEqual([0, 50, 100])
  expect(pointPositions(2, 100, true)).toEqual([25, 75])
  expect(pointPositions(1, 100, false)).toEqual([50])
  expect(barColumns(2, 2, 100)).toEqual([
    { offset: -20, width: 20 },
    { offset: 0, width: 20 },
  ])
  expect(barColumns(1, 2, 1000)).toEqual([{ offset: -18, width: 36 }])
})

it('the pointer selects the nearest point', () => {
  expect([0, 24, 26, 99].map((x) => nearestPoint([0, 50, 100], x))).toEqual([0, 0, 1, 2])
})

it('labels are equally far apart and never overlap', () => {
  const days = Array.from({ length: 30 }, (_, index) => `May ${index + 1}`)
  const shown = labelledPoints(days, 600)
  expect(shown[0]).toBe(0)
  expect(new Set(shown.slice(1).map((at, index) => at - shown[index]!)).size).toBe(1)
  expect((600 / 29) * shown[1]!).toBeGreaterThan('May 30'.length * 6.6)
  expect(labelledPoints(['May 1'], 600)).toEqual([0])
})

it('a missing value interrupts the line and is not drawn as zero', () => {
  const yOf = valueScale([0, 50, 100], 200)
  const segments = lineSegments([0, 10, 20, 30], [100, null, 0, 50], yOf)
  expect(segments.map(linePath)).toEqual(['M0,0', 'M20,200L30,100'])
  expect(areaPath(segments[1]!, yOf(0))).toBe('M20,200L30,100L30,200L20,200Z')
})
