import { expect, it } from 'vitest'
import { previousRange } from '../format/times.ts'
import { presets, rangeOf } from './presets.ts'

it.each([
  ['today', '2026-03-01', '2026-03-01'],
  ['7d', '2026-02-23', '2026-03-01'],
  ['month', '2026-03-01', '2026-03-01'],
  ['last_month', '2026-02-01', '2026-02-28'],
  ['year', '2026-01-01', '2026-03-01'],
])('%s on the first of March', (id, from, to) => {
  expect(presets.find((preset) => preset.id === id)!.range('2026-03-01')).toEqual({ from, to })
})

it('prefers days to a preset, and falls back to the default range', () => {
  const fromDays = rangeOf({ from: '2026-01-01', to: '2026-01-05', preset: '7d' }, '2026-03-01')
  expect(fromDays).toEqual({ range: { from: '2026-01-01', to: '2026-01-05' }, preset: undefined })
  expect(rangeOf({}, '2026-03-01').preset?.id).toBe('28d')
  expect(rangeOf({ from: '2026-02-01', to: '2026-01-01' }, '2026-03-01').preset?.id).toBe('28d')
})

it('the previous period has the same length and ends the day before', () => {
  expect(previousRange({ from: '2026-03-01', to: '2026-03-07' })).toEqual({
    from: '2026-02-22',
    to: '2026-02-28',
  })
})
