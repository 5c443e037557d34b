/**
 * One column of a row group. Values are read from the bytes of a binary COPY and dictionary-encoded as they arrive.
 * `hyparquet-writer` would need arrays of values and several passes; it only writes page headers and file metadata here.
 */

import type { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { isPersonal } from '../../../platform/contract/personal-values.ts'
import { type CopyRow, readBigint, readDay, readInstant } from '../../../platform/db/copy/copy-out.ts'
import { Bytes } from './bytes.ts'
import { codecOf, writeDataPage, writeDictionaryPage } from './pages.ts'
import type { Column } from './tables.ts'
import { BytesTable, NumberTable } from './value-tables.ts'

type Chunk = ParquetWriter['row_groups'][number]['columns'][number]

/** After this many rows a uuid column without repetition drops its dictionary. */
const TRIED_ROWS = 1024
/** Code of a row without a value. */
const NULL = -1

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
const noBytes = new Uint8Array(0)

export abstract class ColumnChunk {
  sum = 0
  readonly column: Column
  protected rows = 0
  protected nulls = 0
  /** Dictionary code of each row. */
  protected codes = new Int32Array(1024)

  constructor(column: Column) {
    this.column = column
  }

  /** Adds a field of a row. */
  abstract read(row: CopyRow, field: number): void
  /** Number of distinct values; 0 if a dictionary would not save space. */
  protected abstract dictionarySize(values: number): number
  protected abstract dictionary(): Uint8Array
  /** PLAIN encoding of the values. */
  protected abstract plain(codes: Int32Array, count: number): Uint8Array
  /** Minimum and maximum for row-group skipping, which is useful for days and times only. */
  protected bounds(): { min_value: number | bigint; max_value: number | bigint } | undefined {
    return undefined
  }
  protected clear(): void {
    this.rows = 0
    this.nulls = 0
  }

  addNull(count = 1): void {
    if (this.column.nullable !== true) throw new Error(`The column ${this.column.name} has no value`)
    this.nulls += count
    this.push(NULL, count)
  }

  protected push(code: number, count: number): void {
    const end = this.rows + count
    if (end > this.codes.length) {
      const grown = new Int32Array(end * 2)
      grown.set(this.codes)
      this.codes = grown
    }
    if (count === 1) this.codes[this.rows] = code
    else this.codes.fill(code, this.rows, end)
    this.rows = end
  }

  /** Writes the column chunk of the row group and clears it for the next one. */
  write(writer: ByteWriter, rows: number): Chunk {
    const { column, nulls } = this
    if (this.rows !== rows) throw new Error(`The column ${column.name} has no value`)
    const begin = writer.offset
    const values = rows - nulls
    const present = this.presentCodes()
    const distinct = this.dictionarySize(values)
    levels.clear()
    if (column.nullable === true) levels.runs(this.definitionLevels(), rows, 1)
    const dictionary = distinct > 0 ? this.dictionary() : noBytes
    const data = distinct > 0 ? encodeCodes(present, values, distinct) : this.plain(present, values)
    const codec = codecOf(rows, dictionary.length + data.length)
    let uncompressed = 0
    if (distinct > 0) uncompressed += writeDictionaryPage(writer, dictionary, distinct, codec)
    const dataAt = writer.offset
    const encoding = distinct > 0 ? 'RLE_DICTIONARY' : 'PLAIN'
    uncompressed += writeDataPage(writer, levels.written(), data, { rows, nulls, encoding, codec })
    const isBounded = column.type === 'day' || column.type === 'time'
    const chunk: Chunk = {
      meta_data: {
        type: physicalTypes[column.type],
        encodings: distinct > 0 ? ['PLAIN', encoding] : [encoding],
        path_in_schema: [column.name],
        codec,
        num_values: BigInt(rows),
        total_compressed_size: BigInt(writer.offset - begin),
        total_uncompressed_size: BigInt(uncompressed),
        data_page_offset: BigInt(dataAt),
        ...(distinct > 0 ? { dictionary_page_offset: BigInt(begin) } : {}),
        ...(isBounded ? { statistics: { ...this.bounds(), null_count: BigInt(nulls) } } : {}),
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
}

/** Column of uuids or texts. */
export class BytesChunk extends ColumnChunk {
  private readonly table: BytesTable
  private readonly codeOfText = new Map<string, number>()
  /** PLAIN bytes of a column that dropped its dictionary. */
  private readonly unrepeated = new Bytes()
  private isUnrepeated = false

  constructor(column: Column) {
    super(column)
    this.table = new BytesTable(column.type === 'text', column.free === true ? isPersonalAt : () => false)
  }

  read({ view, at, size }: CopyRow, field: number): void {
    const length = size[field]!
    if (length < 0) this.addNull()
    else this.addBytes(view, at[field]!, at[field]! + length)
  }

  addBytes(view: DataView, from: number, to: number, count = 1): void {
    if (this.isUnrepeated) {
      for (let row = 0; row < count; row++) this.unrepeated.raw(view, from, to)
      this.push(0, count)
    } else this.addCode(this.table.getCode(view, from, to), count)
  }

  addText(value: string | null, count = 1): void {
    if (value === null) {
      this.addNull(count)
      return
    }
    let code = this.codeOfText.get(value)
    if (code === undefined) {
      const bytes = new TextEncoder().encode(value)
      code = this.table.getCode(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length)
      this.codeOfText.set(value, code)
    }
    this.addCode(code, count)
  }

  private addCode(code: number, count: number): void {
    if (code === NULL) this.addNull(count)
    else this.push(code, count)
    // Text columns have few distinct values and keep their dictionary.
    if (this.rows >= TRIED_ROWS && this.rows - count < TRIED_ROWS && this.column.type === 'uuid')
      this.dropDictionaryIfUnrepeated()
  }

  private dropDictionaryIfUnrepeated(): void {
    const values = this.rows - this.nulls
    if (this.table.size * 8 < values * 7) return
    this.isUnrepeated = true
    for (let row = 0; row < this.rows; row++)
      if (this.codes[row] !== NULL) this.table.copyTo(this.unrepeated, this.codes[row]!)
  }

  protected dictionarySize(values: number): number {
    return this.isUnrepeated || this.table.size * 2 > values ? 0 : this.table.size
  }

  protected dictionary(): Uint8Array {
    return this.table.page.written()
  }

  protected plain(codes: Int32Array, count: number): Uint8Array {
    if (this.isUnrepeated) return this.unrepeated.written()
    page.clear()
    for (let index = 0; index < count; index++) this.table.copyTo(page, codes[index]!)
    return page.written()
  }

  protected override clear(): void {
    super.clear()
    this.table.clear()
    this.codeOfText.clear()
    this.unrepeated.clear()
    this.isUnrepeated = false
  }
}

const isPersonalAt = (view: DataView, from: number, to: number): boolean =>
  isPersonal(Buffer.from(view.buffer, view.byteOffset + from, to - from).toString('utf8'))

/** Column of integers or days. */
export class NumberChunk extends ColumnChunk {
  private readonly table = new NumberTable()
  private readonly isDay: boolean

  constructor(column: Column) {
    super(column)
    this.isDay = column.type === 'day'
  }

  read({ view, at, size }: CopyRow, field: number): void {
    const [from, length] = [at[field]!, size[field]!]
    if (length < 0) this.addNull()
    else if (this.isDay) this.addNumber(readDay(view, from))
    else
      this.addNumber(
        length === 8 ? readBigint(view, from) : length === 4 ? view.getInt32(from) : view.getInt16(from),
      )
  }

  addNumber(value: number, count = 1): void {
    if (!Number.isSafeInteger(value))
      throw new Error(`The column ${this.column.name} has a value that is not a safe integer`)
    this.push(this.table.getCode(value), count)
    this.sum += value * count
  }

  protected dictionarySize(values: number): number {
    return this.table.size * 2 > values ? 0 : this.table.size
  }

  protected dictionary(): Uint8Array {
    dictionaryPage.clear()
    for (let code = 0; code < this.table.size; code++) this.writeTo(dictionaryPage, code)
    return dictionaryPage.written()
  }

  protected plain(codes: Int32Array, count: number): Uint8Array {
    page.clear()
    for (let index = 0; index < count; index++) this.writeTo(page, codes[index]!)
    return page.written()
  }

  private writeTo(bytes: Bytes, code: number): void {
    const value = this.table.values[code]!
    if (this.isDay) bytes.int32(value)
    else bytes.int64(value)
  }

  protected override bounds() {
    const { size, values } = this.table
    if (size === 0) return undefined
    let [min, max] = [values[0]!, values[0]!]
    for (let code = 1; code < size; code++) {
      min = Math.min(min, values[code]!)
      max = Math.max(max, values[code]!)
    }
    return { min_value: min, max_value: max }
  }

  protected override clear(): void {
    super.clear()
    this.table.clear()
  }
}

const dictionaryPage = new Bytes()

/** Column of times. They rarely repeat, so there is no dictionary. */
class TimeChunk extends ColumnChunk {
  private readonly bytes = new Bytes()
  private min = Number.POSITIVE_INFINITY
  private max = Number.NEGATIVE_INFINITY

  read({ view, at, size }: CopyRow, field: number): void {
    if (size[field]! < 0) {
      this.addNull()
      return
    }
    const value = readInstant(view, at[field]!)
    this.bytes.int64(value)
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
    this.push(0, 1)
  }

  protected dictionarySize(): number {
    return 0
  }
  protected dictionary(): Uint8Array {
    return noBytes
  }
  protected plain(): Uint8Array {
    return this.bytes.written()
  }

  protected override bounds() {
    if (this.bytes.length === 0) return undefined
    return { min_value: BigInt(this.min), max_value: BigInt(this.max) }
  }

  protected override clear(): void {
    super.clear()
    this.bytes.clear()
    this.min = Number.POSITIVE_INFINITY
    this.max = Number.NEGATIVE_INFINITY
  }
}

export class BooleanChunk extends ColumnChunk {
  read({ view, at, size }: CopyRow, field: number): void {
    if (size[field]! < 0) this.addNull()
    else this.push(view.getUint8(at[field]!), 1)
  }

  addBoolean(value: boolean, count: number): void {
    this.push(value ? 1 : 0, count)
  }

  protected dictionarySize(): number {
    return 0
  }
  protected dictionary(): Uint8Array {
    return noBytes
  }
  protected plain(codes: Int32Array, count: number): Uint8Array {
    page.clear()
    page.bits(codes, count)
    return page.written()
  }
}

export function makeChunk(column: Column): ColumnChunk {
  switch (column.type) {
    case 'uuid':
    case 'text':
      return new BytesChunk(column)
    case 'integer':
    case 'day':
      return new NumberChunk(column)
    case 'time':
      return new TimeChunk(column)
    case 'boolean':
      return new BooleanChunk(column)
  }
}

/** RLE_DICTIONARY encoding of the codes. */
function encodeCodes(codes: Int32Array, count: number, distinct: number): Uint8Array {
  const width = Math.max(1, 32 - Math.clz32(distinct - 1))
  page.clear()
  page.byte(width)
  page.runs(codes, count, width)
  return page.written()
}
