import { expect, it } from 'vitest'
import { exportSettled } from './makers.ts'

const profileId = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'
const run = { run_id: profileId, destination_id: profileId, sent: 2, failed: 0, skipped: 1 }

it('an event holds exactly what its type names', () => {
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
