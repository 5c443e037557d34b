/**
 * An unavailable worker affects only its own profiles: requests and jobs of others succeed, its own get Retry-After,
 * and its jobs wait (writes: lost-worker-writes.test.ts). Needs CITUS_URL (see one-shard.test.ts) with two workers and a
 * login that may create databases; the service and Citus connect to the workers through a proxy that the test cuts.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jobs, routes, schedules } from '../../src/app.ts'
import { startRecompute } from '../../src/features/attribution/crediting/contract.ts'
import { job } from '../../src/platform/contract/job.ts'
import { nodeAnswers } from '../../src/platform/db/node-answers.ts'
import { enqueue } from '../../src/platform/jobs/enqueue.ts'
import { makeAdWorld } from '../ad-world.ts'
import type { TestApp } from '../app.ts'
import { drainJobs, runSchedule } from '../jobs.ts'
import { sampleOf } from '../samples.ts'
import { send, type Tenant } from '../tenants.ts'
import { until } from '../until.ts'
import type { Wire } from '../wire.ts'
import { type CutWorker, startWithWires } from './cut-worker.ts'

const url = process.env.CITUS_URL

/** Common reads of one profile; each needs the profile's rows. */
const mustWait = [
  'explainConversion',
  'getChannels',
  'getCohorts',
  'getOverview',
  'getRealtime',
  'listCampaigns',
  'listConnections',
  'listCustomers',
  'listExportRuns',
  'listPayments',
  'listTopPerformers',
  'listTrackedEvents',
  'listVisitors',
]
/**
 * Reference tables can be written only while all nodes are available. Old raw events on the other nodes are dropped, then
 * the job fails for the unavailable node, to be retried.
 */
const needEveryNode = ['events.drop_old', 'events.partitions', 'fx.import_rates']

/** More jobs than a worker runs concurrently. */
const MORE_THAN_SLOTS = 30

const reads = routes
  .map(({ entry }) => entry)
  .filter((entry) => entry.method === 'GET' && entry.access.kind === 'profile')

describe.skipIf(url === undefined)('a worker that is away on Citus (skipped without CITUS_URL)', () => {
  let cut: CutWorker
  let app: TestApp
  let away: Wire
  let lost: Tenant
  let reachable: Tenant
  const answersBefore = new Map<string, number[]>()

  const request = (tenant: Tenant, entry: (typeof reads)[number]) =>
    send(app, entry, `Bearer ${tenant.key}`, sampleOf(entry))

  beforeAll(async () => {
    cut = await startWithWires(url!)
    app = cut.app
    away = cut.away
    lost = await cut.makeTenant(true)
    reachable = await cut.makeTenant(false)
    for (const { profileId, key } of [lost, reachable]) await makeAdWorld(app, profileId, app.as(key))
    for (const entry of reads)
      answersBefore.set(entry.name, [
        (await request(lost, entry)).status,
        (await request(reachable, entry)).status,
      ])
    await away.cut()
  }, 300_000)
  afterAll(() => cut?.close())

  it('all reads succeeded before', () => {
    expect([...answersBefore.keys()]).toEqual(expect.arrayContaining(mustWait))
    const failed = [...answersBefore].filter(([, statuses]) =>
      statuses.some((status) => status === 500 || status === 503),
    )
    expect(failed).toEqual([])
  })

  it.each(reads.map((entry) => [entry.name, entry] as const))(
    '%s: others are answered as before, its own learn when to retry',
    async (name, entry) => {
      const [lostBefore, reachableBefore] = answersBefore.get(name)!
      expect((await request(reachable, entry)).status).toBe(reachableBefore)
      const { status, headers } = await request(lost, entry)
      if (mustWait.includes(name)) expect(status).toBe(503)
      if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      else expect(status).toBe(lostBefore)
    },
  )

  it.each(schedules.map(({ name }) => name).filter((name) => !needEveryNode.includes(name)))(
    '%s goes on',
    (name) => runSchedule(app.service, jobs, name),
  )

  it('queues due jobs of others, and its own when it is back', async () => {
    await sql`delete from jobs`.execute(app.service.db)
    await runSchedule(app.service, jobs, 'top_performers.start_due')
    const queued = async () =>
      (
        await sql<{ profile_id: string }>`select distinct profile_id from jobs`.execute(app.service.db)
      ).rows.map((row) => row.profile_id)
    expect(await queued()).toEqual([reachable.profileId])
    await away.up()
    await runSchedule(app.service, jobs, 'top_performers.start_due')
    expect((await queued()).sort()).toEqual([reachable.profileId, lost.profileId].sort())
    await away.cut()
  })

  it('scoring, recommendations and recomputes of others need no other node', async () => {
    await sql`delete from jobs`.execute(app.service.db)
    const { profileId, key } = reachable
    await app.as(key)(startRecompute, { body: {} })
    for (const definition of jobs)
      if (['top_performers.score', 'recommendations.make'].includes(definition.name))
        await enqueue(app.service.db, definition, { profile_id: profileId }, { profileId })
    await drainJobs(app.service, jobs)
    const { rows: remainingJobs } = await sql`select name, state, last_error from jobs`.execute(
      app.service.db,
    )
    expect(remainingJobs).toEqual([])
    const { rows } = await sql<{ scored: number; recomputed: number }>`
      select (select count(*) from ad_score_runs where profile_id = ${profileId} and state = 'done') as scored,
        (select count(*) from recomputes where profile_id = ${profileId} and state = 'done') as recomputed`.execute(
      (await app.service.nodes.of(profileId)).db,
    )
    expect(rows).toEqual([{ scored: 1, recomputed: 1 }])
  })

  it.each(['cut', 'stall'] as const)(
    'jobs of other nodes run while many wait for a lost worker (%s), without using up a try',
    async (how) => {
      await away.cut()
      await away.up()
      const node = await app.service.nodes.of(lost.profileId)
      await until(() => nodeAnswers(node))
      await sql`delete from jobs`.execute(app.service.db)
      const done: string[] = []
      const read = job({
        name: 'test.read',
        payload: z.object({}),
        maxAttempts: 1,
        async run({ db, profileId }) {
          await sql`select count(*) from conversions where profile_id = ${profileId}`.execute(db)
          done.push(profileId!)
        },
      })
      const definitions = [read] as Parameters<typeof drainJobs>[1]
      const queueMany = async () => {
        for (let count = 0; count < MORE_THAN_SLOTS; count++)
          await enqueue(app.service.db, read, {}, { profileId: lost.profileId })
      }
      // Connections that are open when the worker hangs wait the longest.
      await queueMany()
      await drainJobs(app.service, definitions)
      expect(done.length).toBe(MORE_THAN_SLOTS)
      await away[how]()
      await until(async () => !(await nodeAnswers(node)))
      await queueMany()
      await enqueue(app.service.db, read, {}, { profileId: reachable.profileId })
      await drainJobs(app.service, definitions)
      expect(done.slice(MORE_THAN_SLOTS)).toEqual([reachable.profileId])
      const remainingJobs = sql`select distinct profile_id, state, attempts from jobs`
      expect((await remainingJobs.execute(app.service.db)).rows).toEqual([
        { profile_id: lost.profileId, state: 'scheduled', attempts: 0 },
      ])
      if (how === 'stall') await away.cut()
      await away.up()
      await until(async () => {
        await sql`update jobs set state = 'ready' where state = 'scheduled'`.execute(app.service.db)
        await drainJobs(app.service, definitions)
        return done.length === 2 * MORE_THAN_SLOTS + 1
      })
    },
    120_000,
  )
})
