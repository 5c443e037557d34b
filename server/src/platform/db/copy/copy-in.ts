/** Rows in COPY's binary format on their way into a table. */
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { EPOCH_DAYS } from './copy-out.ts'

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const END_OF_COPY = -1

export function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

const FLUSH_AT = 256 * 1024
/** How much may wait for the database before the writer pauses: a short stall on one side does not stop the other. */
const MAX_QUEUED = 1024 * 1024

/** Rows as COPY takes them, one after another. */
export class TupleWriter {
  bytes = Buffer.allocUnsafeSlow(FLUSH_AT)
  length = 0
  private view = viewOf(this.bytes)

  beginRow(columns: number): void {
    this.reserve(2)
    this.view.setInt16(this.length, columns)
    this.length += 2
  }
  raw(source: Buffer, from: number, to: number): void {
    this.reserve(to - from)
    this.length += source.copy(this.bytes, this.length, from, to)
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
  string(value: string): void {
    this.reserve(4 + 3 * value.length)
    const size = this.bytes.write(value, this.length + 4)
    this.view.setInt32(this.length, size)
    this.length += 4 + size
  }
  /** The binary form of jsonb: its version, then the text. */
  jsonb(text: string): void {
    this.reserve(5 + 3 * text.length)
    const size = this.bytes.write(text, this.length + 5)
    this.view.setInt32(this.length, size + 1)
    this.bytes[this.length + 4] = 1
    this.length += 5 + size
  }
  double(value: number | null): void {
    this.reserve(12)
    this.view.setInt32(this.length, value === null ? -1 : 8)
    if (value !== null) this.view.setFloat64(this.length + 4, value)
    this.length += value === null ? 4 : 12
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
  /** Four words of a UUID. */
  uuid(words: Int32Array, number: number): void {
    this.reserve(20)
    const { view, length } = this
    view.setInt32(length, 16)
    for (let word = 0; word < 4; word++) view.setInt32(length + 4 + word * 4, words[number * 4 + word]!)
    this.length = length + 20
  }
  private reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + size))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
    this.view = viewOf(grown)
  }
}

/** Rows on their way into a table. */
export class CopyWriter extends TupleWriter {
  private readonly stream: ReturnType<typeof copyFrom>
  private readonly ended: Promise<void>

  constructor(client: pg.PoolClient, statement: string) {
    super()
    this.stream = client.query(copyFrom(statement, { highWaterMark: MAX_QUEUED }))
    this.ended = new Promise((resolve, reject) => {
      this.stream.on('finish', resolve)
      this.stream.on('error', reject)
    })
    // A failure is thrown by the write or the end that meets it.
    this.ended.catch(() => {})
    this.raw(HEADER, 0, HEADER.length)
  }

  /** Asked after each row: then `flush` is awaited. */
  get isFull(): boolean {
    return this.length >= FLUSH_AT
  }

  async end(): Promise<void> {
    this.beginRow(END_OF_COPY)
    await this.flush()
    this.stream.end()
    await this.ended
  }

  /** Gives up: the table stays as it was, and the connection is free again. */
  async abort(error: Error): Promise<void> {
    this.stream.destroy(error)
    await this.ended.catch(() => {})
  }

  async flush(): Promise<void> {
    const chunk = Buffer.from(this.bytes.subarray(0, this.length))
    this.length = 0
    if (this.stream.write(chunk)) return
    await Promise.race([new Promise((resolve) => this.stream.once('drain', resolve)), this.ended])
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
