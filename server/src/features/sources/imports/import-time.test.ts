import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestProfile } from '../../../../test/make.ts'
import { until } from '../../../../test/until.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { importRates } from '../../attribution/pipeline/recompute-after-rates.ts'
import { importSpend } from './contract.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['campaigns:apply'])
})
afterAll(() => profile.app.close())

const row = (spend: number, currency = 'EUR') => ({
  source: 'podcast',
  level: 'campaign' as const,
  campaign_id: `spring ${currency}`,
  campaign_name: 'Spring',
  date: '2026-03-01',
  spend,
  currency,
})

/** The recorded time of changes by a writer that starts at `start` and acquires the lock at `later`. */
async function recordedAfterWaiting(start: Date, later: Date, write: () => Promise<unknown>): Promise<Date> {
  const { app, profileId } = profile
  const clock = vi.spyOn(app.service.clock, 'now').mockReturnValue(start)
  try {
    let writing: Promise<unknown> | undefined
    await inTransaction(app.service.db, async (tx) => {
      await lockProfile(tx, profileId)
      writing = write()
      await until(async () => {
        const { rows } = await app.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length > 0
      })
      clock.mockReturnValue(later)
    })
    await writing
  } finally {
    clock.mockRestore()
  }
  const { rows } = await app.pool.query<{ at: Date }>(
    'select max(recorded_at) as at from restatements where profile_id = $1',
    [profileId],
  )
  return rows[0]!.at
}

it('spend that waited for another writer is recorded after it', async () => {
  const later = new Date('2026-10-01T10:01:00Z')
  const at = await recordedAfterWaiting(new Date('2026-10-01T10:00:00Z'), later, () =>
    profile.call(importSpend, { body: { rows: [row(10), row(7, 'SEK')] } }),
  )
  expect(at).toEqual(later)
})

it('a rate that waited for another writer is recorded after it', async () => {
  const { service } = profile.app
  const later = new Date('2026-10-02T10:01:00Z')
  const rates = [
    { day: '2026-03-01', currency: 'EUR', rate: '1' },
    { day: '2026-03-01', currency: 'SEK', rate: '11' },
  ]
  const at = await recordedAfterWaiting(new Date('2026-10-02T10:00:00Z'), later, () =>
    importRates(service.db, rates, service),
  )
  expect(at).toEqual(later)
})
