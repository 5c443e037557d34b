import { CompiledQuery, sql } from 'kysely'
import { expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { CopyReader } from './copy/copy-out.ts'
import { type Db, inTransaction, openDatabase, type Tx, withTimeLimit } from './database.ts'

it.each(['used itself', 'used only with a time limit', 'never used'])(
  'close ends all connections of a database that was %s',
  async (use) => {
    const cloned = await cloneDatabase()
    try {
      const { db, pool, close } = openDatabase({ connectionString: cloned.connectionString })
      if (use !== 'never used')
        await sql`select 1`.execute(use === 'used itself' ? db : withTimeLimit(db, 5000))
      await close()
      expect({ ended: pool.ended, open: pool.totalCount }).toEqual({ ended: true, open: 0 })
    } finally {
      await cloned.drop()
    }
  },
)

const breaks: [string, (db: Db) => Promise<unknown>][] = [
  [
    'a statement whose columns changed',
    async (db) => {
      const read = sql`select n from changing`
      await sql`create table changing (n integer)`.execute(db)
      await read.execute(db)
      await sql`alter table changing alter n type text`.execute(db)
      await expect(read.execute(db)).rejects.toThrow('cached plan')
    },
  ],
  [
    'a late COPY',
    async (db) => {
      const copy = 'copy (select pg_sleep(60)) to stdout (format binary)'
      const reader = new CopyReader(1, () => {})
      await expect(withTimeLimit(db, 1).executeQuery(CompiledQuery.raw(copy, [reader]))).rejects.toThrow(
        'timeout',
      )
    },
  ],
]

it('a query that waits for the connection of a late one gets another connection', async () => {
  const cloned = await cloneDatabase()
  try {
    const { db, close } = openDatabase({ connectionString: cloned.connectionString, max: 1 })
    const late = sql`select pg_sleep(60)`.execute(withTimeLimit(db, 1))
    const waiting = sql<{ n: number }>`select 1 as n`.execute(db)
    await expect(late).rejects.toThrow('timeout')
    expect((await waiting).rows).toEqual([{ n: 1 }])
    await close()
  } finally {
    await cloned.drop()
  }
})

it.each(breaks)('closes the connection of %s outside of a transaction', async (_, breakConnection) => {
  const cloned = await cloneDatabase()
  try {
    const { db, pool, close } = openDatabase({ connectionString: cloned.connectionString, max: 1 })
    await breakConnection(db)
    expect(pool.totalCount).toBe(0)
    await close()
  } finally {
    await cloned.drop()
  }
})

it('of two transactions in a deadlock one runs once more, and a second conflict is an error', async () => {
  const cloned = await cloneDatabase()
  try {
    const { db, close } = openDatabase({ connectionString: cloned.connectionString })
    await sql`create table counters (id integer primary key, n integer)`.execute(db)
    await sql`insert into counters values (1, 0), (2, 0)`.execute(db)
    const increment = (tx: Tx, id: number) => sql`update counters set n = n + 1 where id = ${id}`.execute(tx)
    let arrived = 0
    let open = () => {}
    const bothLocked = new Promise<void>((resolve) => {
      open = resolve
    })
    const runs = [0, 0]
    const add = (own: number, ids: readonly [number, number]) =>
      inTransaction(db, async (tx) => {
        runs[own]! += 1
        await increment(tx, ids[0])
        if (++arrived === 2) open()
        await bothLocked
        await increment(tx, ids[1])
      })
    await Promise.all([add(0, [1, 2]), add(1, [2, 1])])
    const { rows } = await sql`select id, n from counters order by id`.execute(db)
    expect(rows).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ])
    expect(runs.toSorted()).toEqual([1, 2])

    let failures = 0
    const fail = inTransaction(db, async (tx) => {
      failures += 1
      await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(tx)
    })
    await expect(fail).rejects.toMatchObject({ code: '40001' })
    expect(failures).toBe(2)
    await close()
  } finally {
    await cloned.drop()
  }
})
