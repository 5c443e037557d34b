import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { readColumns } from './read-columns.ts'

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

it('reads the rows that the query itself gives, in their order', async () => {
  const { db } = app.service
  const { rows } = await rowsOf(7).execute(db)
  expect(rows).toHaveLength(7)
  const columns = ['word', 'amount', 'day', 'id', 'isKnown'] as const
  expect(await readColumns(db, columns, rowsOf(7))).toEqual(rows)
  expect(await readColumns(db, columns, rowsOf(0))).toEqual([])
})
