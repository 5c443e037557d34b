/**
 * One column of a row group. Values get a number in a dictionary while they arrive, so that each distinct one is
 * converted and written once; `hyparquet-writer`, which takes arrays of values, goes through them many times.
 * The library still writes page headers and the file's metadata.
 */

import { zstdCompressSync } from 'node:zlib'
import type { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { snappyCompress } from 'hyparquet-writer/src/snappy.js'
import { isPersonal } from '../../../platform/contract/personal-values.ts'
import { Bytes } from './bytes.ts'
import type { Column } from './tables.ts'

type Chunk = ParquetWriter['row_groups'][number]['columns'][number]

/** Rows of a group from which on zstd is worth its start; smaller pages are compressed by snappy. */
const ZSTD_ROWS = 1000
/** The code of a value that is left out, and no value before the first. */
const NULL = -1
const NONE = Symbol('none')

const physicalTypes = {
  uuid: 'FIXED_LEN_BYTE_ARRAY',
  text: 'BYTE_ARRAY',
  integer: 'INT64',
  day: 'INT32',
  time: 'INT64',
  boolean: 'BOOLEAN',
} as const

const levels = new Bytes()
const page = new Bytes()

export class ColumnChunk {
  sum = 0
  private readonly column: Column
  private codes = new Int32Array(512)
  private readonly codeOf = new Map<unknown, number>()
  private readonly distinct: (string | number)[] = []
  private rows = 0
  private nulls = 0
  private last: unknown = NONE
  private lastCode = NULL

  constructor(column: Column) {
    this.column = column
  }

  add(value: unknown): void {
    if (value !== this.last) {
      if (value === undefined || (value === null && this.column.nullable !== true))
        throw new Error(`The column ${this.column.name} has no value`)
      this.last = value
      this.lastCode = value === null ? NULL : this.lookUp(value)
    }
    if (this.lastCode === NULL) this.nulls += 1
    if (this.rows === this.codes.length) {
      const grown = new Int32Array(this.rows * 2)
      grown.set(this.codes)
      this.codes = grown
    }
    this.codes[this.rows] = this.lastCode
    this.rows += 1
    if (this.column.sum === true && typeof value === 'number') this.sum += value
  }

  private lookUp(value: unknown): number {
    // Times hardly repeat.
    if (this.column.type === 'time') return this.distinct.push(value as number) - 1
    const known = this.codeOf.get(value)
    if (known !== undefined) return known
    const isLeftOut = this.column.free === true && isPersonal(value as string)
    const code = isLeftOut ? NULL : this.distinct.push(toStored(this.column, value)) - 1
    this.codeOf.set(value, code)
    return code
  }

  /** Writes what was added and begins again. */
  write(writer: ByteWriter): Chunk {
    const { column, rows, nulls } = this
    const codec = rows < ZSTD_ROWS ? 'SNAPPY' : 'ZSTD'
    const compress = (bytes: Uint8Array) =>
      codec === 'ZSTD' ? zstdCompressSync(bytes) : snappyCompress(bytes)
    const begin = writer.offset
    const values = rows - nulls
    // A dictionary of values that hardly repeat saves nothing.
    const isDictionary = column.type !== 'boolean' && values > 0 && this.distinct.length * 2 <= values
    let uncompressed = 0
    if (isDictionary) {
      page.clear()
      for (const value of this.distinct) writeValue(page, column, value)
      uncompressed += writeDictionaryPage(writer, page.written(), this.distinct.length, compress)
    }
    const dataAt = writer.offset
    levels.clear()
    page.clear()
    const present = this.presentCodes()
    if (column.nullable === true) levels.runs(this.definitionLevels(), rows, 1)
    if (isDictionary) {
      const width = Math.max(1, 32 - Math.clz32(this.distinct.length - 1))
      page.byte(width)
      page.runs(present, values, width)
    } else if (column.type === 'boolean') {
      page.bits(Array.from(present.subarray(0, values), (code) => this.distinct[code]!))
    } else {
      for (let index = 0; index < values; index++) writeValue(page, column, this.distinct[present[index]!]!)
    }
    const encoding = isDictionary ? 'RLE_DICTIONARY' : 'PLAIN'
    uncompressed += writeDataPage(writer, { rows, nulls, encoding, compress })
    const chunk: Chunk = {
      meta_data: {
        type: physicalTypes[column.type],
        encodings: isDictionary ? ['PLAIN', encoding] : [encoding],
        path_in_schema: [column.name],
        codec,
        num_values: BigInt(rows),
        total_compressed_size: BigInt(writer.offset - begin),
        total_uncompressed_size: BigInt(uncompressed),
        data_page_offset: BigInt(dataAt),
        ...(isDictionary ? { dictionary_page_offset: BigInt(begin) } : {}),
        ...this.bounds(),
      },
      file_offset: BigInt(begin),
    }
    this.clear()
    return chunk
  }

  private presentCodes(): Int32Array {
    if (this.nulls === 0) return this.codes
    const present = new Int32Array(this.rows - this.nulls)
    for (let row = 0, at = 0; row < this.rows; row++)
      if (this.codes[row] !== NULL) present[at++] = this.codes[row]!
    return present
  }

  private definitionLevels(): Int32Array {
    const defined = new Int32Array(this.rows)
    for (let row = 0; row < this.rows; row++) defined[row] = this.codes[row] === NULL ? 0 : 1
    return defined
  }

  /** A reader skips row groups by day and time only, so only they have bounds. */
  private bounds() {
    const { type } = this.column
    if (type !== 'day' && type !== 'time') return {}
    const numbers = this.distinct as number[]
    const min = numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
    const max = numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
    const toBound = (value: number) => (type === 'time' ? BigInt(value) : value)
    const ends = numbers.length === 0 ? {} : { min_value: toBound(min), max_value: toBound(max) }
    return { statistics: { ...ends, null_count: BigInt(this.nulls) } }
  }

  private clear(): void {
    this.codeOf.clear()
    this.distinct.length = 0
    this.rows = 0
    this.nulls = 0
    this.last = NONE
  }
}

function toStored({ name, type }: Column, value: unknown): string | number {
  if (type === 'boolean') return value === true ? 1 : 0
  if (type === 'integer' && !Number.isSafeInteger(value))
    throw new Error(`The column ${name} has a value that is no whole number`)
  return value as string | number
}

function writeValue(bytes: Bytes, { type }: Column, value: string | number): void {
  if (type === 'uuid') bytes.uuid(value as string)
  else if (type === 'text') bytes.text(value as string)
  else if (type === 'day') bytes.int32(value as number)
  else bytes.int64(value as number)
}

function writeDictionaryPage(
  writer: ByteWriter,
  bytes: Uint8Array,
  count: number,
  compress: (bytes: Uint8Array) => Uint8Array,
): number {
  const begin = writer.offset
  const compressed = compress(bytes)
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  })
  const header = writer.offset - begin
  writer.appendBytes(compressed)
  return header + bytes.length
}

function writeDataPage(
  writer: ByteWriter,
  content: {
    rows: number
    nulls: number
    encoding: 'RLE_DICTIONARY' | 'PLAIN'
    compress: (bytes: Uint8Array) => Uint8Array
  },
): number {
  const { rows, nulls, encoding } = content
  const begin = writer.offset
  const [levelBytes, bytes] = [levels.written(), page.written()]
  const compressed = content.compress(bytes)
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levelBytes.length + bytes.length,
    compressed_page_size: levelBytes.length + compressed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levelBytes.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  })
  const header = writer.offset - begin
  writer.appendBytes(levelBytes)
  writer.appendBytes(compressed)
  return header + levelBytes.length + bytes.length
}
