import { describe, expect, it } from 'vitest'
import { addDays, listDays } from '../../../platform/contract/dates.ts'
import { periodOf, progressOf, type Target, type TargetDay } from './target-rules.ts'

/** A Wednesday. */
const today = '2026-06-17'
const dayOf = (day: string, count: number, fields: Partial<TargetDay> = {}): TargetDay => ({
  ...{ day, count, valueMinor: count * 1000, spendMinor: 500, unrated: 0 },
  ...fields,
})
const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay())
const days = listDays(addDays(today, -90), today).map((day) => dayOf(day, isWeekend(day) ? 1 : 5))
const target = (fields: Partial<Target>): Target => ({
  metric: 'count',
  period: 'month',
  target: 100,
  ...fields,
})

describe('a period', () => {
  it('is the week from Monday, or the calendar month', () => {
    expect(periodOf('week', today)).toEqual({ from: '2026-06-15', to: '2026-06-21' })
    expect(periodOf('week', '2026-06-21')).toEqual({ from: '2026-06-15', to: '2026-06-21' })
    expect(periodOf('month', '2028-02-29')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
    expect(periodOf('month', '2026-12-31')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
  })
})

describe('progress', () => {
  it('counts closed days, and expects their share by the weekday pattern of previous weeks', () => {
    // Two of five weekdays with 5, and two weekend days with 1: 10 of 27.
    expect(progressOf(target({ period: 'week', target: 27 }), days, today)).toEqual({
      ...{ from: '2026-06-15', to: '2026-06-21', through: '2026-06-16' },
      ...{ actual: 10, expected: 10, status: 'on_track' },
    })
    const flat = days.filter(({ day }) => day >= '2026-06-15')
    expect(progressOf(target({ period: 'week', target: 28 }), flat, today)).toMatchObject({ expected: 8 })
  })

  it('is ahead or behind beyond 10 percent, and too early below 5 outcomes', () => {
    const statusAt = (goal: number) =>
      progressOf(target({ period: 'week', target: goal }), days, today).status
    expect([24, 27, 29, 33].map(statusAt)).toEqual(['ahead', 'on_track', 'on_track', 'behind'])
    const few = days.map((row) => ({ ...row, count: row.count === 5 ? 1 : 0 }))
    expect(progressOf(target({ period: 'week', target: 5 }), few, today).status).toBe('too_early')
    expect(progressOf(target({}), days, '2026-06-01')).toMatchObject({ through: null, status: 'too_early' })
  })

  it('of CAC is better below the target, of ROAS above it', () => {
    const cac = (goal: number) =>
      progressOf(target({ metric: 'cac', period: 'week', target: goal }), days, today)
    expect(cac(100)).toMatchObject({ actual: 100, expected: 100, status: 'on_track' })
    expect([80, 120].map((goal) => cac(goal).status)).toEqual(['behind', 'ahead'])
    const roas = progressOf(target({ metric: 'roas', period: 'week', target: 12_000 }), days, today)
    expect(roas).toMatchObject({ actual: 10_000, status: 'behind' })
  })

  it('of CAC needs spend, and is behind if much spend has no outcome', () => {
    const cac = (row: Partial<TargetDay>, through?: string) =>
      progressOf(
        target({ metric: 'cac', target: 100 }),
        listDays('2026-06-01', today).map((day) => dayOf(day, 0, row)),
        today,
        through,
      )
    expect(cac({ count: 5, spendMinor: 0 })).toMatchObject({ actual: null, status: 'too_early' })
    expect(cac({ spendMinor: 31 })).toMatchObject({ actual: null, status: 'too_early' })
    expect(cac({ spendMinor: 32 })).toMatchObject({ actual: null, status: 'behind' })
    // Days with incomplete ad data are excluded.
    expect(cac({ spendMinor: 32 }, '2026-06-15')).toMatchObject({
      ...{ through: '2026-06-15', status: 'too_early' },
    })
    expect(cac({ spendMinor: 32 }, '2026-05-31')).toMatchObject({ through: null, status: 'too_early' })
    const value = progressOf(target({ metric: 'value' }), days, today, '2026-06-10')
    expect(value.through).toBe('2026-06-16')
  })

  it('of money has a status after 7 closed days or with 5 outcomes, with and without ads', () => {
    const money = (at: string, rows: readonly TargetDay[], isAdvertised: boolean) => {
      const spent = listDays('2026-06-01', at).map((day) => dayOf(day, 0, { spendMinor: 500 }))
      const all = isAdvertised ? [...rows, ...spent] : rows
      return progressOf(target({ metric: 'value', target: 100_000 }), all, at).status
    }
    const two = [dayOf('2026-06-02', 1), dayOf('2026-06-04', 1)]
    const five = [dayOf('2026-06-02', 5)]
    for (const isAdvertised of [true, false]) {
      expect(money('2026-06-06', two, isAdvertised)).toBe('too_early')
      expect(money('2026-06-06', five, isAdvertised)).toBe('behind')
      expect(money('2026-06-07', [], isAdvertised)).toBe('too_early')
      expect(money('2026-06-08', [], isAdvertised)).toBe('behind')
      expect(money('2026-06-21', [], isAdvertised)).toBe('behind')
    }
  })

  it('is unknown if an exchange rate is missing', () => {
    const unrated = [...days, dayOf('2026-06-15', 0, { unrated: 1 })]
    expect(progressOf(target({ metric: 'value' }), unrated, today)).toMatchObject({
      actual: null,
      status: 'unknown',
    })
  })
})
