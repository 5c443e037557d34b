import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../test/database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { inParts, together } from './together.ts'

let cloned: ClonedDatabase
let database: OpenDatabase

beforeAll(async () => {
  cloned = await cloneDatabase()
  database = openDatabase({ connectionString: cloned.connectionString })
  await database.pool.query('create table written (n integer)')
})
afterAll(async () => {
  await database.close()
  await cloned.drop()
})

const written = async () => (await database.pool.query('select n from written order by n')).rows

it('when one write fails, none of the others is done, not even after the transaction', async () => {
  const steps: string[] = []
  const failing = database.db.transaction().execute((tx) =>
    together(
      () => sql`insert into written values (1)`.execute(tx),
      () => sql`select 1 / 0`.execute(tx),
      async () => {
        await sql`select 1`.execute(tx).catch(() => {})
        await sql`insert into written values (2)`.execute(tx).finally(() => steps.push('last ended'))
      },
      () => {
        throw new Error('before any statement')
      },
    ).finally(() => steps.push('told')),
  )
  await expect(failing).rejects.toThrow('division by zero')
  expect(steps).toEqual(['last ended', 'told'])
  expect(await written()).toEqual([])
})

it('writes of one transaction are all done once it settles', async () => {
  await database.db.transaction().execute((tx) =>
    together(
      async () => {
        await sql`insert into written values (1)`.execute(tx)
        await sql`insert into written values (3)`.execute(tx)
      },
      () => sql`insert into written values (2)`.execute(tx),
    ),
  )
  expect(await written()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

it('work in parts covers every row once, three parts at a time', async () => {
  const parts: number[][] = []
  let underWay = 0
  let most = 0
  await database.db.transaction().execute((tx) =>
    inParts(
      [1, 2, 3, 4, 5, 6, 7],
      async (part) => {
        parts.push([...part])
        most = Math.max(most, ++underWay)
        await sql`select 1`.execute(tx)
        underWay -= 1
      },
      2,
    ),
  )
  expect(parts).toEqual([[1, 2], [3, 4], [5, 6], [7]])
  expect(most).toBe(3)
})

it('once a part has failed none begins, and those under way have ended before it is told', async () => {
  const steps: string[] = []
  const failing = database.db.transaction().execute((tx) =>
    inParts(
      [1, 0, 2, 3, 4],
      async ([divisor]) => {
        steps.push(`begins ${divisor}`)
        await sql`select 1 / ${divisor}::int`.execute(tx).finally(() => steps.push(`ended ${divisor}`))
        if (divisor === 1) await sql`select 1`.execute(tx).finally(() => steps.push('ended 1 again'))
      },
      1,
    ).finally(() => steps.push('told')),
  )
  await expect(failing).rejects.toThrow('division by zero')
  expect(steps).not.toContain('begins 3')
  expect(steps.slice(-2)).toEqual(['ended 1 again', 'told'])
})
