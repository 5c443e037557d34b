import { expect, it } from 'vitest'
import { sumClients } from './totals.ts'

const figures = (spend: number, revenue: number, credited_revenue = revenue) => ({
  spend,
  revenue,
  credited_revenue,
  payments: 1,
})
const client = (currency: string, now: ReturnType<typeof figures>, is_demo = false) => ({
  ...now,
  currency,
  is_demo,
  previous: figures(1, 2),
})

it('sums rows in one currency, without the demo', () => {
  const rows = [client('EUR', figures(10.1, 30.2, 20.4)), client('EUR', figures(0.2, 0.1, 0.2))]
  expect(sumClients([...rows, client('USD', figures(99, 99), true)])).toEqual({
    currency: 'EUR',
    now: { spend: 10.3, revenue: 30.3, payments: 2, total_roas: 30.3 / 10.3, roas: 2 },
    before: { spend: 2, revenue: 4, payments: 2, total_roas: 2, roas: 2 },
  })
})

it('has no total across several currencies, and sums the demo if there is nothing else', () => {
  expect(sumClients([client('EUR', figures(1, 1)), client('USD', figures(1, 1))])).toBeNull()
  expect(sumClients([client('USD', figures(4, 8), true)])?.now.roas).toBe(2)
  expect(sumClients([])).toBeNull()
})
