import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { advance, app, isEmpty, recorder, turn, useWorkbench, work } from '../../../test/job-workbench.ts'
import { until } from '../../../test/until.ts'
import type { JobContext } from '../../context.ts'
import { uuidv7 } from '../contract/ids.ts'
import { JobError, job } from '../contract/job.ts'
import { claim } from './claim.ts'
import { countJobs, listDeadJobs, requeueDeadJobs } from './dead.ts'
import { enqueue } from './enqueue.ts'
import { retryDelayMs } from './run.ts'
import { complete, fail } from './settle.ts'
import { upkeepSchedules } from './upkeep.ts'

useWorkbench()

describe('a failing job', () => {
  it('is tried five times with increasing delays, then dead and listed, and runs again when requeued', async () => {
    let broken = true
    const { definition, seen } = recorder('fails', async () => {
      if (broken) throw new Error('the provider is down')
    })
    const profileId = uuidv7()
    const id = await enqueue(app.service.db, definition, { note: 'x' }, { profileId })
    work([definition])
    let seconds = 0
    await until(async () => {
      const { scheduled, dead } = await countJobs(app.service.db)
      seconds += 1000 * scheduled
      await advance(seconds)
      return dead === 1
    })
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

  it('waits longer each time, with jitter', () => {
    const low = [1, 2, 3, 4].map((attempt) => retryDelayMs(attempt, 0))
    const high = [1, 2, 3, 4].map((attempt) => retryDelayMs(attempt, 1))
    expect(low).toEqual([2500, 10_000, 40_000, 160_000])
    expect(high).toEqual([7500, 30_000, 120_000, 480_000])
  })

  it('waits while the disk is full, without using up attempts', async () => {
    let full = true
    const { definition, seen } = recorder('no_room', async () => {
      if (full) throw Object.assign(new Error('No space left on device'), { code: '53100' })
      throw new Error('a fault of its own')
    })
    const id = await enqueue(app.service.db, definition, { note: 'x' })
    work([definition])
    let seconds = 0
    await until(async () => {
      const { scheduled, dead } = await countJobs(app.service.db)
      seconds += 60 * scheduled
      await advance(seconds)
      full = seen.length < 8
      return dead === 1
    })
    const attempts = seen.map((run) => run.attempt)
    expect(attempts.filter((attempt) => attempt === 1).length).toBeGreaterThanOrEqual(8)
    expect(attempts.slice(-5)).toEqual([1, 2, 3, 4, 5])
    expect(await listDeadJobs(app.service.db)).toMatchObject([{ id, attempts: 5 }])
  })

  it('is dead immediately if it must not be retried or its payload is invalid', async () => {
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

  it('can set its own retry delay', async () => {
    const { definition, seen } = recorder('failing', async ({ attempt }) => {
      if (attempt === 1) throw new JobError('Too many requests', { afterMs: 0 })
    })
    await enqueue(app.service.db, definition, { note: 'x' })
    work([definition])
    await until(isEmpty)
    expect(seen.length).toBe(2)
  })

  it('that died a month ago is deleted, a younger one is kept', async () => {
    const { definition } = recorder('forgotten')
    const ids = [uuidv7(), uuidv7()]
    for (const note of ids) await enqueue(app.service.db, definition, { note })
    await sql`update jobs set state = 'dead', died_at = now() - case when payload->>'note' = ${ids[0]!}
      then interval '31 days' else interval '29 days' end`.execute(app.service.db)
    const [discard] = upkeepSchedules
    await enqueue(app.service.db, discard!.job, {})
    work([discard!.job])
    await until(isEmpty)
    expect((await listDeadJobs(app.service.db)).map((dead) => dead.payload)).toEqual([{ note: ids[1] }])
  })
})

describe('a lease', () => {
  it('that expires passes the job to another worker, and the first can no longer complete it', async () => {
    const { definition, seen } = recorder('expired')
    await enqueue(app.service.db, definition, { note: 'x' })
    const [lost] = await claim(app.service.db, turn(['expired'], 1, { leaseSeconds: 0 }))
    const lease = { id: lost!.id, leaseId: lost!.lease_id }
    const gate = Promise.withResolvers<void>()
    const again = recorder('expired', () => gate.promise)
    work([again.definition], { reapMs: 10 })
    await until(() => again.seen.length === 1)
    expect(again.seen[0]!.attempt).toBe(2)
    expect(await complete(app.service.db, [lease])).toEqual([])
    expect(
      await fail(app.service.db, { ...lease, result: 'failed', error: 'late', dead: true, delayMs: 0 }),
    ).toBe(false)
    expect((await countJobs(app.service.db)).running).toBe(1)
    gate.resolve()
    await until(isEmpty)
    expect(seen).toEqual([])
  })

  it('that expires five times makes the job dead, because it kills its workers', async () => {
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
    // A lease long enough for a busy machine; the test checks that it is always fully renewed.
    work([definition], { leaseSeconds: 600, heartbeatMs: 10, reapMs: 10 })
    work([definition], { leaseSeconds: 600, heartbeatMs: 10, reapMs: 10 })
    await until(() => seen.length === 1)
    for (let lease = 0; lease < 3; lease++) {
      await sql`update jobs set lease_until = clock_timestamp() + interval '60 seconds'`.execute(
        app.service.db,
      )
      await until(async () => {
        const { rows } = await sql<{ whole: boolean }>`
          select lease_until > clock_timestamp() + interval '300 seconds' as whole from jobs`.execute(
          app.service.db,
        )
        return rows[0]!.whole
      })
    }
    expect(seen.length).toBe(1)
    gate.resolve()
    await until(isEmpty)
    expect(seen.length).toBe(1)
  })

  it('that was lost aborts the job', async () => {
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
  it('lets short jobs finish and releases the others without using an attempt, so another worker continues immediately', async () => {
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

  it('releases a short job that does not end in time', async () => {
    const { definition } = recorder('endless', () => new Promise(() => {}))
    await enqueue(app.service.db, definition, { note: 'x' })
    const worker = work([definition])
    await until(async () => (await countJobs(app.service.db)).running === 1)
    await worker.stop(20)
    expect(await countJobs(app.service.db)).toMatchObject({ ready: 1, running: 0 })
  })
})
