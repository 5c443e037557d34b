import { addDays } from '@whence/server/platform/contract/dates.ts'
import { expect, it } from 'vitest'
import { trendPoints } from './trend-points.ts'

const days = (count: number, revenue: number | null, from = '2026-05-01') =>
  Array.from({ length: count }, (_, index) => ({ date: addDays(from, index), revenue, spend: 0.1 }))

it('compares each day with the day at the same position of the previous period, and names that day', () => {
  expect(trendPoints(days(2, 10), days(2, 4, '2026-04-29'))).toEqual([
    {
      label: 'May 1',
      title: 'May 1, 2026',
      days: { from: '2026-05-01', to: '2026-05-01' },
      values: { revenue: 10, spend: 0.1, revenueBefore: 4 },
      dates: { revenueBefore: 'Apr 29, 2026' },
    },
    {
      label: 'May 2',
      title: 'May 2, 2026',
      days: { from: '2026-05-02', to: '2026-05-02' },
      values: { revenue: 10, spend: 0.1, revenueBefore: 4 },
      dates: { revenueBefore: 'Apr 30, 2026' },
    },
  ])
  expect(trendPoints(days(1, 10), undefined)[0]!.values.revenueBefore).toBeUndefined()
})

it('groups a long range into weeks without losing a day', () => {
  const points = trendPoints(days(90, 10), days(90, 4))
  expect(points).toHaveLength(13)
  expect(points[0]).toMatchObject({
    title: 'May 1 – May 7, 2026',
    days: { from: '2026-05-01', to: '2026-05-07' },
    values: { revenue: 70, spend: 0.7, revenueBefore: 28 },
  })
  expect(points.reduce((sum, { values }) => sum + values.revenue!, 0)).toBe(900)
})

it('a day without an exchange rate is unknown, not 0', () => {
  expect(trendPoints(days(1, null), undefined)[0]!.values.revenue).toBeNull()
})
