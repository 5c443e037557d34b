import { expect, it } from 'vitest'
import { addDays } from '../../../platform/contract/dates.ts'
import { isUsualChange } from './rules.ts'

it('a change is usual if earlier ones were as large, and unusual or unknown otherwise', () => {
  const zero = { spend: 0, conversions: 0, credited: 0, creditedConversions: 0 }
  const unrated = { unratedSpend: 0, unratedRevenue: 0, unratedCredited: 0 }
  const seriesOf = (revenueOf: (index: number) => number, days = 112) =>
    new Map(
      Array.from({ length: days }, (_, index) => [
        addDays('2026-05-31', index + 1 - days),
        { ...zero, ...unrated, revenue: revenueOf(index) },
      ]),
    )
  const week = { from: '2026-05-25', to: '2026-05-31' }
  const swinging = (index: number) => (Math.floor(index / 7) % 2 === 0 ? 1000 : 800)
  expect(isUsualChange(seriesOf(swinging), 'revenue', week)).toBe(true)
  const falling = (index: number) => (index >= 105 ? 500 : swinging(index))
  expect(isUsualChange(seriesOf(falling), 'revenue', week)).toBe(false)
  expect(isUsualChange(seriesOf(swinging, 20), 'revenue', week)).toBe(false)
})
