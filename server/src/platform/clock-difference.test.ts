import { expect, it } from 'vitest'
import { clockWarning, secondsAhead } from './clock-difference.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)

it('the duration of the question is no difference between the clocks', () => {
  expect(secondsAhead(at(0), at(0.5), at(1))).toBe(0)
  expect(secondsAhead(at(0), at(0), at(300))).toBe(0)
  expect(secondsAhead(at(100), at(10), at(101))).toBe(90)
  expect(secondsAhead(at(0), at(90), at(1))).toBe(-89)
})

it('more than a minute is a warning, in either direction', () => {
  expect(clockWarning(60)).toBeUndefined()
  expect(clockWarning(-60)).toBeUndefined()
  expect(clockWarning(61)).toContain('61 seconds ahead of its database')
  expect(clockWarning(-86_400)).toContain('86400 seconds behind its database')
})
