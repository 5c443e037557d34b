import { expect, it } from 'vitest'
import { reasonText } from './reason-text.ts'

const row = { status: 'running', verdict: null, readable_from: '2026-12-04T00:00:00Z', reason: 'Not over.' }

it('a running study shows when its verdict is due, others the reason for their verdict or for having none', () => {
  expect(reasonText(row)).toBe('Verdict from Dec 4, 2026')
  expect(reasonText({ ...row, status: 'observing' })).toBe('Verdict from Dec 4, 2026')
  expect(reasonText({ ...row, readable_from: null })).toBe('Not over.')
  expect(reasonText({ ...row, status: 'complete' })).toBe('Not over.')
  expect(reasonText({ ...row, status: 'complete', verdict: 'positive', reason: 'Above.' })).toBe('Above.')
})
