import { extractText } from 'unpdf'
import { expect, it } from 'vitest'
import { layoutChart } from './chart-rules.ts'
import type { PeriodFigures, ReportFacts } from './facts.ts'
import { createFormatters } from './figures-rules.ts'
import { renderPdf } from './render-pdf.ts'

it.each([
  [109, 100, '+9.0%'],
  [50, 100, '-50.0%'],
  [1200, 100, '>+999%'],
  [-1200, 100, '<-999%'],
])('the change to %i from %i is formatted as %s', (now, before, text) => {
  expect(createFormatters('en', 'EUR').change(now, before)?.text).toBe(text)
})

it('the chart has no scale on days without money, otherwise one from zero to above the highest value', () => {
  const box = { x: 0, y: 0, width: 100, height: 80 }
  const chart = (revenue: number) => layoutChart([{ date: '2026-03-01', revenue, spend: 0 }], box)
  expect(chart(0).ticks).toEqual([{ value: 0, y: 80 }])
  expect(chart(3000).ticks.map(({ value }) => value)).toEqual([0, 1000, 2000, 3000, 4000])
})

it('a PDF never truncates amounts of ten digits, including the totals', async () => {
  const most = 9_876_543_210_99
  const totals = {
    revenue: most,
    spend: most,
    credited: most,
    payments: 7,
    creditedPayments: 5,
    totalRoas: 1,
    roas: 1,
    cac: 1_410_934_744.43,
  }
  const days = { from: '2026-03-01', to: '2026-03-31' }
  const period: PeriodFigures = { days, totals, campaigns: [], unattributed: most }
  const facts: ReportFacts = {
    profile: { name: 'Harbor', currency: 'EUR', timezone: 'UTC' },
    model: 'last_touch',
    now: period,
    before: period,
    days: [{ date: days.from, revenue: most, spend: most }],
    reconciliation: { total: most, credited: most, unattributed: 0, delta: 0, leftOut: 0 },
    computedThrough: days.to,
    staleSources: [],
    isStale: false,
    resultHash: '',
  }
  const brand = { name: 'Acme', primaryColor: '#0b6b3a', logo: null, supportEmail: null, websiteUrl: null }
  const bytes = await renderPdf(facts, brand, 'en')
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true })
  expect(text).toMatch(
    /All campaigns\s+€9,876,543,210\.99\s+€9,876,543,210\.99\s+5\s+1\.00×\s+€1,410,934,744\.43/,
  )
  expect(text).toMatch(/Total\s+€9,876,543,210\.99\s+€9,876,543,210\.99\s+7\s+1\.00×/)
})
