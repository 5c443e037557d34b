import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { addDays, dayAt, dayNumber, isDay, listDays, listMonths, parseDateRange } from './dates.ts'
import { dayBounds, isTimeZone, localDay, localMinute, rangeBounds } from './zones.ts'

const anyDay = fc
  .integer({ min: dayNumber('1971-01-01'), max: dayNumber('2050-12-31') })
  .map((number) => dayAt(number))

describe('a day', () => {
  it.each(['2024-02-29', '2000-02-29', '2025-12-31', '0001-01-01', '9999-12-31'])('%s is valid', (day) => {
    expect(isDay(day)).toBe(true)
    expect(dayAt(dayNumber(day))).toBe(day)
  })

  it.each([
    '2025-02-29',
    '1900-02-29',
    '2025-02-30',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '0000-01-01',
    '2025-1-1',
    '2025-01-01T00:00:00Z',
    '2025-01-01\n',
    '٢٠٢٥-٠١-٠١',
    'infinity',
    '',
  ])('%j is not valid', (text) => {
    expect(isDay(text)).toBe(false)
  })

  it('addDays follows the calendar', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -800, max: 800 }), (day, days) => {
        expect(addDays(day, days)).toBe(Temporal.PlainDate.from(day).add({ days }).toString())
      }),
    )
  })
})

describe('a date range', () => {
  it('of 1 to 366 days is accepted', () => {
    expect(parseDateRange('2025-01-01', '2025-01-01')).toMatchObject({ ok: true, range: { days: 1 } })
    expect(parseDateRange('2024-01-01', '2024-12-31')).toMatchObject({ ok: true, range: { days: 366 } })
    expect(parseDateRange('2025-01-01', '2026-01-01')).toMatchObject({ ok: true, range: { days: 366 } })
  })

  it.each([
    [undefined, '2025-01-01', 'date_from', /both/],
    ['2025-01-01', undefined, 'date_to', /both/],
    ['', '2025-01-01', 'date_from', /both/],
    ['2025-02-30', '2025-03-01', 'date_from', /YYYY/],
    ['2025-03-01', 'infinity', 'date_to', /YYYY/],
    ['2025-01-02', '2025-01-01', 'date_from', /after/],
    ['2025-01-01', '2026-01-02', 'date_to', /366/],
  ])('from %s to %s is refused, and names the day to blame', (from, to, field, problem) => {
    expect(parseDateRange(from, to)).toEqual({ ok: false, field, problem: expect.stringMatching(problem) })
  })

  it('lists its days and months without gap or overlap', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(366), (from, span) => {
        const to = addDays(from, span)
        const days = listDays(from, to)
        expect([days.length, days[0], days.at(-1)]).toEqual([span + 1, from, to])
        const months = listMonths(from, to)
        expect(months.flatMap((month) => listDays(month.from, month.to))).toEqual(days)
        for (const { month, from: first, to: last } of months) {
          expect([first.slice(0, 7), last.slice(0, 7)]).toEqual([month, month])
        }
        expect(new Set(months.map((month) => month.month)).size).toBe(months.length)
      }),
    )
    expect(listDays('2025-01-02', '2025-01-01')).toEqual([])
  })
})

const zoneNames = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Asia/Gaza',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Antarctica/Troll',
]
const anyZone = fc.constantFrom(...zoneNames)
const anyInstant = fc.integer({
  min: Date.parse('1971-01-01T00:00:00Z'),
  max: Date.parse('2050-01-01T00:00:00Z'),
})

function temporalDay(ms: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString()
}

describe('a local day', () => {
  it('matches Temporal at any instant', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (ms, zone) => {
        expect(localDay(ms, zone)).toBe(temporalDay(ms, zone))
      }),
      { numRuns: 2000 },
    )
  })

  it('local minute matches the wall clock of the zone', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (ms, zone) => {
        const clock = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
        expect(localMinute(ms, zone)).toBe(clock.hour * 60 + clock.minute)
      }),
      { numRuns: 500 },
    )
  })

  it('matches Temporal around every clock change from 2005 to 2030', () => {
    for (const zone of zoneNames) {
      const first = Temporal.ZonedDateTime.from(`2005-01-01T00:00:00[${zone}]`).getTimeZoneTransition('next')
      for (let at = first; at && at.year <= 2030; at = at.getTimeZoneTransition('next')) {
        for (const minutes of [-181, -61, -31, -1, 0, 1, 29, 30, 31, 59, 60, 61, 181]) {
          const ms = at.epochMilliseconds + minutes * 60_000
          expect([zone, ms, localDay(ms, zone)]).toEqual([zone, ms, temporalDay(ms, zone)])
        }
      }
    }
  })

  it('contains exactly the instants between its bounds', () => {
    fc.assert(
      fc.property(anyDay, anyZone, (day, zone) => {
        const { start, end } = dayBounds(day, zone)
        expect(dayBounds(addDays(day, 1), zone).start).toEqual(end)
        if (start < end) {
          expect(localDay(start, zone)).toBe(day)
          expect(localDay(end.getTime() - 1, zone)).toBe(day)
        }
        expect(localDay(start.getTime() - 1, zone) < day).toBe(true)
        expect(localDay(end, zone) > day).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['2025-03-30', 'Europe/Berlin', '2025-03-29T23:00:00.000Z', 23],
    ['2025-10-26', 'Europe/Berlin', '2025-10-25T22:00:00.000Z', 25],
    ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00.000Z', 23],
    ['2024-04-06', 'America/Santiago', '2024-04-06T03:00:00.000Z', 25],
    ['2025-04-06', 'Australia/Lord_Howe', '2025-04-05T13:00:00.000Z', 24.5],
    ['2025-10-05', 'Australia/Lord_Howe', '2025-10-04T13:30:00.000Z', 23.5],
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z', 24],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 0],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 24],
    ['2025-01-01', 'Asia/Kathmandu', '2024-12-31T18:15:00.000Z', 24],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', 23],
    ['2024-11-03', 'America/Havana', '2024-11-03T04:00:00.000Z', 25],
  ])('%s in %s begins at %s and lasts %d hours', (day, zone, start, hours) => {
    const bounds = dayBounds(day, zone)
    expect(bounds.start.toISOString()).toBe(start)
    expect((bounds.end.getTime() - bounds.start.getTime()) / 3_600_000).toBe(hours)
  })

  it('range bounds start with the first day and end with the last', () => {
    const bounds = rangeBounds('2025-03-01', '2025-03-31', 'Europe/Berlin')
    expect(bounds.start.toISOString()).toBe('2025-02-28T23:00:00.000Z')
    expect(bounds.end.toISOString()).toBe('2025-03-31T22:00:00.000Z')
  })
})

describe('a time zone', () => {
  it.each([...zoneNames, 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', 'EST5EDT'])('%s is valid', (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  })

  it.each(['', '+05:00', '-03', 'Mars/Olympus', 'Europe/Berlin ', 'Europe/', '__proto__', 'UTC\0', 'local'])(
    '%j is not valid',
    (zone) => {
      expect(isTimeZone(zone)).toBe(false)
      expect(() => localDay(0, zone)).toThrow(RangeError)
    },
  )
})
