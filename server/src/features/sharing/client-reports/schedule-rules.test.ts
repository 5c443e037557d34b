import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../platform/contract/dates.ts'
import { localDay, localMinute } from '../../../platform/contract/zones.ts'
import { daysBefore, periodDays } from './period-rules.ts'
import { type Cadence, nextRunAt } from './schedule-rules.ts'

const weekly = (weekday: number, time = '08:00'): Cadence => ({ cadence: 'weekly', weekday, day: 1, time })
const monthly = (day: number, time = '08:00'): Cadence => ({ cadence: 'monthly', weekday: 1, day, time })
const next = (rule: Cadence, zone: string, after: string) =>
  nextRunAt(rule, zone, new Date(after)).toISOString()

describe('a schedule', () => {
  it('keeps its wall-clock time when the clocks change', () => {
    expect(next(weekly(1), 'Europe/Madrid', '2026-03-23T12:00:00Z')).toBe('2026-03-30T06:00:00.000Z')
    expect(next(weekly(1), 'Europe/Madrid', '2026-10-20T12:00:00Z')).toBe('2026-10-26T07:00:00.000Z')
  })
  it('runs right after the DST gap if its time is skipped, and once if its time occurs twice', () => {
    const spring = next(weekly(7, '02:30'), 'Europe/Madrid', '2026-03-28T12:00:00Z')
    expect(spring).toBe('2026-03-29T01:00:00.000Z')
    const autumn = next(weekly(7, '02:30'), 'Europe/Madrid', '2026-10-24T12:00:00Z')
    expect(autumn).toBe('2026-10-25T00:30:00.000Z')
    expect(next(weekly(7, '02:30'), 'Europe/Madrid', autumn)).toBe('2026-11-01T01:30:00.000Z')
  })
  it('runs each day at the same wall-clock time across a change of the clocks', () => {
    const daily: Cadence = { cadence: 'daily', weekday: 1, day: 1, time: '08:00' }
    const due = ['2026-03-27T12:00:00Z']
    for (let day = 0; day < 3; day++) due.push(next(daily, 'Europe/Madrid', due.at(-1)!))
    expect(due.slice(1)).toEqual([
      '2026-03-28T07:00:00.000Z',
      '2026-03-29T06:00:00.000Z',
      '2026-03-30T06:00:00.000Z',
    ])
  })
  it('runs on the last day of months that are too short', () => {
    expect(next(monthly(31), 'UTC', '2026-01-31T08:00:00Z')).toBe('2026-02-28T08:00:00.000Z')
    expect(next(monthly(31), 'UTC', '2028-02-01T00:00:00Z')).toBe('2028-02-29T08:00:00.000Z')
    expect(next(monthly(30), 'UTC', '2026-02-28T08:00:00Z')).toBe('2026-03-30T08:00:00.000Z')
    expect(next(monthly(1), 'America/Sao_Paulo', '2026-12-15T00:00:00Z')).toBe('2027-01-01T11:00:00.000Z')
  })
  it('is due on its day at its time in every zone, and never skips a week or a month', () => {
    const zones = [
      'Europe/Madrid',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Pacific/Apia',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        (zone, weekday, minute, after) => {
          const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
          const at = nextRunAt(weekly(weekday, time), zone, after)
          expect(at > after).toBe(true)
          expect(at.getTime() - after.getTime()).toBeLessThan(8.2 * 86_400_000)
          const day = localDay(at, zone)
          expect(new Date(`${day}T00:00:00Z`).getUTCDay()).toBe(weekday % 7)
          const runMinute = localMinute(at, zone)
          // Later only if a DST change skipped the minute.
          if (runMinute !== minute) {
            expect(runMinute).toBeGreaterThan(minute)
            expect(localMinute(at.getTime() - 60_000, zone)).toBeLessThan(minute)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a period', () => {
  const now = new Date('2026-06-01T03:00:00Z')
  it('ends yesterday in the profile’s time zone', () => {
    expect(periodDays('last_7_days', now, 'Europe/Madrid')).toEqual({ from: '2026-05-25', to: '2026-05-31' })
    expect(periodDays('last_7_days', now, 'America/New_York')).toEqual({
      from: '2026-05-24',
      to: '2026-05-30',
    })
    expect(periodDays('last_month', now, 'Europe/Madrid')).toEqual({ from: '2026-05-01', to: '2026-05-31' })
    expect(periodDays('last_month', now, 'America/New_York')).toEqual({
      from: '2026-04-01',
      to: '2026-04-30',
    })
  })
  it('is compared with the preceding period of the same length, a month with the previous month', () => {
    expect(daysBefore({ from: '2026-05-25', to: '2026-05-31' })).toEqual({
      from: '2026-05-18',
      to: '2026-05-24',
    })
    expect(daysBefore({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
      from: '2026-02-01',
      to: '2026-02-28',
    })
    expect(addDays(daysBefore({ from: '2026-03-02', to: '2026-03-31' }).to, 1)).toBe('2026-03-02')
  })
})
