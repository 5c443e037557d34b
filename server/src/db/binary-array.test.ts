import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../test/database.ts'
import { booleanArray, byteaArray, jsonbArray, textArray, timestampArray, uuidArray } from './binary-array.ts'
import { type OpenDatabase, openDatabase } from './database.ts'

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

const column = <T>(value: fc.Arbitrary<T>) => fc.array(fc.option(value))
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed())
const time = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
const json = fc.dictionary(
  text.filter((key) => key !== '__proto__'),
  fc.oneof(text, fc.integer(), fc.constant(null)),
)

it('a column of any texts, ids, times, truths, bytes and objects arrives as it was sent', async () => {
  await fc.assert(
    fc.asyncProperty(
      column(text),
      column(fc.uuid()),
      column(time),
      column(fc.boolean()),
      column(fc.uint8Array()),
      column(json),
      async (texts, ids, times, truths, binary, objects) => {
        const { rows } = await sql<Record<string, unknown>>`
          select ${textArray(texts)}::text[] as texts, ${uuidArray(ids)}::uuid[]::text[] as ids,
            array(select floor(extract(epoch from t) * 1000)::text from unnest(${timestampArray(times)}::timestamptz[]) with ordinality as u(t, n) order by n) as times,
            ${booleanArray(truths)}::boolean[] as truths,
            array(select encode(b, 'hex') from unnest(${byteaArray(binary)}::bytea[]) with ordinality as u(b, n) order by n) as binary,
            to_jsonb(${jsonbArray(objects)}::jsonb[]) as objects`.execute(database.db)
        expect(rows[0]).toEqual({
          texts,
          ids,
          times: times.map((value) => (value === null ? null : String(value.getTime()))),
          truths,
          binary: binary.map((value) => (value === null ? null : Buffer.from(value).toString('hex'))),
          objects,
        })
      },
    ),
    { numRuns: 150 },
  )
})

it('a column larger than any before it arrives whole', async () => {
  const texts = Array.from({ length: 50 }, (_, index) => 'ü'.repeat(100_000 + index))
  const { rows } = await sql<{ length: number }>`
    select length(t) as length from unnest(${textArray(texts)}::text[]) with ordinality as u(t, n) order by n`.execute(
    database.db,
  )
  expect(rows.map((row) => row.length)).toEqual(texts.map((value) => value.length))
})

it('what is no id and no time is refused, not written as another', () => {
  for (const wrong of ['', 'x', '0b4f1f1e-9df4-5b1e-8b1d-0a2c5f5b7a1g', '0b4f1f1e9df45b1e8b1d0a2c5f5b7a10'])
    expect(() => uuidArray([wrong])).toThrow(TypeError)
  expect(() => timestampArray([new Date(Number.NaN)])).toThrow(RangeError)
})
