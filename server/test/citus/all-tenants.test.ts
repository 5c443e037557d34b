/**
 * What the service does by itself asks for all profiles at once, in ways that Citus may refuse. Needs CITUS_URL (see
 * one-shard.test.ts).
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schedules } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Service } from '../../src/context.ts'
import { uuidv7 } from '../../src/contract/ids.ts'
import { type OpenDatabase, openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { listScorable } from '../../src/features/top-performers/queries/runs.ts'
import { createLog } from '../../src/log.ts'
import { closeService, createService } from '../../src/service.ts'
import { makeCitusProfile } from './make.ts'

const url = process.env.CITUS_URL
/** `feature_not_supported`: what Citus says of a question that it cannot put to its shards. */
const REFUSED = '0A000'
/** The same in each run: the database may be one that an earlier run began. */
const MASTER_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`

describe.skipIf(url === undefined)('work over all profiles on Citus (skipped without CITUS_URL)', () => {
  let database: OpenDatabase
  let service: Service
  let dataDir: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'whence-citus-'))
    database = openDatabase({ connectionString: url, max: 5 })
    await migrate(database.pool)
    service = await createService({
      config: readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }),
      db: database.db,
      log: createLog('silent'),
      masterKeys: MASTER_KEYS,
    })
  }, 120_000)
  afterAll(async () => {
    if (service !== undefined) await closeService(service)
    await database?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  it.each(schedules.map(({ name, job }) => [name, job] as const))('%s is not refused', async (_, job) => {
    const refused = await job
      .run(
        {
          service,
          db: service.patientDb,
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
        // Providers are not here to be asked.
        (error: { code?: string; message: string }) => (error.code === REFUSED ? error.message : undefined),
      )
    expect(refused).toBeUndefined()
  })

  it('profiles with ads are found with the newest day that is scored', async () => {
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
    const found = new Map((await listScorable(db)).map((row) => [row.profileId, row.scoredDay]))
    expect([found.get(scored), found.get(running), found.has(without)]).toEqual(['2026-01-02', null, false])
  })
})
