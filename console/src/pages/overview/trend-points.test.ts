import { addDays } from '@whence/server/contract/dates.ts'
import { expect, it } from 'vitest'
import { trendPoints } from './trend-points.ts'

const days = (count: number, revenue: number) =>
  Array.from({ length: count }, (_, index) => ({ date: addDays('2026-05-01', index), revenue, spend: 0.1 }))

it('lays each day over the one that stands at its place in the period before', () => {
  expect(trendPoints(days(2, 10), days(2, 4))).toEqual([
    { label: 'May 1', revenue: 10, spend: 0.1, revenueBefore: 4 },
    { label: 'May 2', revenue: 10, spend: 0.1, revenueBefore: 4 },
  ])
  expect(trendPoints(days(1, 10), undefined)[0]!.revenueBefore).toBeUndefined()
})

it('tells a long range in weeks and loses nothing of it', () => {
  const points = trendPoints(days(90, 10), days(90, 4))
  expect(points).toHaveLength(13)
  expect(points[0]).toEqual({ label: 'May 1 – May 7', revenue: 70, spend: 0.7, revenueBefore: 28 })
  expect(points.reduce((sum, point) => sum + point.revenue, 0)).toBe(900)
})
