import { expect, it } from 'vitest'
import { retryAfterMs } from '../../../platform/retry.ts'
import { clockSkewMs, firstAttempts, isHistorical, nextAttemptAt } from './rules.ts'

const ended = new Date('2026-05-01T00:00:00Z')
const secondsUntil = (attempts: number, chance: number, retryAfterMs: number | null = null) => {
  const next = nextAttemptAt(attempts, ended, retryAfterMs, chance)
  return next && (next.getTime() - ended.getTime()) / 1000
}

it('ten attempts are spread over days, with at most 10 % jitter', () => {
  const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  expect(waits.map((_, index) => secondsUntil(index + 1, 0.5))).toEqual(waits)
  expect(waits.map((_, index) => secondsUntil(index + 1, 0))).toEqual(waits.map((wait) => wait * 0.9))
  expect(waits.map((_, index) => secondsUntil(index + 1, 1))).toEqual(waits.map((wait) => (wait * 11) / 10))
  expect(secondsUntil(10, 0.5)).toBeUndefined()
})

it('a receiver may extend the wait up to a day, but not shorten it', () => {
  expect([0, 60_000, 7 * 86_400_000].map((requestedMs) => secondsUntil(1, 0.5, requestedMs))).toEqual([
    5, 60, 86_400,
  ])
})

it('parses Retry-After as seconds or a date only', () => {
  expect(
    ['120', ' 5 ', 'Fri, 01 May 2026 00:01:00 GMT', 'Thu, 30 Apr 2026 00:00:00 GMT', 'soon', undefined].map(
      (header) => retryAfterMs(header, ended.getTime()),
    ),
  ).toEqual([120_000, 5000, 60_000, 0, null, null])
})

it('the clock skew is the part that the query’s duration cannot explain', () => {
  const skew = (askedAt: number, answeredAt: number, databaseMs: number) =>
    clockSkewMs({ askedAt, answeredAt, databaseMs })
  expect(skew(10_000, 10_010, 10_005)).toBe(0)
  expect(skew(10_000, 10_010, 10_900)).toBe(0)
  expect(skew(10_000, 10_010, 70_005)).toBe(59_995)
  expect(skew(100_000, 100_010, 40_005)).toBe(-59_995)
  // The machine slept for three hours between the two: half of them is no difference of the clocks.
  expect(skew(0, 10_800_000, 5000)).toBe(0)
  expect(skew(0, 10_800_000, -30_000)).toBe(-30_000)
})

it('history is marked, spread after what waits already, and does not delay live events', () => {
  const now = new Date('2026-05-10T00:00:00Z')
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const of = (occurredAt: Date, data?: object) => isHistorical({ occurredAt, recordedAt: now, data })
  expect([of(ago(49)), of(ago(48)), of(now, { converted_at: ago(49).toISOString() })]).toEqual([
    true,
    false,
    true,
  ])
  const [old, live] = [
    { subscriptionId: 's', isHistorical: true },
    { subscriptionId: 's', isHistorical: false },
  ]
  const times = (waiting: Map<string, Date>) =>
    firstAttempts([old, live, old], waiting, now).map((at) => at.getTime() - now.getTime())
  expect(times(new Map())).toEqual([0, 0, 100])
  expect(times(new Map([['s', new Date(now.getTime() + 5000)]]))).toEqual([5100, 0, 5200])
})
