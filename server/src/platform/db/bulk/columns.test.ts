import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../../test/database.ts'
import { type OpenDatabase, openDatabase } from '../database.ts'
import {
  bigints,
  booleans,
  byteas,
  days,
  instants,
  jsonbs,
  smallints,
  texts,
  uuidList,
  uuids,
} from './columns.ts'

let cloned: ClonedDatabase
let database: OpenDatabase

beforeAll(async () => {
  cloned = await cloneDatabase()
  database = openDatabase({ connectionString: cloned.connectionString })
})
afterAll(async () => {
  await database.close()
  await cloned.drop()
})

const row = fc.record({
  id: fc.option(fc.uuid()),
  text: fc.option(
    fc.oneof(
      fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed()),
      fc.string({ unit: 'grapheme-ascii', minLength: 90, maxLength: 300 }),
      fc.constantFrom('', 'null', '{}', '"', 'é'.repeat(70)),
    ),
  ),
  whole: fc.option(fc.maxSafeInteger()),
  small: fc.option(fc.integer({ min: -32_768, max: 32_767 })),
  at: fc.option(fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })),
  truth: fc.option(fc.boolean()),
  bytes: fc.option(fc.uint8Array().map((value) => Buffer.from(value))),
  said: fc.option(
    fc.dictionary(
      fc
        .string({ unit: 'grapheme' })
        .filter((key) => key !== '__proto__' && !key.includes('\0') && key.isWellFormed()),
      fc.oneof(fc.string({ unit: 'grapheme-ascii' }), fc.integer(), fc.constant(null)),
    ),
  ),
})

it('rows of ids, texts, numbers, timestamps, days, booleans, bytes and objects arrive unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row), async (sent) => {
      const rows = sent.map((entry) => ({ ...entry, day: entry.at?.toISOString().slice(0, 10) ?? null }))
      const { rows: selected } = await sql<Record<string, unknown>>`
        select id, text, whole, small, at, truth, bytes, said, day from unnest(
          ${uuids(rows, (entry) => entry.id)}::uuid[], ${texts(rows, (entry) => entry.text)}::text[],
          ${bigints(rows, (entry) => entry.whole)}::bigint[], ${smallints(rows, (entry) => entry.small)}::smallint[],
          ${instants(rows, (entry) => entry.at)}::timestamptz[], ${booleans(rows, (entry) => entry.truth)}::boolean[],
          ${byteas(rows, (entry) => entry.bytes)}::bytea[], ${jsonbs(rows, (entry) => entry.said)}::jsonb[],
          ${days(rows, (entry) => entry.day)}::date[])
          with ordinality as u(id, text, whole, small, at, truth, bytes, said, day, n)
        order by n`.execute(database.db)
      expect(selected).toEqual(rows)
    }),
    { numRuns: 150 },
  )
})

it('a column larger than the buffer arrives complete', async () => {
  const long = Array.from({ length: 50 }, (_, index) => 'ü'.repeat(100_000 + index))
  const { rows } = await sql<{ length: number }>`
    select length(t) as length from unnest(${texts(long, (text) => text)}::text[]) with ordinality as u(t, n) order by n`.execute(
    database.db,
  )
  expect(rows.map((row) => row.length)).toEqual(long.map((value) => value.length))
})

it('a list of ids can be empty; invalid ids and times are rejected', async () => {
  const { rows } = await sql<{ count: number }>`select cardinality(${uuidList([])}::uuid[]) as count`.execute(
    database.db,
  )
  expect(rows[0]!.count).toBe(0)
  const id = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
  for (const wrong of ['', 'visitor-1', id.slice(1), `${id}0`, id.replace('a', 'g'), id.replace('a', 'š')])
    expect(() => uuidList([wrong])).toThrow('not a UUID')
  expect(() => instants([new Date(Number.NaN)], (time) => time)).toThrow('Not a time')
})
