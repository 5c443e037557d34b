/** Writes rows into a table with COPY's binary format. */
import type pg from 'pg'
import { EPOCH_DAYS } from './copy-out.ts'

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const END_OF_COPY = -1

export function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

const FLUSH_AT = 128 * 1024
/**
 * Blocks that may be queued before the writer pauses, so that a short stall on one side does not stop the other. Blocks
 * are reused after sending, because allocating megabytes of blocks triggers garbage collection.
 */
const MAX_BLOCKS = 8
/** Message header: one byte for the type, then the length without that byte. */
const MESSAGE_HEAD = 5
const COPY_DATA = 'd'.charCodeAt(0)
const COPY_DONE = Buffer.from([...Buffer.from('c'), 0, 0, 0, 4])

type Wire = pg.Connection & { query(text: string): void; sendCopyFail(reason: string): void }

/** Encodes rows in COPY's binary format. */
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
    // Copying byte by byte is faster for short fields, which are the majority.
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
  /** jsonb in binary: a version byte, then the text. */
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
  /** A UUID stored as four 32-bit words. */
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
    this.use(grown)
  }
  protected use(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }
}

/** Streams rows into a table. */
export class CopyWriter extends TupleWriter implements pg.Submittable {
  private readonly statement: string
  private readonly copyStarted = Promise.withResolvers<Wire>()
  private readonly copyEnded = Promise.withResolvers<void>()
  private failure: Error | undefined
  private readonly free: Buffer<ArrayBuffer>[] = []
  private blocks = 1
  private wake: () => void = () => {}

  constructor(client: pg.PoolClient, statement: string) {
    super()
    this.statement = statement
    // Failures are thrown by the next flush or end.
    this.copyStarted.promise.catch(() => {})
    this.copyEnded.promise.catch(() => {})
    this.length = MESSAGE_HEAD
    this.raw(HEADER, 0, HEADER.length)
    client.query(this)
  }

  /** Check after each row; if true, await `flush`. */
  get isFull(): boolean {
    return this.length >= FLUSH_AT
  }

  async end(): Promise<void> {
    this.beginRow(END_OF_COPY)
    await this.flush()
    const { stream } = await this.copyStarted.promise
    stream.write(COPY_DONE)
    await this.copyEnded.promise
  }

  /** Aborts the COPY: the table is unchanged, and the connection can be reused. */
  async abort(error: Error): Promise<void> {
    const wire = await this.copyStarted.promise.catch(() => undefined)
    if (this.failure === undefined) wire?.sendCopyFail(error.message)
    await this.copyEnded.promise.catch(() => {})
  }

  async flush(): Promise<void> {
    const { stream } = await this.copyStarted.promise
    this.throwFailure()
    const { bytes, length } = this
    bytes[0] = COPY_DATA
    bytes.writeInt32BE(length - 1, 1)
    stream.write(bytes.subarray(0, length), () => this.recycle(bytes))
    while (this.free.length === 0 && this.blocks === MAX_BLOCKS) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.throwFailure()
    }
    const free = this.free.pop()
    if (free === undefined) this.blocks += 1
    this.use(free ?? Buffer.allocUnsafeSlow(bytes.length))
    this.length = MESSAGE_HEAD
  }

  submit(connection: pg.Connection): void {
    ;(connection as Wire).query(this.statement)
  }
  handleCopyInResponse(connection: pg.Connection): void {
    this.copyStarted.resolve(connection as Wire)
  }
  handleError(error: Error): void {
    this.failure = error
    this.copyStarted.reject(error)
    this.copyEnded.reject(error)
    this.wake()
  }
  handleReadyForQuery(): void {
    this.copyEnded.resolve()
  }
  handleCommandComplete(): void {}

  private recycle(block: Buffer<ArrayBuffer>): void {
    this.free.push(block)
    this.wake()
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
