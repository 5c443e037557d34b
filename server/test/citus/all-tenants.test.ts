/**
 * Scheduled work queries all profiles at once, in ways that Citus may refuse. Needs CITUS_URL (see one-shard.test.ts).
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedules } from '../../src/app.ts'
import type { Service } from '../../src/context.ts'
import { listScorable } from '../../src/features/advice/top-performers/queries/runs.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { forAllProfiles } from '../../src/platform/jobs/all-profiles.ts'
import { makeCitusProfile, startCitusService } from './make.ts'

const url = process.env.CITUS_URL
/** `feature_not_supported`: Citus' error for a query that it cannot distribute to shards. */
const REFUSED = '0A000'

describe.skipIf(url === undefined)('work over all profiles on Citus (skipped without CITUS_URL)', () => {
  let service: Service
  let close = async () => {}

  beforeAll(async () => {
    ;({ service, close } = await startCitusService(url!))
  }, 120_000)
  afterAll(() => close())

  it.each(schedules.map(({ name, job }) => [name, job] as const))('%s is not refused', async (_, job) => {
    const refusal = await job
      .run(
        {
          service,
          db: service.backgroundDb,
          now: service.clock.now(),
          log: service.log,
          jobId: uuidv7(),
          profileId: null,
          attempt: 1,
          signal: AbortSignal.timeout(30_000),
        },
        {},
      )
      .then(
        () => undefined,
        // Providers are not available here.
        (error: { code?: string; message: string }) => (error.code === REFUSED ? error.message : undefined),
      )
    expect(refusal).toBeUndefined()
  })

  it('lists profiles with ads and their newest scored day', async () => {
    const { db } = service
    const [scored, running, without] = [
      await makeCitusProfile(db),
      await makeCitusProfile(db),
      await makeCitusProfile(db),
    ]
    const now = new Date()
    for (const profileId of [scored, running])
      await db
        .insertInto('ad_entities')
        .values({
          profile_id: profileId,
          id: uuidv7(),
          level: 'ad',
          external_id: randomBytes(6).toString('hex'),
          updated_at: now,
        })
        .execute()
    const run = { steps_done: 1, steps_total: 1, lags: '{}', started_at: now }
    await db
      .insertInto('ad_score_runs')
      .values([
        { ...run, profile_id: scored, day: '2026-01-02', state: 'done', ads: 1 },
        { ...run, profile_id: scored, day: '2026-01-01', state: 'done', ads: 1 },
      ])
      .execute()
    const scoredDays = new Map((await listScorable(db)).map((row) => [row.profileId, row.scoredDay]))
    expect([scoredDays.get(scored), scoredDays.get(running), scoredDays.has(without)]).toEqual([
      '2026-01-02',
      null,
      false,
    ])
    const byShard: Awaited<ReturnType<typeof listScorable>> = []
    await forAllProfiles(
      { service, log: service.log },
      async (shard) => void byShard.push(...(await listScorable(shard))),
    )
    expect(byShard.length).toBe(scoredDays.size)
    expect(new Map(byShard.map((row) => [row.profileId, row.scoredDay]))).toEqual(scoredDays)
  })

  it('a query that needs several shards is refused by one shard, not answered for all', async () => {
    const [part] = service.nodes.parts()
    await expect(sql`select 1 from jobs`.execute(part!.db)).rejects.toThrow(
      'Statement is not limited to one shard',
    )
    const { rows } = await sql`select 1 as one from profile_locks limit 0`.execute(part!.db)
    expect(rows).toEqual([])
  })
})
