import { expect, it } from 'vitest'
import { type TouchEvidence, withoutEchoes } from './echoes.ts'

const MINUTE = 60_000
const seen = (at: number, fields: Partial<TouchEvidence>): TouchEvidence => ({
  occurredAt: at * MINUTE,
  reportedAt: null,
  click: null,
  ad: null,
  ...fields,
})
const reported = (at: number, recordAt: number, fields: Partial<TouchEvidence>): TouchEvidence => ({
  ...seen(at, fields),
  reportedAt: recordAt * MINUTE,
})
const indexesKept = (...touches: TouchEvidence[]) =>
  withoutEchoes(touches, (touch) => touch).map((touch) => touches.indexOf(touch))

it('a reported click that was seen before is an echo, regardless of the time between', () => {
  expect(
    indexesKept(seen(0, { click: 'gclid:1' }), seen(50, {}), reported(90_000, 90_000, { click: 'gclid:1' })),
  ).toEqual([0, 1])
  expect(indexesKept(seen(0, { click: 'gclid:1' }), reported(60, 60, { click: 'gclid:2' }))).toEqual([0, 1])
})

it('a reported ad is an echo if the same ad was seen in the same visit, but not in an earlier visit', () => {
  expect(indexesKept(seen(0, { ad: 'A' }), reported(119, 119, { ad: 'A' }))).toEqual([0])
  expect(indexesKept(seen(0, { ad: 'A' }), reported(121, 121, { ad: 'A' }))).toEqual([0, 1])
  expect(indexesKept(reported(0, 600, { ad: 'A' }), seen(300, { ad: 'A' }))).toEqual([1])
})

it('a touch that was seen only after the record does not make the record an echo', () => {
  expect(
    indexesKept(reported(10, 20, { click: 'gclid:1', ad: 'A' }), seen(30, { click: 'gclid:1', ad: 'A' })),
  ).toEqual([0, 1])
})

it('keeps the earliest of several records of one click', () => {
  expect(
    indexesKept(
      reported(0, 5, { click: 'gclid:1' }),
      reported(500, 500, { click: 'gclid:1' }),
      reported(900, 900, { click: 'gclid:1' }),
    ),
  ).toEqual([0])
})

it('a record without click and ad is an echo if its visit has another touch', () => {
  expect(indexesKept(seen(0, {}), reported(119, 119, {}))).toEqual([0])
  expect(indexesKept(seen(0, {}), reported(121, 121, {}))).toEqual([0, 1])
  expect(indexesKept(reported(0, 600, {}), seen(5, { ad: 'A' }))).toEqual([1])
  expect(indexesKept(reported(0, 600, { click: 'gclid:1' }), reported(1, 600, {}))).toEqual([0])
  expect(indexesKept(seen(0, {}), reported(5, 600, { click: 'gclid:1' }))).toEqual([0, 1])
})
