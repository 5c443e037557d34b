import type { AlertFigure } from '@whence/sdk'
import { expect, it } from 'vitest'
import { conditionText, figureText, reasonText } from './alert-text.ts'

const condition = {
  kind: 'threshold',
  metric: 'revenue',
  campaign_id: null,
  direction: 'below',
  comparison: 'change',
  threshold: 30,
  window_days: 7,
  min_conversions: 10,
} as const
const figure: AlertFigure = {
  date_from: '2026-06-09',
  date_to: '2026-06-15',
  value: 200,
  before: 500,
  change_percent: -60,
  conversions: 5,
  conversions_before: 12,
  verdict: 'breach',
  reason: null,
  check_ids: [],
}

it('a rule and its figure are readable sentences', () => {
  const scope = { currency: 'EUR', campaign: null }
  expect(conditionText(condition, scope)).toBe(
    'Revenue in 7 days falls by more than 30% compared with the 7 days before',
  )
  const roas = { ...condition, metric: 'roas', comparison: 'value', threshold: 1.5 } as const
  expect(conditionText(roas, { ...scope, campaign: 'Spring' })).toBe(
    'Ad ROAS of Spring in 7 days is below 1.50×',
  )
  expect(figureText(figure, condition, 'EUR').detail).toContain('-60% from €500.00 · 5 payments')
  expect(reasonText({ ...figure, reason: 'usual_change' })).toBe('a change of this size is normal here')
})
