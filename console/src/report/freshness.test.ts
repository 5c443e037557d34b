import { expect, it } from 'vitest'
import { throughText } from './freshness.tsx'

const source = (through: string | null) => ({ source: 'a', name: null, through, stale: false })
const now = Date.parse('2026-05-10T12:02:00Z')
const computed = { computed_through: '2026-05-10T12:00:00.000Z', stale: false }

it('data reaches as far as the account that is furthest behind', () => {
  const sources = [source('2026-05-09'), source('2026-05-07'), source(null)]
  expect(throughText({ freshness: { ...computed, sources } }, now)).toBe(
    'Ad data through May 7, 2026 · Computed 2 minutes ago',
  )
  expect(throughText({ freshness: { ...computed, sources: [] } }, now)).toBe('Computed 2 minutes ago')
})
