import { expect, it } from 'vitest'
import { trueTime } from './to-event.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString()

it('keeps the order of events whose requests took differently long', () => {
  const slow = trueTime({ occurred_at: at(-3000), sent_at: at(-2900) }, NOW)
  const fast = trueTime({ occurred_at: at(-2990), sent_at: at(-10) }, NOW)
  expect(slow < fast).toBe(true)
  expect(slow.toISOString()).toBe(at(-3000))
})

it('goes by the stated age where the clock is wrong, late deliveries included', () => {
  const hour = 3_600_000
  expect(trueTime({ occurred_at: at(hour - 700), sent_at: at(hour) }, NOW).toISOString()).toBe(at(-700))
  expect(trueTime({ occurred_at: at(-9 * hour), sent_at: at(-8 * hour) }, NOW).toISOString()).toBe(at(-hour))
})

it('never places an event after its own delivery', () => {
  expect(trueTime({ occurred_at: at(90_000), sent_at: at(0) }, NOW)).toEqual(NOW)
})
