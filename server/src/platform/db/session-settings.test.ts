import { Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../test/database.ts'
import { connectAlone } from './copy/text.ts'
import { openDatabase } from './database.ts'

let database: ClonedDatabase

beforeAll(async () => {
  database = await cloneDatabase()
  const client = new pg.Client({ connectionString: database.connectionString })
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  await client.query(`alter database ${rows[0]!.name} set datestyle = 'SQL, DMY'`)
  await client.end()
})
afterAll(() => database.drop())

const at = '2026-11-03T10:20:30.456Z'
const query = `select '${at}'::timestamptz as at, '2026-11-03'::date as day, current_setting('datestyle') as style`

it('times and days are parsed correctly on a database with another datestyle', async () => {
  const plain = new pg.Client({ connectionString: database.connectionString })
  await plain.connect()
  expect((await plain.query(query)).rows[0].style).toBe('SQL, DMY')
  await plain.end()
  const { pool, close } = openDatabase({ connectionString: database.connectionString, max: 1 })
  expect((await pool.query(query)).rows).toEqual([
    { at: new Date(at), day: '2026-11-03', style: expect.stringMatching(/^ISO,/) },
  ])
  await close()
})

it('options in the connection string are kept, but cannot change the datestyle', async () => {
  const separator = database.connectionString.includes('?') ? '&' : '?'
  const options = encodeURIComponent('-c datestyle=German -c work_mem=5MB')
  const connectionString = `${database.connectionString}${separator}options=${options}`
  const { pool, close } = openDatabase({ connectionString, max: 1 })
  const { rows } = await pool.query(
    `select current_setting('datestyle') as style, current_setting('work_mem') as memory, current_setting('jit') as jit`,
  )
  expect(rows).toEqual([{ style: expect.stringMatching(/^ISO,/), memory: '5MB', jit: 'off' }])
  await close()
})

it('a backup’s connection uses the ISO datestyle', async () => {
  const client = await connectAlone({ connectionString: database.connectionString }, 'test')
  const { rows } = await client.query(`select '${at}'::timestamptz::text as at`)
  expect(rows[0].at).toMatch(/^2026-11-03 \d\d:\d\d:30\.456/)
  await client.end()
})

it('a silent connection is probed by TCP keepalive', async () => {
  const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
  const { pool, close } = openDatabase({ connectionString: database.connectionString, max: 1 })
  await pool.query('select 1')
  expect(setKeepAlive).toHaveBeenCalledWith(true, 10_000)
  setKeepAlive.mockRestore()
  await close()
})
