import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../../test/app.ts'
import type { JobContext } from '../context.ts'
import { uuidv7 } from '../contract/ids.ts'
import { type Job, JobError, job } from '../contract/job.ts'
import { claim, type Turn } from './claim.ts'
import { countJobs, listDeadJobs, requeueDeadJobs } from './dead.ts'
import { enqueue, enqueueMany, quickLanes } from './enqueue.ts'
import { backoffMs } from './run.ts'
import { nextRunAt } from './schedule.ts'
import { complete, fail } from './settle.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

let app: TestApp
const workers: Worker[] = []
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await sql`truncate jobs, job_schedules`.execute(app.service.db)
  await app.service.clock.set(app.service.db, 0)
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop(100)
})

function work(jobs: readonly Job[], options: Partial<WorkerOptions> = {}): Worker {
  const worker = startWorker({ service: app.service, jobs, pollMs: 10, ...options })
  workers.push(worker)
  return worker
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

const isEmpty = async () => {
  const counts = await countJobs(app.service.db)
  return counts.ready + counts.running + counts.scheduled === 0
}

async function advance(seconds: number): Promise<void> {
  await app.service.clock.set(app.service.db, seconds * 1000)
}

const Note = z.object({ note: z.string() })
function recorder(name: string, run: Job<z.infer<typeof Note>>['run'] = async () => {}, slow = false) {
  const seen: { note: string; profileId: string | null; attempt: number }[] = []
  const definition = job({
    name,
    payload: Note,
    slow,
    async run(context, payload) {
      seen.push({ note: payload.note, profileId: context.profileId, attempt: context.attempt })
      await run(context, payload)
    },
  })
  return { definition, seen }
}

function turn(names: string[], limit: number, more: Partial<Turn> = {}): Turn {
  return { lanes: quickLanes, names, limit, leaseId: uuidv7(), leaseSeconds: 60, served: new Map(), ...more }
}

describe('enqueueing', () => {
  it('belongs to the transaction that causes it', async () => {
    const { definition, seen } = recorder('belongs')
    const profileId = uuidv7()
    const rolledBack = app.service.db.transaction().execute(async (tx) => {
      await enqueue(tx, definition, { note: 'never' })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await app.service.db
      .transaction()
      .execute((tx) => enqueue(tx, definition, { note: 'yes' }, { profileId }))
    work([definition])
    await until(isEmpty)
    expect(seen).toEqual([{ note: 'yes', profileId, attempt: 1 }])
  })

  it('for a later time waits for the service clock to reach it', async () => {
    const { definition, seen } = recorder('later')
    const now = app.service.clock.now().getTime()
    await enqueue(app.service.db, definition, { note: 'in an hour' }, { runAt: new Date(now + 3_600_000) })
    await enqueue(app.service.db, definition, { note: 'past' }, { runAt: new Date(now - 1000) })
    work([definition])
    await until(() => seen.length === 1)
    await enqueue(app.service.db, definition, { note: 'now' })
    await until(() => seen.length === 2)
    expect(seen.map((run) => run.note)).toEqual(['past', 'now'])
    await advance(3601)
    await until(isEmpty)
    expect(seen.map((run) => run.note)).toEqual(['past', 'now', 'in an hour'])
  })

  it('of many jobs runs each exactly once, whatever the number of workers', async () => {
    const { definition, seen } = recorder('many')
    const items = Array.from({ length: 1500 }, (_, i) => ({ payload: { note: `${i}` }, profileId: uuidv7() }))
    await enqueueMany(app.service.db, definition, items)
    for (let i = 0; i < 3; i++) work([definition])
    await until(isEmpty)
    expect(new Set(seen.map((run) => run.note)).size).toBe(1500)
    expect(seen.length).toBe(1500)
  })
})

describe('turns', () => {
  it('go round the profiles, however long the backlog of one is', async () => {
    const { definition } = recorder('turns')
    const profiles = [uuidv7(), uuidv7(), uuidv7()].sort()
    const [loud] = profiles
    await enqueueMany(
      app.service.db,
      definition,
      [...Array(300).fill(loud), ...Array(4).fill(profiles[1]), ...Array(4).fill(profiles[2])].map(
        (profileId, i) => ({ payload: { note: `${i}` }, profileId }),
      ),
    )
    const six = await claim(app.service.db, turn(['turns'], 6))
    const shares = profiles.map((profile) => six.filter((claimed) => claimed.profile_id === profile).length)
    expect(shares).toEqual([2, 2, 2])
    const served = new Map<number, string>()
    const order: string[] = []
    for (let i = 0; i < 6; i++) {
      const [claimed] = await claim(app.service.db, turn(['turns'], 1, { served }))
      order.push(claimed!.profile_id)
    }
    expect(order).toEqual([...profiles, ...profiles])
  })

  it('take urgent work before normal and bulk work', async () => {
    const { definition } = recorder('lanes')
    for (const priority of ['bulk', 'normal', 'urgent'] as const) {
      await enqueue(app.service.db, definition, { note: priority }, { priority })
    }
    const order: unknown[] = []
    for (let i = 0; i < 3; i++) order.push((await claim(app.service.db, turn(['lanes'], 1)))[0]!.payload)
    expect(order).toEqual([{ note: 'urgent' }, { note: 'normal' }, { note: 'bulk' }])
  })

  it('leave work alone that this process does not know', async () => {
    const { definition } = recorder('unknown')
    await enqueue(app.service.db, definition, { note: 'for a newer version' })
    expect(await claim(app.service.db, turn(['known'], 10))).toEqual([])
    expect((await countJobs(app.service.db)).ready).toBe(1)
  })

  it('of short work are not kept waiting by slow work', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = recorder('slow', () => gate.promise, true)
    const quick = recorder('quick')
    await enqueueMany(app.service.db, slow.definition, [
      { payload: { note: '1' } },
      { payload: { note: '2' } },
    ])
    work([slow.definition, quick.definition], { slowSlots: 1 })
    await until(() => slow.seen.length === 1)
    await enqueue(app.service.db, quick.definition, { note: 'quick' })
    await until(() => quick.seen.length === 1)
    expect(slow.seen.length).toBe(1)
    gate.resolve()
    await until(isEmpty)
    expect(slow.seen.length).toBe(2)
  })
})

describe('a dedupe key', () => {
  it('makes one run of all that waits, and one more of what came during it, never at once', async () => {
    const gate = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const { definition, seen } = recorder('keyed', async () => {
      most = Math.max(most, ++running)
      await gate.promise
      running--
    })
    const profileId = uuidv7()
    const add = (note: string) =>
      enqueue(app.service.db, definition, { note }, { profileId, dedupeKey: 'customer-1' })
    for (let i = 0; i < 5; i++) await add('before')
    work([definition])
    work([definition])
    await until(() => running === 1)
    expect(await countJobs(app.service.db)).toMatchObject({ ready: 0, running: 1 })
    for (let i = 0; i < 5; i++) await add('during')
    await enqueue(
      app.service.db,
      definition,
      { note: 'other profile' },
      { profileId: uuidv7(), dedupeKey: 'customer-1' },
    )
    await until(() => running === 2)
    gate.resolve()
    await until(isEmpty)
    expect(seen.map((run) => run.note).sort()).toEqual(['before', 'during', 'other profile'])
    expect(most).toBe(2)
  })

  it('never lets two claims that race run the same work', async () => {
    const { definition } = recorder('race')
    for (let round = 0; round < 20; round++) {
      const add = () => enqueue(app.service.db, definition, { note: `${round}` }, { dedupeKey: `${round}` })
      const claims = await Promise.all([
        add(),
        claim(app.service.db, turn(['race'], 10)),
        add(),
        claim(app.service.db, turn(['race'], 10)),
        add(),
        claim(app.service.db, turn(['race'], 10)),
      ])
      const claimed = claims.flatMap((result) => (Array.isArray(result) ? result : []))
      expect(claimed.filter((one) => one.dedupe_key === `${round}`).length).toBeLessThanOrEqual(1)
    }
  })
})

describe('a failing job', () => {
  it('is tried five times with growing delays, then dead, seen, and run again when re-queued', async () => {
    let broken = true
    const { definition, seen } = recorder('fails', async () => {
      if (broken) throw new Error('the provider is down')
    })
    const profileId = uuidv7()
    const id = await enqueue(app.service.db, definition, { note: 'x' }, { profileId })
    work([definition])
    for (let attempt = 1; attempt <= 4; attempt++) {
      await until(async () => seen.length === attempt && (await countJobs(app.service.db)).scheduled === 1)
      await advance(attempt * 1000)
    }
    await until(async () => (await countJobs(app.service.db)).dead === 1)
    expect(seen.map((run) => run.attempt)).toEqual([1, 2, 3, 4, 5])
    expect(await listDeadJobs(app.service.db, { profileId, name: 'fails' })).toMatchObject([
      {
        id,
        name: 'fails',
        profileId,
        payload: { note: 'x' },
        attempts: 5,
        lastError: 'Error: the provider is down',
      },
    ])
    broken = false
    expect(await requeueDeadJobs(app.service.db, [id])).toBe(1)
    expect(await requeueDeadJobs(app.service.db, [id])).toBe(0)
    await until(isEmpty)
    expect(seen.at(-1)!.attempt).toBe(1)
    expect(await listDeadJobs(app.service.db)).toEqual([])
  })

  it('waits longer each time, and never as long as another would', () => {
    const low = [1, 2, 3, 4].map((attempt) => backoffMs(attempt, () => 0))
    const high = [1, 2, 3, 4].map((attempt) => backoffMs(attempt, () => 1))
    expect(low).toEqual([2500, 10_000, 40_000, 160_000])
    expect(high).toEqual([7500, 30_000, 120_000, 480_000])
  })

  it('is dead at once when a retry makes no sense, or its payload is not valid', async () => {
    const { definition, seen } = recorder('hopeless', async () => {
      throw new JobError('The account is gone', 'never')
    })
    const other = job({ name: 'hopeless', payload: z.object({ other: z.string() }), run: async () => {} })
    await enqueue(app.service.db, definition, { note: 'x' })
    await enqueue(app.service.db, other, { other: 'old payload' })
    work([definition])
    await until(async () => (await countJobs(app.service.db)).dead === 2)
    expect(seen.length).toBe(1)
    const errors = (await listDeadJobs(app.service.db)).map((dead) => dead.lastError)
    expect(errors.sort()).toEqual(['JobError: The account is gone', 'The payload is not valid'])
  })

  it('may say itself when to try again', async () => {
    const { definition, seen } = recorder('told', async ({ attempt }) => {
      if (attempt === 1) throw new JobError('Too many requests', { afterMs: 0 })
    })
    await enqueue(app.service.db, definition, { note: 'x' })
    work([definition])
    await until(isEmpty)
    expect(seen.length).toBe(2)
  })
})

describe('a lease', () => {
  it('that lapses gives the job to another worker, and the first can no longer end it', async () => {
    const { definition, seen } = recorder('lapsed')
    await enqueue(app.service.db, definition, { note: 'x' })
    const [lost] = await claim(app.service.db, turn(['lapsed'], 1, { leaseSeconds: 0 }))
    const held = { id: lost!.id, leaseId: lost!.lease_id }
    const gate = Promise.withResolvers<void>()
    const again = recorder('lapsed', () => gate.promise)
    work([again.definition], { reapMs: 10 })
    await until(() => again.seen.length === 1)
    expect(again.seen[0]!.attempt).toBe(2)
    expect(await complete(app.service.db, [held])).toEqual([])
    expect(await fail(app.service.db, { ...held, error: 'late', dead: true, delayMs: 0 })).toBe(false)
    expect((await countJobs(app.service.db)).running).toBe(1)
    gate.resolve()
    await until(isEmpty)
    expect(seen).toEqual([])
  })

  it('that lapses five times kills the job that kills its workers', async () => {
    const { definition } = recorder('poison')
    await enqueue(app.service.db, definition, { note: 'x' })
    const bystander = recorder('bystander')
    work([bystander.definition], { reapMs: 5 })
    for (let attempt = 1; attempt <= 5; attempt++) {
      await until(
        async () => (await claim(app.service.db, turn(['poison'], 1, { leaseSeconds: 0 }))).length === 1,
      )
    }
    await until(async () => (await countJobs(app.service.db)).dead === 1)
    expect((await listDeadJobs(app.service.db))[0]).toMatchObject({
      attempts: 5,
      lastError: /stopped answering/,
    })
  })

  it('is kept by the heartbeat for as long as the job runs', async () => {
    const gate = Promise.withResolvers<void>()
    const { definition, seen } = recorder('long', () => gate.promise)
    await enqueue(app.service.db, definition, { note: 'x' })
    work([definition], { leaseSeconds: 1, heartbeatMs: 50, reapMs: 10 })
    work([definition], { leaseSeconds: 1, heartbeatMs: 50, reapMs: 10 })
    await until(() => seen.length === 1)
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() + interval '1.5 seconds' as at`.execute(
      app.service.db,
    )
    await until(async () => {
      const { lease_until } = await app.service.db
        .selectFrom('jobs')
        .select('lease_until')
        .executeTakeFirstOrThrow()
      return lease_until! > new Date(rows[0]!.at.getTime() + 1000)
    })
    expect(seen.length).toBe(1)
    gate.resolve()
    await until(isEmpty)
    expect(seen.length).toBe(1)
  })

  it('that was lost tells the job to stop', async () => {
    const stopped = Promise.withResolvers<string>()
    const { definition } = recorder('robbed', ({ signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped.resolve(String(signal.reason))
          reject(signal.reason)
        })
      })
    })
    await enqueue(app.service.db, definition, { note: 'x' })
    work([definition], { heartbeatMs: 10 })
    await until(async () => (await countJobs(app.service.db)).running === 1)
    await sql`update jobs set lease_id = ${uuidv7()}`.execute(app.service.db)
    expect(await stopped.promise).toContain('taken over')
  })
})

describe('a worker that stops', () => {
  it('lets short jobs finish, gives back the rest untried, and another goes on at once', async () => {
    const finish = Promise.withResolvers<void>()
    const short = recorder('short', () => finish.promise)
    const aborted: JobContext['signal'][] = []
    const long = recorder(
      'stoppable',
      ({ signal }) =>
        new Promise((_, reject) => {
          aborted.push(signal)
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
      true,
    )
    await enqueue(app.service.db, short.definition, { note: 's' })
    await enqueue(app.service.db, long.definition, { note: 'l' })
    const first = work([short.definition, long.definition])
    await until(() => short.seen.length === 1 && long.seen.length === 1)
    const stopping = first.stop(30_000)
    await until(() => aborted[0]!.aborted)
    finish.resolve()
    await stopping
    expect(await countJobs(app.service.db)).toEqual({ ready: 1, running: 0, scheduled: 0, dead: 0 })
    const next = recorder('stoppable', undefined, true)
    work([next.definition])
    await until(isEmpty)
    expect(next.seen).toMatchObject([{ note: 'l', attempt: 1 }])
  })

  it('gives back a short job that does not end in time', async () => {
    const { definition } = recorder('endless', () => new Promise(() => {}))
    await enqueue(app.service.db, definition, { note: 'x' })
    const worker = work([definition])
    await until(async () => (await countJobs(app.service.db)).running === 1)
    await worker.stop(20)
    expect(await countJobs(app.service.db)).toMatchObject({ ready: 1, running: 0 })
  })
})

describe('a schedule', () => {
  const tick = (run: () => void) =>
    job({ name: 'tick', payload: z.strictObject({}), run: async () => run() }) as Job<Record<string, never>>

  it('runs once per due time on any number of workers, and does not make up for missed times', async () => {
    let runs = 0
    const schedules = [{ name: 'hourly', job: tick(() => runs++), rule: { everySeconds: 3600 } }]
    for (let i = 0; i < 3; i++) work([schedules[0]!.job], { schedules })
    const nextRun = async () =>
      (await app.service.db.selectFrom('job_schedules').select('next_run_at').executeTakeFirst())?.next_run_at
    await until(async () => (await nextRun()) !== undefined)
    const planned = (await nextRun())!
    expect(runs).toBe(0)
    await advance(10 * 3600)
    await until(() => runs === 1)
    await until(isEmpty)
    expect((await nextRun())!.getTime()).toBeGreaterThan(planned.getTime() + 9 * 3_600_000)
    await advance(11 * 3600 + 60)
    await until(() => runs === 2)
    await until(isEmpty)
    expect(runs).toBe(2)
  })

  it('of every day names the next such time', () => {
    const at = (text: string) => new Date(text)
    expect(nextRunAt({ dailyAtUtc: '03:30' }, at('2025-01-01T03:29:59Z'))).toEqual(at('2025-01-01T03:30:00Z'))
    expect(nextRunAt({ dailyAtUtc: '03:30' }, at('2025-01-01T03:30:00Z'))).toEqual(at('2025-01-02T03:30:00Z'))
    expect(nextRunAt({ everySeconds: 60 }, at('2025-01-01T03:30:00Z'))).toEqual(at('2025-01-01T03:31:00Z'))
  })
})

it('the worker counts what became of its jobs', async () => {
  const counts: Record<string, number> = {}
  const metrics = {
    count: (name: string, labels: Record<string, string>) => {
      const key = `${name} ${labels.job} ${labels.result}`
      counts[key] = (counts[key] ?? 0) + 1
    },
    observe: () => {},
  }
  const good = recorder('good')
  const bad = recorder('bad', async () => {
    throw new JobError('no', 'never')
  })
  await enqueue(app.service.db, good.definition, { note: 'x' })
  await enqueue(app.service.db, good.definition, { note: 'y' })
  await enqueue(app.service.db, bad.definition, { note: 'z' })
  work([good.definition, bad.definition], { metrics })
  await until(() => counts['jobs_total good done'] === 2 && counts['jobs_total bad dead'] === 1)
})
