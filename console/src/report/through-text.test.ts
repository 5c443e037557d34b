import { expect, it } from 'vitest'
import { throughText } from './through-text.ts'

const source = (name: string, through: string | null) => ({ source: 'a', name, through, stale: false })
const now = Date.parse('2026-05-10T12:02:00Z')
const computed = { computed_through: '2026-05-10T12:00:00.000Z', stale: false }
const textOf = (...sources: ReturnType<typeof source>[]) =>
  throughText({ freshness: { ...computed, sources } }, now)

it('lists each source if they end on different days', () => {
  expect(
    textOf(source('Account', '2026-05-09'), source('File', '2026-05-07'), source('New account', null)),
  ).toBe('Ad data through May 9, 2026 (Account), May 7, 2026 (File) · Computed 2 minutes ago')
})

it('shows one day if all sources end on it, and none without data', () => {
  expect(textOf(source('One', '2026-05-09'), source('Two', '2026-05-09'))).toBe(
    'Ad data through May 9, 2026 · Computed 2 minutes ago',
  )
  expect(textOf()).toBe('Computed 2 minutes ago')
})
