import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it('contains the rows, a column per outcome type and the unattributed remainder, and escapes formulas', () => {
  const rows = [
    {
      campaign_id: 'c1',
      campaign_name: '=HYPERLINK("x")',
      spend: 1.5,
      outcome_value: 10,
      roas: null,
      attributed_outcomes_by_type: { lead_created: 3 },
    },
  ]
  const unattributed = {
    outcome_count: 1,
    outcome_credit: 0.5,
    outcome_value: 20,
    attributed_outcome_count: 2,
    attributed_outcomes_by_type: { payment_received: 2 },
  }
  const [head, first, last] = toCsv(rows, unattributed, 'EUR').split('\r\n')
  expect(head).toMatch(/^campaign_id,platform_id,campaign_name,.*,lead_created,payment_received,currency$/)
  const toRecord = (line: string) =>
    Object.fromEntries(line.split(',').map((value, index) => [head!.split(',')[index], value]))
  expect(toRecord(first!)).toMatchObject({
    campaign_id: 'c1',
    campaign_name: `"'=HYPERLINK(""x"")"`,
    spend: '1.5',
    outcome_value: '10',
    roas: '',
    lead_created: '3',
    payment_received: '0',
    currency: 'EUR',
  })
  expect(toRecord(last!)).toMatchObject({
    campaign_name: 'Unattributed',
    outcome_value: '20',
    lead_created: '0',
  })
})
