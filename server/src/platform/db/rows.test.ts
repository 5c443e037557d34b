import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../test/database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { insertRow, rowsWhere } from './rows.ts'

let cloned: ClonedDatabase
let database: OpenDatabase
const day = (date: number) => new Date(Date.UTC(2026, 0, date))

beforeAll(async () => {
  cloned = await cloneDatabase()
  database = openDatabase({ connectionString: cloned.connectionString })
})
afterAll(async () => {
  await database.close()
  await cloned.drop()
})

/** Three syncs of one profile, one with an error, and one of another profile. */
async function makeSyncs() {
  const [own, other] = [randomUUID(), randomUUID()]
  const sync = { pages: 0, updated_at: day(1) }
  const connections = [randomUUID(), randomUUID(), randomUUID()] as const
  const syncOf = (profile_id: string, connection_id: string) => ({ ...sync, profile_id, connection_id })
  const rows = [
    { ...syncOf(own, connections[0]), state: 'idle', last_error: 'late', next_run_at: day(2) },
    { ...syncOf(own, connections[1]), state: 'failed', next_run_at: day(3) },
    { ...syncOf(own, connections[2]), state: 'running', next_run_at: day(1) },
    { ...syncOf(other, connections[0]), state: 'idle', last_error: 'late', next_run_at: day(4) },
  ]
  for (const row of rows) await insertRow(database.db, 'connection_syncs', row)
  return { own, other, connections }
}

const states = (rows: readonly { state: string }[]) => rows.map(({ state }) => state).sort()

it('matches a value, any of a list, and null', async () => {
  const { own: profileId, other, connections } = await makeSyncs()
  const where = (match: { connection_id?: string[]; last_error?: string | null }) =>
    rowsWhere(database.db, 'connection_syncs', { profile_id: profileId, ...match })
  expect(states(await where({}).list())).toEqual(['failed', 'idle', 'running'])
  expect(states(await where({ last_error: null }).list())).toEqual(['failed', 'running'])
  expect(states(await where({ last_error: 'late' }).list())).toEqual(['idle'])
  expect(states(await where({ connection_id: connections.slice(0, 2) }).list())).toEqual(['failed', 'idle'])
  const both = rowsWhere(database.db, 'connection_syncs', {
    profile_id: [profileId, other],
    last_error: 'late',
  })
  expect(await both.list({ columns: ['profile_id'] })).toHaveLength(2)
})

it('selects the given columns, or all, in the requested order', async () => {
  const { own: profileId } = await makeSyncs()
  const rows = rowsWhere(database.db, 'connection_syncs', { profile_id: profileId })
  expect(await rows.list({ columns: ['state'], orderBy: ['next_run_at desc', 'state'] })).toEqual([
    { state: 'failed' },
    { state: 'idle' },
    { state: 'running' },
  ])
  expect((await rows.list({ orderBy: ['next_run_at'] })).map(({ state }) => state)).toEqual([
    'running',
    'idle',
    'failed',
  ])
  const idle = rowsWhere(database.db, 'connection_syncs', { profile_id: profileId, state: 'idle' })
  expect(await idle.find(['last_error', 'next_run_at'])).toEqual({ last_error: 'late', next_run_at: day(2) })
  expect(await idle.get()).toMatchObject({ profile_id: profileId, state: 'idle', cursor: null })
})

it('find returns undefined if nothing matches, and get throws', async () => {
  const none = rowsWhere(database.db, 'connection_syncs', { profile_id: randomUUID() })
  expect(await none.find()).toBeUndefined()
  expect(await none.exists()).toBe(false)
  expect(await none.list()).toEqual([])
  await expect(none.get()).rejects.toThrow('no result')
})

it('updates and deletes only matching rows', async () => {
  const { own: profileId, other, connections } = await makeSyncs()
  const errors = rowsWhere(database.db, 'connection_syncs', { profile_id: profileId, last_error: null })
  expect(await errors.update({ cursor: 'next' })).toBe(2)
  const moved = rowsWhere(database.db, 'connection_syncs', { profile_id: [profileId, other], cursor: 'next' })
  expect(states(await moved.list())).toEqual(['failed', 'running'])
  const first = rowsWhere(database.db, 'connection_syncs', {
    profile_id: profileId,
    connection_id: connections[0],
  })
  expect(await first.delete()).toBe(1)
  expect(await first.delete()).toBe(0)
  expect(await first.exists()).toBe(false)
  expect(await rowsWhere(database.db, 'connection_syncs', { profile_id: other }).exists()).toBe(true)
})

it('locks the row until the transaction ends', async () => {
  const { own: profileId, connections } = await makeSyncs()
  const match = { profile_id: profileId, connection_id: connections[1] }
  await database.db.transaction().execute(async (tx) => {
    expect(await rowsWhere(tx, 'connection_syncs', match).lock(['state'])).toEqual({ state: 'failed' })
    const free = await database.db
      .selectFrom('connection_syncs')
      .select('state')
      .where('profile_id', '=', profileId)
      .forUpdate()
      .skipLocked()
      .execute()
    expect(states(free)).toEqual(['idle', 'running'])
  })
})

it('an undefined value is rejected, because it would match every row', async () => {
  const { own: profileId } = await makeSyncs()
  const connection_id: string | undefined = undefined
  const rows = rowsWhere(database.db, 'connection_syncs', { profile_id: profileId, connection_id })
  await expect(rows.delete()).rejects.toThrow('No value to match connection_id with')
  // @ts-expect-error A distributed table cannot be read without the profile.
  rowsWhere(database.db, 'connection_syncs', { connection_id: profileId })
})
