import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../../test/database.ts'
import { type OpenDatabase, openDatabase } from '../database.ts'
import { arrayLiteral } from './array-literal.ts'

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

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed()),
  fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', '\\x00', ' a ', 'a,b', '\n', '\u2003', '{"a":"\\"b"}'),
)
const numbers = fc.array(fc.option(fc.maxSafeInteger()))
const dates = fc.array(
  fc.option(fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })),
)
const bytes = fc.array(fc.option(fc.uint8Array().map((value) => Buffer.from(value))))

it('columns of texts, numbers, timestamps, booleans and bytes arrive unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(text)),
      numbers,
      dates,
      fc.array(fc.option(fc.boolean())),
      bytes,
      async (...columns) => {
        const [texts, bigints, times, truths, binary] = columns
        const { rows } = await sql<Record<string, unknown>>`
          select ${texts}::text[] as a, ${bigints}::bigint[]::text[] as b,
            ${truths}::boolean[] as d, array(select encode(x, 'hex') from unnest(${binary}::bytea[]) with ordinality as u(x, n) order by n) as e`.execute(
          database.db,
        )
        expect(rows[0]).toEqual({
          a: texts,
          b: bigints.map((value) => (value === null ? null : String(value))),
          d: truths,
          e: binary.map((value) => value?.toString('hex') ?? null),
        })
        const back = await sql<{ t: Date | null }>`
          select t from unnest(${times}::timestamptz[]) with ordinality as u(t, n) order by n`.execute(
          database.db,
        )
        expect(back.rows.map((row) => row.t)).toEqual(times)
      },
    ),
    { numRuns: 150 },
  )
})

it('timestamps outside four-digit years and in other zones are parsed like the driver does', async () => {
  const { rows } = await sql<{ far: Date; old: number }>`
    select '12026-01-01T00:00:00Z'::timestamptz as far, '0044-03-15 00:00:00+00 BC'::timestamptz as old`.execute(
    database.db,
  )
  expect(rows[0]!.far).toEqual(new Date('+012026-01-01T00:00:00Z'))
  expect(rows[0]!.old).toEqual(new Date('-000043-03-15T00:00:00Z'))
  const zoned = await database.db.transaction().execute(async (tx) => {
    await sql`set local timezone to 'Asia/Kolkata'`.execute(tx)
    return sql<{ at: Date }>`select '2026-03-01T10:00:00.123Z'::timestamptz as at`.execute(tx)
  })
  expect(zoned.rows[0]!.at).toEqual(new Date('2026-03-01T10:00:00.123Z'))
})

it('unsupported types are left to the driver', () => {
  expect(arrayLiteral([['nested']])).toBeUndefined()
  expect(arrayLiteral([{ some: 'object' }])).toBeUndefined()
  expect(arrayLiteral([new Date(8.64e15)])).toBeUndefined()
})
