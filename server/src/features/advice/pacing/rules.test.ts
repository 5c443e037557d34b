import { describe, expect, it } from 'vitest'
import { addDays } from '../../../platform/contract/dates.ts'
import { type BudgetedCampaign, budgetDays, dueShare } from './budget-rules.ts'
import { type DaySpend, forecastMonth, type MonthSoFar, pacingOf, statusOf } from './rules.ts'

/** Double spend on weekends, with small deterministic daily variation. */
const spendOn = (day: string, index: number) =>
  (new Date(`${day}T00:00:00Z`).getUTCDay() % 6 === 0 ? 2000 : 1000) + ((index * 37) % 21) - 10

function monthSoFar(today: string, overrides: Partial<MonthSoFar> = {}): MonthSoFar {
  const days: DaySpend[] = Array.from({ length: 60 }, (_, index) => {
    const day = addDays(today, index - 59)
    const isPartial = day > addDays(today, -3)
    return { day, minor: Math.round(spendOn(day, index) * (isPartial ? 0.5 : 1)) }
  })
  return { month: today.slice(0, 7), today, all: days, running: days, caps: null, ...overrides }
}
/** November 2026 has 21 weekdays and 9 days of weekends. */
const truth = 21 * 1000 + 9 * 2000

describe('a forecast', () => {
  it('uses weekday effects, and ignores today and the two days before', () => {
    const forecast = forecastMonth(monthSoFar('2026-11-10'))!
    expect(Math.abs(forecast.projectedMinor - truth) / truth).toBeLessThan(0.01)
    expect(forecast.completeThrough).toBe('2026-11-07')
    expect(forecast.lowMinor).toBeLessThan(forecast.projectedMinor)
    expect(forecast.highMinor).toBeGreaterThan(forecast.projectedMinor)
    // 5 weekdays and 2 weekend days at double weight, of a total weight of 39.
    expect(forecast.expectedShare).toBeCloseTo((5 + 2 * 2) / 39, 2)
    // A Sunday, a Monday and a Tuesday are settled.
    expect(forecastMonth(monthSoFar('2026-11-06'))!.expectedShare).toBeCloseTo((2 + 1 + 1) / 39, 3)
  })
  const planted = (spend: (day: string, index: number) => number): MonthSoFar => {
    const today = '2026-11-16'
    const all = Array.from({ length: 120 }, (_, index) => {
      const day = addDays(today, index - 119)
      return { day, minor: Math.round(spend(day, index) * (1 + (((index * 37) % 21) - 10) / 100)) }
    })
    return { month: '2026-11', today, all, running: all, caps: null }
  }
  const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()
  it('handles weekdays that are off, and one that was recently switched on', () => {
    const off = forecastMonth(planted((day) => (weekday(day) % 6 === 0 ? 0 : 1000)))!
    expect(Math.abs(off.projectedMinor - 21_000)).toBeLessThan(600)
    expect(
      off.days.filter(({ day }) => weekday(day) === 0 && day > '2026-11-16').map(({ minor }) => minor),
    ).toEqual([0, 0])
    const newlyOn = planted((day) => (weekday(day) === 0 && day < '2026-11-01' ? 0 : 1000))
    expect(Math.abs(forecastMonth(newlyOn)!.projectedMinor - 30_000)).toBeLessThan(1200)
  })
  it('follows a drift', () => {
    const world = planted((_, index) => 1000 * 1.01 ** index)
    const truth = Array.from({ length: 30 }, (_, day) => 1000 * 1.01 ** (day + 104)).reduce((a, b) => a + b)
    const { projectedMinor, lowMinor, highMinor } = forecastMonth(world)!
    expect(Math.abs(projectedMinor / truth - 1)).toBeLessThan(0.03)
    expect([lowMinor! <= truth, highMinor! >= truth]).toEqual([true, true])
  })
  it('has no interval if past intervals failed', () => {
    // The level jumps every two weeks.
    const jumpy = planted((_, index) => (Math.floor(index / 14) % 2 === 0 ? 1000 : 4000))
    const forecast = forecastMonth(jumpy)!
    expect([forecast.lowMinor, forecast.highMinor]).toEqual([null, null])
    expect(forecast.backtest.held).toBeLessThan(forecast.backtest.tried / 2)
    expect(forecast.projectedMinor).toBeGreaterThan(0)
  })
  it('excludes campaigns that no longer run', () => {
    const paused = monthSoFar('2026-11-10')
    const forecast = forecastMonth({
      ...paused,
      running: paused.running.map(({ day }) => ({ day, minor: day < '2026-10-20' ? 0 : 100 })),
    })!
    expect(forecast.projectedMinor).toBeLessThan(truth / 2)
  })
  it('follows a change of level within weeks', () => {
    const grown = monthSoFar('2026-11-10')
    const doubled = grown.running.map(({ day, minor }) => ({
      day,
      minor: day > '2026-10-20' ? minor * 2 : minor,
    }))
    const forecast = forecastMonth({ ...grown, all: doubled, running: doubled })!
    expect(forecast.projectedMinor).toBeGreaterThan(1.75 * truth)
  })
  it('counts unsettled days with at least their reported spend', () => {
    const busy = monthSoFar('2026-11-10')
    const all = busy.all.map(({ day, minor }) => ({ day, minor: day === '2026-11-10' ? 50_000 : minor }))
    const forecast = forecastMonth({ ...busy, all })!
    expect(forecast.lowMinor).toBeGreaterThan(50_000)
    // The other days have their usual spend.
    expect(forecast.projectedMinor).toBeGreaterThan(75_000)
  })
  it('stays within what the platform can spend', () => {
    const caps = { dailyBudgetMinor: 500, perDay: 2, perWeek: null, perMonth: 30.4 }
    const forecast = forecastMonth(monthSoFar('2026-11-10', { caps }))!
    expect(forecast.days.slice(3).every(({ minor }) => minor <= 1000)).toBe(true)
    expect(forecast.highMinor).toBeLessThanOrEqual(500 * 30.4)
    const weekly = { dailyBudgetMinor: 500, perDay: 1.75, perWeek: 7, perMonth: null }
    const social = forecastMonth(monthSoFar('2026-11-27', { caps: weekly }))!
    expect(social.highMinor! - social.lowMinor!).toBeLessThanOrEqual(7 * 500)
    const early = monthSoFar('2026-11-10', { caps: weekly })
    const settled = early.all
      .filter(({ day }) => day >= '2026-11-01' && day <= '2026-11-07')
      .reduce((sum, { minor }) => sum + minor, 0)
    // 23 open days span four weeks, each limited to seven daily budgets.
    expect(forecastMonth(early)!.highMinor).toBeLessThanOrEqual(settled + 4 * 7 * 500)
  })
  it('is null with too little history, and exact when the month is over', () => {
    expect(forecastMonth({ ...monthSoFar('2026-11-10'), running: [] })).toBeNull()
    const young = monthSoFar('2026-11-10').running.filter(({ day }) => day > '2026-10-26')
    expect(forecastMonth({ ...monthSoFar('2026-11-10'), running: young })).toBeNull()
    const over = forecastMonth({ ...monthSoFar('2026-11-10'), today: '2026-12-10' })!
    expect([over.lowMinor, over.highMinor]).toEqual([over.projectedMinor, over.projectedMinor])
  })
})

