/** COPY's binary format, read field by field out of the network's buffers and written into one of our own. */
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const END_OF_COPY = -1
/** Microseconds and days between PostgreSQL's epoch, 2000-01-01, and JavaScript's. */
const EPOCH_MS = 946_684_800_000
const EPOCH_DAYS = 10_957

/** Fields of one row: where each begins in `bytes` and how long it is, -1 for null. Valid until the next row. */
export type CopyRow = { bytes: Buffer; at: Int32Array; size: Int32Array }

/** Calls `onRow` for each row of the statement `copy (…) to stdout (format binary)`. */
export async function readCopy(
  client: pg.PoolClient,
  statement: string,
  columns: number,
  onRow: (row: CopyRow) => void,
): Promise<void> {
  const row: CopyRow = { bytes: HEADER, at: new Int32Array(columns), size: new Int32Array(columns) }
  let rest: Buffer = Buffer.alloc(0)
  let isStart = true
  for await (const chunk of client.query(copyTo(statement)) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let begin = 0
    if (isStart) {
      if (bytes.length < HEADER.length) {
        rest = bytes
        continue
      }
      begin = HEADER.length
      isStart = false
    }
    row.bytes = bytes
    for (;;) {
      const end = readRow(row, begin, columns)
      if (end < 0) break
      onRow(row)
      begin = end
    }
    rest = bytes.subarray(begin)
  }
}

/** Where the row ends, or -1 when it is not there whole. */
function readRow(row: CopyRow, begin: number, columns: number): number {
  const { bytes, at, size } = row
  const { length } = bytes
  if (begin + 2 > length || bytes.readInt16BE(begin) === END_OF_COPY) return -1
  let offset = begin + 2
  for (let column = 0; column < columns; column++) {
    if (offset + 4 > length) return -1
    const fieldSize = bytes.readInt32BE(offset)
    offset += 4
    at[column] = offset
    size[column] = fieldSize
    if (fieldSize > 0) offset += fieldSize
  }
  return offset > length ? -1 : offset
}

export function readInstant(bytes: Buffer, at: number): number {
  const micros = bytes.readInt32BE(at) * 4_294_967_296 + bytes.readUInt32BE(at + 4)
  return Math.floor(micros / 1000) + EPOCH_MS
}

export function readBigint(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 4_294_967_296 + bytes.readUInt32BE(at + 4)
}

export function readDay(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) + EPOCH_DAYS
}

export function readUuid(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** The type of an array's elements. */
const INT4 = 23
const FLUSH_AT = 256 * 1024

/** Rows on their way into a table. */
export class CopyWriter {
  private bytes = Buffer.alloc(FLUSH_AT * 2)
  private view = viewOf(this.bytes)
  private length = 0
  private readonly stream: ReturnType<typeof copyFrom>
  private readonly ended: Promise<void>

  constructor(client: pg.PoolClient, statement: string) {
    this.stream = client.query(copyFrom(statement))
    this.ended = new Promise((resolve, reject) => {
      this.stream.on('finish', resolve)
      this.stream.on('error', reject)
    })
    // A failure is thrown by the write or the end that meets it.
    this.ended.catch(() => {})
    this.raw(HEADER)
  }

  beginRow(columns: number): void {
    this.reserve(2)
    this.view.setInt16(this.length, columns)
    this.length += 2
  }
  raw(value: Buffer): void {
    this.reserve(value.length)
    this.length += value.copy(this.bytes, this.length)
  }
  field(source: Buffer, from: number, to: number): void {
    const size = to - from
    this.reserve(size + 4)
    this.view.setInt32(this.length, size)
    this.length += 4
    // Short fields, nearly all, are copied faster by hand.
    if (size > 64) this.length += source.copy(this.bytes, this.length, from, to)
    else for (let at = from; at < to; at++) this.bytes[this.length++] = source[at]!
  }
  text(value: Buffer): void {
    this.field(value, 0, value.length)
  }
  boolean(value: boolean): void {
    this.reserve(5)
    this.view.setInt32(this.length, 1)
    this.bytes[this.length + 4] = value ? 1 : 0
    this.length += 5
  }
  smallint(value: number): void {
    this.reserve(6)
    this.view.setInt32(this.length, 2)
    this.view.setInt16(this.length + 4, value)
    this.length += 6
  }
  bigint(value: number): void {
    this.reserve(12)
    const high = value >= 0 && value < 4_294_967_296 ? 0 : Math.floor(value / 4_294_967_296)
    this.view.setInt32(this.length, 8)
    this.view.setInt32(this.length + 4, high)
    this.view.setUint32(this.length + 8, value - high * 4_294_967_296)
    this.length += 12
  }
  day(value: number): void {
    this.reserve(8)
    this.view.setInt32(this.length, 4)
    this.view.setInt32(this.length + 4, value - EPOCH_DAYS)
    this.length += 8
  }
  /** One-dimensional integer[]; an empty one has no dimension. */
  integers(values: Int32Array, count: number): void {
    const size = count === 0 ? 12 : 20 + count * 8
    this.reserve(size + 4)
    const { view } = this
    let at = this.length
    const put = (value: number) => {
      view.setInt32(at, value)
      at += 4
    }
    put(size)
    put(count === 0 ? 0 : 1)
    put(0)
    put(INT4)
    if (count > 0) {
      put(count)
      put(1)
    }
    for (let index = 0; index < count; index++) {
      put(4)
      put(values[index]!)
    }
    this.length = at
  }

  /** Asked after each row: then `flush` is awaited, so that no more than a buffer waits for the database. */
  get isFull(): boolean {
    return this.length >= FLUSH_AT
  }
  flush(): Promise<void> {
    return this.send()
  }

  async end(): Promise<void> {
    this.reserve(2)
    this.view.setInt16(this.length, END_OF_COPY)
    this.length += 2
    await this.send()
    this.stream.end()
    await this.ended
  }

  private async send(): Promise<void> {
    const chunk = Buffer.from(this.bytes.subarray(0, this.length))
    this.length = 0
    if (this.stream.write(chunk)) return
    await Promise.race([new Promise((resolve) => this.stream.once('drain', resolve)), this.ended])
  }

  private reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const grown = Buffer.alloc(Math.max(this.bytes.length * 2, this.length + size))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
    this.view = viewOf(grown)
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
