import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printedSeed } from '../../../../test/seed.ts'
import { ParquetFile } from './parquet.ts'
import type { Column } from './tables.ts'

const seed = printedSeed('parquet')

const kinds = {
  uuid: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  text: fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0')),
  integer: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 300 })),
  day: fc.integer({ min: -20_000, max: 40_000 }),
  time: fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2200-01-01') }),
  boolean: fc.boolean(),
}
const toText = (id: string) =>
  Buffer.from(id, 'latin1')
    .toString('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
const types = Object.keys(kinds) as Column['type'][]
const columns: readonly Column[] = types.flatMap((type): Column[] => [
  { name: type, type, about: '' },
  { name: `${type}_or_null`, type, about: '', nullable: true },
])

/** Columns with few and with many values, in runs and mixed, around the sizes at which encodings change. */
const content = fc
  .record({
    rows: fc.constantFrom(0, 1, 7, 8, 9, 16, 17, 64, 250, 999, 1000, 1001, 1500, 20_011),
    columns: fc.tuple(
      ...columns.map(({ type, nullable }) =>
        fc.record({
          values: fc.array(
            nullable
              ? fc.option(kinds[type] as fc.Arbitrary<unknown>)
              : (kinds[type] as fc.Arbitrary<unknown>),
            { minLength: 1, maxLength: 300 },
          ),
          run: fc.constantFrom(1, 1, 3, 20, 500),
          stray: fc.constantFrom(5, 37, 111, 100_000),
        }),
      ),
    ),
  })
  .map(({ rows, columns: chosen }) =>
    Array.from({ length: rows }, (_, row) =>
      chosen.map(
        ({ values, run, stray }) => values[(Math.floor(row / run) + Math.floor(row / stray)) % values.length],
      ),
    ),
  )

it('an independent reader gets every value back', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whence-parquet-'))
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const read = columns
    .map(({ name, type }) =>
      type === 'time'
        ? `epoch_ms(${name})`
        : type === 'day'
          ? `${name} - date '1970-01-01'`
          : type === 'uuid'
            ? `${name}::text`
            : name,
    )
    .join(', ')
  try {
    await fc.assert(
      fc.asyncProperty(content, async (rows) => {
        const file = new ParquetFile(columns, 'test')
        for (const row of rows) file.add(Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])))
        const path = join(folder, 'a.parquet')
        await writeFile(path, file.finish().bytes)
        const found = await connection.runAndReadAll(`select ${read} from read_parquet('${path}')`)
        const wanted = rows.map((row) =>
          row.map((value, at) =>
            columns[at]!.type === 'uuid' && value !== null ? toText(value as string) : value,
          ),
        )
        const numbers = found
          .getRows()
          .map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
        expect(numbers).toEqual(wanted)
      }),
      { numRuns: 20, seed },
    )
  } finally {
    connection.closeSync()
    await rm(folder, { recursive: true, force: true })
  }
})

it('a value that is missing or no whole number is not written', () => {
  const file = () => new ParquetFile([{ name: 'amount', type: 'integer', about: '' }], 'test')
  for (const value of [null, undefined]) expect(() => file().add({ amount: value })).toThrow('has no value')
  for (const value of [0.5, 2 ** 53]) expect(() => file().add({ amount: value })).toThrow('no whole number')
})

it('text that looks like a person is left empty', async () => {
  const name: Column = { name: 'name', type: 'text', about: '', nullable: true, free: true }
  const file = new ParquetFile([name], 'test')
  for (const text of ['Sale', 'ada@example.com', 'Sale', 'ada@example.com']) file.add({ name: text })
  const { bytes, rows } = file.finish()
  expect(rows).toBe(4)
  expect(Buffer.from(bytes).includes('ada@')).toBe(false)
})
