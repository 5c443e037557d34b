import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { advance, app, isEmpty, recorder, turn, useWorkbench, work } from '../../../test/job-workbench.ts'
import { drainJobs } from '../../../test/jobs.ts'
import { until } from '../../../test/until.ts'
import { uuidv7 } from '../contract/ids.ts'
import { type Job, JobError, job } from '../contract/job.ts'
import { claim } from './claim.ts'
import { countJobs } from './dead.ts'
import { enqueue, enqueueMany } from './enqueue.ts'
import { nextRunAt } from './schedule.ts'

useWorkbench()

describe('enqueueing', () => {
  it('is part of the transaction of the caller', async () => {
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

  it('for a later time is not due in a queue that a test drains, however long another job takes', async () => {
    const retried = recorder('retried')
    let looked = () => {}
    const slow = recorder('slow', async ({ db }) => {
      await enqueue(db, retried.definition, { note: 'due at once' }, { runAt: new Date(0) })
      for (const look of [1, 2]) await new Promise((resolve) => (looked = () => resolve(look)))
    })
    await enqueue(app.service.db, retried.definition, { note: 'due before' }, { runAt: new Date(0) })
    await enqueue(app.service.db, slow.definition, { note: 'slow' })
    await drainJobs(app.service, [slow.definition, retried.definition], () => looked())
    expect(retried.seen.map(({ note }) => note)).toEqual(['due before'])
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
  it('rotate over the profiles, however long the backlog of one is', async () => {
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

  it('skip jobs that this process does not know', async () => {
    const { definition } = recorder('unknown')
    await enqueue(app.service.db, definition, { note: 'for a newer version' })
    expect(await claim(app.service.db, turn(['known'], 10))).toEqual([])
    expect((await countJobs(app.service.db)).ready).toBe(1)
  })

  it('of short jobs are not blocked by slow jobs', async () => {
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
  it('merges all waiting jobs into one run and jobs enqueued during it into another, never concurrently', async () => {
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

  it('never lets two concurrent claims run the same job', async () => {
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
      expect(claimed.filter((claimedJob) => claimedJob.dedupe_key === `${round}`).length).toBeLessThanOrEqual(
        1,
      )
    }
  })
})

describe('a schedule', () => {
  const tick = (run: () => void) =>
    job({ name: 'tick', payload: z.strictObject({}), run: async () => run() }) as Job<Record<string, never>>

  it('runs once per due time on any number of workers, and skips missed times', async () => {
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

  it('with atStart runs whenever a worker starts, and then by its rule', async () => {
    let runs = 0
    const schedules = [
      { name: 'first', job: tick(() => runs++), atStart: true, rule: { everySeconds: 6 * 3600 } },
    ]
    work([schedules[0]!.job], { schedules })
    await until(() => runs === 1)
    await until(isEmpty)
    work([schedules[0]!.job], { schedules })
    await until(() => runs === 2)
    await until(isEmpty)
    await advance(5 * 3600)
    expect(runs).toBe(2)
    await advance(6 * 3600 + 60)
    await until(() => runs === 3)
  })

  it('with a daily rule returns the next such time', () => {
    const at = (text: string) => new Date(text)
    expect(nextRunAt({ dailyAtUtc: '03:30' }, at('2025-01-01T03:29:59Z'))).toEqual(at('2025-01-01T03:30:00Z'))
    expect(nextRunAt({ dailyAtUtc: '03:30' }, at('2025-01-01T03:30:00Z'))).toEqual(at('2025-01-02T03:30:00Z'))
    expect(nextRunAt({ everySeconds: 60 }, at('2025-01-01T03:30:00Z'))).toEqual(at('2025-01-01T03:31:00Z'))
  })
})

it('the worker counts the results of its jobs', async () => {
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
