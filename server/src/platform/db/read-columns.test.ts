import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { inSnapshot, withWrappedClients } from './database.ts'
import { readColumns, toInstant } from './read-columns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Row = { word: string | null; amount: number; day: string; id: string; isKnown: boolean }

const rowsOf = (count: number) => sql<Row>`
  select case when n % 3 > 0 then e'"{a\\\\b},\\n\\tÆ é' || n end as word, ${Number.MAX_SAFE_INTEGER}::bigint - n as amount,
    date '2026-01-31' + n as day, md5(n::text)::uuid as id, n % 2 = 0 as "isKnown"
  from generate_series(1, ${count}::int) n order by n desc`

it('returns the same rows as the query, in the same order', async () => {
  const { db } = app.service
  const { rows } = await rowsOf(7).execute(db)
  expect(rows).toHaveLength(7)
  const columns = ['word', 'amount', 'day', 'id', 'isKnown'] as const
  expect(await readColumns(db, columns, rowsOf(7))).toEqual(rows)
  expect(await readColumns(db, columns, rowsOf(0))).toEqual([])
})

it('combines concurrent reads of a snapshot into one statement', async () => {
  const texts: string[] = []
  const db = withWrappedClients(app.service.db, (client) => ({
    query(text, values) {
      texts.push(text)
      return client.query(text, values)
    },
    release: (error) => client.release(error),
  }))
  const countOf = (tx: typeof db, count: number) => readColumns(tx, ['word'], rowsOf(count))
  const read = await inSnapshot(db, async (tx) => {
    const first = await Promise.all([countOf(tx, 2), countOf(tx, 0), countOf(tx, 5)])
    return [...first, await countOf(tx, 1)].map((rows) => rows.length)
  })
  expect(read).toEqual([2, 0, 5, 1])
  expect(texts.filter((text) => text.includes('generate_series'))).toHaveLength(2)
})

it('rejects all combined reads if one of them fails', async () => {
  let statuses: string[] = []
  const reading = inSnapshot(app.service.db, async (tx) => {
    const reads = [
      readColumns(tx, ['word'], rowsOf(1)),
      readColumns(tx, ['word'], sql<Row>`select 1 / 0 as word`),
    ]
    statuses = (await Promise.allSettled(reads)).map(({ status }) => status)
    await Promise.all(reads)
  })
  await expect(reading).rejects.toThrow('division by zero')
  expect(statuses).toEqual(['rejected', 'rejected'])
})

it('reads timestamps with millisecond precision', async () => {
  const at = '2026-01-31T23:59:59.123Z'
  const [row] = await readColumns(
    app.service.db,
    ['at'],
    sql<{ at: string }>`select ${at}::timestamptz as at`,
  )
  expect(toInstant(row!.at)).toEqual(new Date(at))
  expect(toInstant(null)).toBeNull()
})