it('the tolerance narrows from 25 % to 1 %', () => {
  expect([statusOf(80, 0.05), statusOf(80, 0.9), statusOf(110, 0.5), statusOf(102, 1)]).toEqual([
    'on',
    'under',
    'on',
    'over',
  ])
  expect(statusOf(pacingOf({ budgetMinor: null, settledMinor: 5, expectedShare: 0.5 }), 0.5)).toBe(
    'no_budget',
  )
  expect(pacingOf({ budgetMinor: 1000, settledMinor: 250, expectedShare: 0.5 })).toBe(50)
})

it('a month has the budgets of the campaigns that ran on its days', () => {
  const days = ['2026-10-01', '2026-10-02', '2026-10-03']
  const campaign = (overrides: Partial<BudgetedCampaign>): BudgetedCampaign => ({
    now: { isRunning: true, dailyMinor: 500 },
    settings: [],
    firstSpendDay: '2026-09-01',
    lastSpendDay: '2026-11-15',
    ...overrides,
  })
  const paused = { isRunning: false, dailyMinor: 300 }
  const ofPaused = campaign({ now: paused, lastSpendDay: '2026-10-02' })
  // The budget of a paused campaign counts on the days on which it spent; a campaign that started later does not count.
  expect(
    budgetDays([campaign({}), ofPaused, campaign({ firstSpendDay: '2026-11-01' })], days, '2026-11-16'),
  ).toEqual([800, 800, 500])
  // Recorded settings of a day take precedence over current ones.
  const settings = [
    { day: '2026-10-01', isRunning: true, dailyMinor: 900 },
    { day: '2026-10-03', ...paused },
  ]
  expect(budgetDays([campaign({ settings })], days, '2026-11-16')).toEqual([900, 900, 0])
  expect(
    budgetDays([campaign({ now: { isRunning: true, dailyMinor: null } })], days, '2026-11-16'),
  ).toBeNull()
  expect(dueShare([900, 900, 0], 1, 0.3)).toBe(0.5)
  expect(dueShare([500, 500, 500], 1, 0.3)).toBe(0.3)
})
