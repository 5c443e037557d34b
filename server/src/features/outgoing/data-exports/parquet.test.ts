import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printedSeed } from '../../../../test/seed.ts'
import { TupleWriter } from '../../../platform/db/copy/copy-in.ts'
import type { CopyRow } from '../../../platform/db/copy/copy-out.ts'
import { NumberChunk } from './column-chunk.ts'
import { ParquetFile } from './parquet.ts'
import type { Column } from './tables.ts'

const POSTGRES_EPOCH_MS = 946_684_800_000
const seed = printedSeed('parquet')

const kinds = {
  uuid: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  text: fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0')),
  integer: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 300 })),
  day: fc.integer({ min: -20_000, max: 40_000 }),
  time: fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2200-01-01') }),
  boolean: fc.boolean(),
}
const toText = (id: string) => id.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
/** Rows encoded like a binary COPY. */
function toCopyRow(values: readonly unknown[], columns: readonly Column[]): CopyRow {
  const writer = new TupleWriter()
  values.forEach((value, index) => {
    const { type } = columns[index]!
    if (value === null) writer.raw(Buffer.from([255, 255, 255, 255]), 0, 4)
    else if (type === 'uuid') writer.text(Buffer.from(value as string, 'hex'))
    else if (type === 'text') writer.string(value as string)
    else if (type === 'integer') writer.bigint(value as number)
    else if (type === 'day') writer.day(value as number)
    else if (type === 'time') writer.bigint((value as number) * 1000 - POSTGRES_EPOCH_MS * 1000)
    else writer.boolean(value as boolean)
  })
  const { bytes } = writer
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const row = {
    bytes,
    view,
    begin: 0,
    end: writer.length,
    at: new Int32Array(values.length),
    size: new Int32Array(values.length),
  }
  for (let field = 0, at = 0; field < values.length; field++) {
    row.size[field] = view.getInt32(at)
    row.at[field] = at + 4
    at += 4 + Math.max(0, row.size[field]!)
  }
  return row
}

function write(
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  file = new ParquetFile(columns, 'test'),
) {
  for (const values of rows) {
    const row = toCopyRow(values, columns)
    for (const [index, column] of file.columns.entries()) column.read(row, index)
    file.endRows()
  }
  return file.finish()
}

const types = Object.keys(kinds) as Column['type'][]
const columns: readonly Column[] = types.flatMap((type): Column[] => [
  { name: type, type, about: '' },
  { name: `${type}_or_null`, type, about: '', nullable: true },
])

/** Columns with few and many distinct values, in runs and mixed, around the sizes at which the encoding changes. */
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

it('an independent Parquet reader reads every value', { timeout: 60_000 }, async () => {
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
  // Written one after another, like the files of a table.
  const file = new ParquetFile(columns, 'test')
  try {
    await fc.assert(
      fc.asyncProperty(content, async (rows) => {
        const path = join(folder, 'a.parquet')
        await writeFile(path, write(columns, rows, file).bytes)
        const actual = await connection.runAndReadAll(`select ${read} from read_parquet('${path}')`)
        const expected = rows.map((row) =>
          row.map((value, at) =>
            columns[at]!.type === 'uuid' && value !== null ? toText(value as string) : value,
          ),
        )
        const numbers = actual
          .getRows()
          .map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
        expect(numbers).toEqual(expected)
      }),
      { numRuns: 20, seed },
    )
  } finally {
    connection.closeSync()
    await rm(folder, { recursive: true, force: true })
  }
})

it('a missing value of a required column and a fractional number are refused', () => {
  const columns: Column[] = [{ name: 'amount', type: 'integer', about: '' }]
  expect(() => write(columns, [[null]])).toThrow('has no value')
  const file = new ParquetFile(columns, 'test')
  file.endRows()
  expect(() => file.finish()).toThrow('has no value')
  for (const value of [0.5, 2 ** 53])
    expect(() => file.column('amount', NumberChunk).addNumber(value)).toThrow('not a safe integer')
})

it('text that looks like an email address or phone number is left empty', async () => {
  const name: Column = { name: 'name', type: 'text', about: '', nullable: true, free: true }
  const { bytes, rows } = write(
    [name],
    ['Sale', 'ada@example.com', 'Sale', 'ada@example.com'].map((text) => [text]),
  )
  expect(rows).toBe(4)
  expect(Buffer.from(bytes).includes('ada@')).toBe(false)
})
