import { expect, it } from 'vitest'
import { toExpiry } from './window.ts'

const now = new Date('2026-11-17T10:00:00Z')

it.each([
  [3600, '2026-11-17T11:00:00.000Z'],
  [1e300, '2036-11-14T10:00:00.000Z'],
  [Number.MAX_SAFE_INTEGER, '2036-11-14T10:00:00.000Z'],
  [Number.POSITIVE_INFINITY, null],
  [Number.NaN, null],
  [-5, null],
  [0, null],
  [null, null],
  [undefined, null],
])('a lifetime of %s expires at %s', (seconds, expected) => {
  expect(toExpiry(seconds, now)).toBe(expected)
})
