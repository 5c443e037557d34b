import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it('writes the rows and the remainder, and runs no formula', () => {
  const rows = [
    { campaign_id: 'c1', campaign_name: '=HYPERLINK("x")', spend: 1.5, outcome_value: 10, roas: null },
  ]
  const rest = { outcome_count: 1, outcome_credit: 0.5, outcome_value: 20, attributed_outcome_count: 2 }
  const [head, first, last] = toCsv(rows, rest, 'EUR').split('\r\n')
  expect(head).toMatch(/^campaign_id,platform_id,campaign_name,.*,currency$/)
  expect(first).toBe(`c1,,"'=HYPERLINK(""x"")",,1.5,10,,,,,,,,,,,EUR`)
  expect(last).toBe('' + ',,Unattributed,,,20,,1,0.5,,2,,,,,,EUR')
})
