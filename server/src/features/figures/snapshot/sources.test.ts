import { expect, it } from 'vitest'
import { toSources } from './sources.ts'

it('reports the last day of data per source, and whether it is stale', () => {
  const account = (id: string, at: string | null) => ({
    connection_id: id,
    source: 'social_ads',
    name: id,
    last_success_at: at === null ? null : new Date(at),
  })
  const sources = toSources(
    [
      account('good', '2026-06-18T23:30:00Z'),
      account('broken', '2026-06-02T10:00:00Z'),
      account('new', null),
    ],
    [
      { source: 'social_ads', day: '2026-06-19' },
      { source: 'podcast', day: '2026-06-13' },
      { source: 'radio', day: '2026-06-12' },
    ],
    'Europe/Madrid',
    '2026-06-20',
  )
  expect(sources.map(({ name, source, through, stale }) => [name ?? source, through, stale])).toEqual([
    ['good', '2026-06-19', false],
    ['broken', '2026-06-02', true],
    ['new', null, true],
    ['podcast', '2026-06-13', false],
    ['radio', '2026-06-12', true],
  ])
})
