import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closedThrough } from './closed-days.ts'

const root = join(import.meta.dirname, '../../..')
const sources = globSync('**/*.ts', { cwd: root })
  .filter((path) => !/test\.ts$|schema\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

it('only modules that record restatements write rollups', () => {
  const writes =
    /\b(?:insert into|update|delete from|copy)\s+(?:credit_daily|held_daily|platform_daily|conversion_daily|uncredited_daily|paid_touch_daily|delivery_daily)\b/i
  expect(
    sources
      .filter(({ text }) => writes.test(text))
      .map(({ path }) => path.split('/').at(-1))
      .sort(),
  ).toEqual(['delivery.ts', 'platform-counts.ts', 'totals.ts', 'uncredited.ts'])
  const byName = /'(?:credit_daily|held_daily)'/
  expect(
    sources
      .filter(({ path, text }) => path.startsWith('features/attribution') && byName.test(text))
      .map(({ path }) => path.split('/').at(-1))
      .sort(),
  ).toEqual(['rollups.ts', 'save-rollups.ts'])
  const makers = sources.filter(({ text }) => text.includes('new Restatements('))
  expect(makers.map(({ path }) => path)).toEqual(['features/facts/restatements/save-restatements.ts'])
})

it('a day is closed after its end in the time zone plus the grace', () => {
  const at = (text: string, grace: number) => closedThrough(new Date(text), 'Europe/Madrid', grace)
  expect(at('2026-05-10T21:59:59Z', 0)).toBe('2026-05-09')
  expect(at('2026-05-10T22:00:00Z', 0)).toBe('2026-05-10')
  expect(at('2026-05-12T21:59:59Z', 48)).toBe('2026-05-09')
  expect(at('2026-05-12T22:00:00Z', 48)).toBe('2026-05-10')
})
