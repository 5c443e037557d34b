import { createRequire } from 'node:module'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../test/database.ts'
import { type Ahead, failedAhead, runStatement } from './statement.ts'

let cloned: ClonedDatabase
let client: pg.Client

beforeAll(async () => {
  cloned = await cloneDatabase()
  client = new pg.Client({ connectionString: cloned.connectionString })
  await client.connect()
  await client.query('create temp table kept (n integer primary key, word text)')
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await client.end()
  await cloned.drop()
})

/** Counts the column descriptions sent by the database. */
function countDescriptions(): () => number {
  let count = 0
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  connection.on('rowDescription', () => {
    count += 1
  })
  return () => count
}

it('matches the driver version whose internals it depends on', () => {
  const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string }
  expect(version, 'read pg/lib/query.js and pg/lib/connection.js again before changing this').toBe('8.23.1')
})

it('requests the columns of a statement once and reuses them for every result', async () => {
  const described = countDescriptions()
  const run = (n: number) =>
    runStatement(client, 'numbered', 'select $1::int as n, $2::text as word', [n, 'a'])
  for (const n of [1, 2, 3]) expect((await run(n)).rows).toEqual([{ n, word: 'a' }])
  expect(described()).toBe(1)
})

it('counts the affected rows of a statement without result, also the second time', async () => {
  const write = (n: number) => runStatement(client, 'written', 'insert into kept values ($1, null)', [n])
  for (const n of [1, 2]) expect(await write(n)).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [] })
})

it('a statement that failed once works the next time', async () => {
  const divide = (by: number) => runStatement(client, 'divided', 'select 6 / $1::int as quotient', [by])
  await expect(divide(0)).rejects.toThrow('division by zero')
  expect((await divide(2)).rows).toEqual([{ quotient: 3 }])
  await expect(divide(0)).rejects.toThrow('division by zero')
  expect((await divide(3)).rows).toEqual([{ quotient: 2 }])
})

it('a table that changes under a statement is an error, never a misread row', async () => {
  await client.query('create temp table changing (n integer)')
  await client.query('insert into changing values (1)')
  const run = () => runStatement(client, 'changing', 'select * from changing', [])
  expect((await run()).rows).toEqual([{ n: 1 }])
  await client.query("alter table changing alter n type text using 'one'")
  await expect(run()).rejects.toThrow('cached plan must not change result type')
})

it('a response that does not arrive in time is an error', async () => {
  const slow = new pg.Client({ connectionString: cloned.connectionString })
  await slow.connect()
  try {
    await expect(runStatement(slow, 'slow', 'select pg_sleep(60)', [], { limitMs: 1 })).rejects.toThrow(
      'timeout',
    )
  } finally {
    // The statement still runs; dropping the database ends it.
    slow.on('error', () => {})
    void slow.end()
  }
})

it.each(['named', undefined])(
  'a statement (%s) has its full time limit, however long earlier ones took',
  async (name) => {
    const locks = [1, 2, 3]
    for (const lock of locks) await client.query('select pg_advisory_lock($1)', [lock])
    const waiting = new pg.Client({ connectionString: cloned.connectionString })
    await waiting.connect()
    waiting.on('error', () => {})
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const run = (lock: number) =>
        runStatement(waiting, name, 'select $1::int as n from pg_advisory_lock($1)', [lock], {
          limitMs: 1000,
        })
      const results = locks.map(run)
      const ended = Promise.allSettled([...results, run(4)])
      for (const lock of [1, 2]) {
        vi.advanceTimersByTime(600)
        await client.query('select pg_advisory_unlock($1)', [lock])
        expect((await results[lock - 1]!).rows).toEqual([{ n: lock }])
      }
      vi.advanceTimersByTime(1000)
      const [, , late, behind] = await ended
      expect(late).toMatchObject({ status: 'rejected', reason: { message: 'Query read timeout' } })
      // It does not wait, because the connection is closed.
      expect(behind).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('terminated') },
      })
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      await client.query('select pg_advisory_unlock_all()')
      await waiting.end()
    }
  },
)

describe('a statement with others ahead of it', () => {
  const begin: Ahead = { name: '', text: 'begin', values: [] }
  const insertWord = (word: string): Ahead => ({
    name: 'insert-word',
    text: `insert into words (word) select $1 returning 'not read' as word`,
    values: [word],
  })
  const failFor = (word: string): Ahead => ({
    name: 'fail-empty',
    text: 'select 1 / length($1)',
    values: [word],
  })
  const storedWords = async () =>
    (await client.query<{ word: string }>('select word from words order by word')).rows.map(
      ({ word }) => word,
    )
  const count = (ahead: Ahead[], by = 1) =>
    runStatement(client, 'count-words', 'select count(*)::int / $1::int as count from words', [by], { ahead })

  beforeAll(async () => {
    await client.query('create temp table words (word text)')
  })
  afterEach(() => client.query('truncate words'))

  it('returns only its own rows and sees their changes', async () => {
    for (const total of [1, 2, 3])
      expect((await count([insertWord('a'), failFor('b')])).rows).toEqual([{ count: total }])
    expect(await storedWords()).toEqual(['a', 'a', 'a'])
  })

  it('is one transaction with them: if it fails, they are rolled back', async () => {
    const failed = await count([insertWord('a')], 0).catch((error) => error)
    expect([failed.message, failedAhead(failed)]).toEqual(['division by zero', false])
    expect(await storedWords()).toEqual([])
    expect((await count([insertWord('b')])).rows).toEqual([{ count: 1 }])
  })

  it.each(['first', 'second'])(
    'is not executed if the %s of them fails, and works the next time',
    async (position) => {
      const name = `after-${position}`
      const insertOwn = (ahead: Ahead[]) =>
        runStatement(client, name, 'insert into words values ($1) returning word', ['own'], { ahead })
      const ordered = (word: string) =>
        position === 'first' ? [failFor(word), insertWord('a')] : [insertWord('a'), failFor(word)]
      for (const _ of [1, 2]) {
        const failed = await insertOwn(ordered('')).catch((error) => error)
        expect([failed.message, failedAhead(failed)]).toEqual(['division by zero', true])
      }
      expect(await storedWords()).toEqual([])
      for (const _ of [1, 2]) expect((await insertOwn(ordered('b'))).rows).toEqual([{ word: 'own' }])
      expect(await storedWords()).toEqual(['a', 'a', 'own', 'own'])
    },
  )

  it('a transaction begun by a statement ahead stays open', async () => {
    expect((await count([begin, insertWord('a')])).rows).toEqual([{ count: 1 }])
    await client.query('rollback')
    expect(await storedWords()).toEqual([])
  })
})
