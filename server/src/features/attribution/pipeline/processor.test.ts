import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { EventInput } from '../../facts/events/contract.ts'
import { writeEvents } from '../../facts/events/queries.ts'
import { toNewEvent } from '../../facts/events/rules.ts'
import { createProcessor, pauseAfterBatch } from './processor.ts'

let app: TestApp
let profileId: string

beforeAll(async () => {
  ;({ app, profileId } = await startTestProfile())
})
afterAll(() => app.close())

async function commit(key: string): Promise<void> {
  const { db, clock, identityPepper: pepper } = app.service
  const input = EventInput.parse({ event_name: 'lead_created', idempotency_key: key, anonymous_id: key })
  const event = accepted(
    toNewEvent(input, { profileId, currency: 'EUR', country: null, pepper, now: clock.now() }),
  )
  await writeEvents(db, { profileId, events: [event] })
}

async function countWaiting(): Promise<number> {
  const rows = await app.service.db
    .selectFrom('event_queue')
    .select('event_ids')
    .where('profile_id', '=', profileId)
    .execute()
  return rows.flatMap((row) => row.event_ids).length
}

it('events that arrive in the pause after a batch wait for the next batch', async () => {
  const { nodes, clock, log, identityPepper } = app.service
  const batches: string[] = []
  const first = Promise.withResolvers<void>()
  const processor = createProcessor({
    nodes,
    clock,
    log,
    identityPepper,
    pauseMs: 3_600_000,
    onProcessed: (id) => {
      batches.push(id)
      first.resolve()
    },
  })
  await commit('first')
  processor.wake(profileId)
  await first.promise
  expect(await countWaiting()).toBe(0)
  for (const key of ['second', 'third']) {
    await commit(key)
    processor.wake(profileId)
  }
  await processor.stop()
  expect(batches).toEqual([profileId])
  expect(await countWaiting()).toBe(2)
})

it('after the pause all waiting events are processed in one batch', async () => {
  const { nodes, clock, log, identityPepper } = app.service
  let batches = 0
  const done = Promise.withResolvers<void>()
  const processor = createProcessor({
    nodes,
    clock,
    log,
    identityPepper,
    pauseMs: 50,
    onProcessed: async () => {
      batches += 1
      if ((await countWaiting()) === 0) done.resolve()
    },
  })
  processor.wake(profileId)
  await done.promise
  await processor.stop()
  expect(batches).toBe(1)
})

it('retries a profile that another process has locked, without a new event', async () => {
  const { db, nodes, clock, log, identityPepper } = app.service
  const retried = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  let tries = 0
  const processor = createProcessor({
    nodes: {
      ...nodes,
      shardOf(id) {
        tries += 1
        if (tries === 2) retried.resolve()
        return nodes.shardOf(id)
      },
    },
    clock,
    log,
    identityPepper,
    pauseMs: 40,
    onProcessed: () => done.resolve(),
  })
  await inTransaction(db, async (tx) => {
    await lockProfile(tx, profileId)
    await commit('locked')
    processor.wake(profileId)
    await retried.promise
    expect(await countWaiting()).toBe(1)
  })
  await done.promise
  await processor.stop()
  expect(await countWaiting()).toBe(0)
})

it('the pause of a profile under heavy load is twice as long, so that more events share a batch', () => {
  expect([1, 1000, 1001, 9999].map((count) => pauseAfterBatch(count, 400))).toEqual([400, 400, 800, 800])
})
