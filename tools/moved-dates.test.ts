import { expect, it } from 'vitest'
import { nightlyDate } from './moved-dates.mjs'

it('eight nights in a row run with the eight kinds of dates', () => {
  const nights = [0, 1, 2, 3, 4, 5, 6, 7].map((night) => new Date(Date.UTC(2026, 10, 19 + night, 2)))
  const dates = nights.map((night) => nightlyDate(night)!.toISOString().slice(0, 16))
  expect(dates.sort()).toEqual([
    '2026-12-31T23:59',
    '2027-01-19T12:00',
    '2027-03-28T00:59',
    '2027-07-20T12:00',
    '2027-10-31T00:59',
    '2027-12-31T23:59',
    '2028-02-29T12:00',
    '2029-11-21T12:00',
  ])
})
