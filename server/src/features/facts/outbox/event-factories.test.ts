import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { exportSettled } from './event-factories.ts'
import { eventData, subscribableEvents } from './event-types.ts'

const profileId = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'
const run = { run_id: profileId, destination_id: profileId, sent: 2, failed: 0, skipped: 1 }

it('the data of an event must match the schema of its type exactly', () => {
  const at = new Date('2026-05-01T00:00:00Z')
  expect(exportSettled('export.completed', profileId, run, at)).toEqual({
    profileId,
    type: 'export.completed',
    provider: 'platform',
    occurredAt: at,
    data: { profile_id: profileId, ...run },
  })
  expect(() => exportSettled('export.failed', profileId, { ...run, email: 'a@b.c' } as never, at)).toThrow()
  expect(() => exportSettled('export.failed', profileId, { ...run, sent: 0.5 }, at)).toThrow()
})

it('every subscribable type is used by the service, and no other', () => {
  const source = new URL('../../../', import.meta.url)
  const text = readFileSync(new URL('event-factories.ts', import.meta.url), 'utf8')
  const otherSources = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('outbox/event-factories'),
    )
    .map((name) => readFileSync(new URL(name, source), 'utf8'))
    .join('\n')
  const factories = text.split(/^export function /m).slice(1)
  const isCalled = (factory: string) => new RegExp(`\\b${/^\w+/.exec(factory)![0]}\\(`).test(otherSources)
  const isCreated = (type: string) =>
    factories.some((factory) => factory.includes(`'${type}'`) && isCalled(factory))
  const types = Object.keys(eventData).filter((type) => !type.startsWith('connection.'))
  expect(types.filter(isCreated)).toEqual(
    subscribableEvents.filter((type) => !type.startsWith('connection.')),
  )
  expect(otherSources).toMatch(/connectionEvent\(/)
})
