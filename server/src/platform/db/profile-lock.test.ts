import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { uuidv7 } from '../contract/ids.ts'
import { lockProfile, tryLockProfile } from './profile-lock.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const transaction = <T>(
  work: Parameters<ReturnType<TestApp['service']['db']['transaction']>['execute']>[0],
) => app.service.db.transaction().execute(work) as Promise<T>

it('a new profile can be locked, is then locked, and is free after release', async () => {
  const profileId = uuidv7()
  await transaction(async (tx) => {
    expect(await tryLockProfile(tx, profileId)).toBe(true)
  })
  await transaction(async (holder) => {
    await lockProfile(holder, profileId)
    await transaction(async (other) => {
      expect(await tryLockProfile(other, profileId)).toBe(false)
      expect(await tryLockProfile(other, uuidv7())).toBe(true)
    })
  })
  await transaction(async (tx) => {
    expect(await tryLockProfile(tx, profileId)).toBe(true)
  })
})

it('concurrent first locks of one profile are serialised', async () => {
  const profileId = uuidv7()
  let holders = 0
  let most = 0
  const hold = () =>
    transaction(async (tx) => {
      await lockProfile(tx, profileId)
      most = Math.max(most, ++holders)
      await sql`select pg_sleep(0.02)`.execute(tx)
      holders--
    })
  await Promise.all([hold(), hold(), hold()])
  expect(most).toBe(1)
})

it('the lock is the row: any connection that locks it blocks the profile', async () => {
  const profileId = uuidv7()
  await transaction((tx) => lockProfile(tx, profileId))
  const client = await app.pool.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from profile_locks where profile_id = $1 for no key update', [profileId])
    await transaction(async (tx) => {
      expect(await tryLockProfile(tx, profileId)).toBe(false)
    })
  } finally {
    await client.query('rollback')
    client.release()
  }
})

it('a process of the previous release, which takes the advisory lock, is also waited for', async () => {
  const profileId = uuidv7()
  await transaction((tx) => lockProfile(tx, profileId))
  const client = await app.pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`profile ${profileId}`])
    await transaction(async (tx) => {
      expect(await tryLockProfile(tx, profileId)).toBe(false)
    })
  } finally {
    await client.query('rollback')
    client.release()
  }
})
