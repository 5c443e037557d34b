import { expect, it } from 'vitest'
import { addUp } from './add-up.ts'

const row = (spend: number | null, outcome_value: number, outcome_count: number) => ({
  spend,
  outcome_value,
  outcome_count,
  impressions: 1000,
  clicks: 20,
})

it('adds up rows and derives ratios from the sums', () => {
  expect(addUp([row(10.1, 30.3, 2), row(0.2, 0.6, 0)], false)).toEqual({
    spend: 10.3,
    revenue: 30.9,
    roas: 3,
    payments: 2,
    cac: 5.15,
    impressions: 2000,
    clicks: 40,
    ctr: 2,
    cpc: 0.2575,
    cpm: 5.15,
  })
})

it('leaves out payments that rows may share, and ratios with a zero divisor', () => {
  const sums = addUp([{ ...row(null, 5, 1), impressions: null, clicks: 0 }], true)
  expect(sums).toEqual({
    spend: 0,
    revenue: 5,
    roas: null,
    impressions: 0,
    clicks: 0,
    ctr: null,
    cpc: null,
    cpm: null,
  })
})
