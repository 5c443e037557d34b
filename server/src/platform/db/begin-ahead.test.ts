import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { type Db, inSnapshot } from './database.ts'

let app: TestApp
let db: Db
beforeAll(async () => {
  app = await startTestApp()
  db = app.service.db
})
afterAll(() => app.close())

const countLocks = async (on: Db) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from profile_locks`.execute(on)
  return rows[0]!.count
}

it('all statements of a snapshot see the state at the first', async () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const counts = await inSnapshot(db, async (tx) => {
    const first = await countLocks(tx)
    await sql`insert into profile_locks (profile_id) values (${id})`.execute(db)
    return [first, await countLocks(tx)]
  })
  expect(counts).toEqual([counts[0], counts[0]])
  expect(await countLocks(db)).toBe(counts[0]! + 1)
})

it('a snapshot is read-only, and its connection has no open transaction afterwards', async () => {
  const writing = inSnapshot(db, (tx) => sql`delete from profile_locks`.execute(tx))
  await expect(writing).rejects.toThrow('read-only transaction')
  const failing = inSnapshot(db, (tx) => sql`select 1 / 0`.execute(tx))
  await expect(failing).rejects.toThrow('division by zero')
  expect(await inSnapshot(db, async () => 'nothing read')).toBe('nothing read')
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(db)
  expect(rows).toEqual([{ open: 0 }])
})
