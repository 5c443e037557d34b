/**
 * Reads COPY's binary format directly from the connection's bytes. The driver creates an object, an event and a
 * buffer per row, which took longer than the database needed to send it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { LATE } from '../statement.ts'
import { ReadingSocket } from './reading-socket.ts'

const COPY_DATA = 'd'.charCodeAt(0)
const COPY_OUT_RESPONSE = 'H'.charCodeAt(0)
const COPY_DONE = 'c'.charCodeAt(0)
const COMMAND_COMPLETE = 'C'.charCodeAt(0)
const ERROR_RESPONSE = 'E'.charCodeAt(0)
/** A message: its kind in one byte, then its length without that byte. */
const MESSAGE_HEAD = 5
const FORMAT_HEAD = 19
const END_OF_COPY = -1
/** Unread bytes at which the connection is paused. */
const MAX_QUEUED = 1024 * 1024
const FIRST_BYTES = 128 * 1024
/** One chunk may contain many rows; yields to other work after this many. */
const ROWS_PER_TICK = 4096

/** Fields of one row: offset in `bytes` and length of each, -1 for null. Valid until the next row. */
export type CopyRow = {
  bytes: Buffer
  view: DataView
  /** Offsets at which the row's fields begin and end. */
  begin: number
  end: number
  at: Int32Array
  size: Int32Array
}

type Wire = pg.Connection & { query(text: string): void }

/** Rows of a statement `copy (…) to stdout (format binary)`, with backpressure. */
export class CopyOut implements pg.Submittable {
  readonly row: CopyRow
  private readonly text: string
  private readonly columns: number
  private stream: Wire['stream'] | undefined
  private driver: ((bytes: Buffer) => void) | undefined
  /** Grows on demand, because most statements are short and frequent. */
  private waiting = Buffer.allocUnsafeSlow(FIRST_BYTES)
  private waitingBytes = 0
  private length = 0
  private offset = 0
  private isHeaderRead = false
  private isFinished = false
  private failure: Error | undefined
  private wake: () => void = () => {}

  constructor(client: pg.PoolClient, text: string, columns: number) {
    const bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
    this.row = {
      bytes,
      view: viewOf(bytes),
      begin: 0,
      end: 0,
      at: new Int32Array(columns),
      size: new Int32Array(columns),
    }
    this.text = text
    this.columns = columns
    client.query(this)
  }

  /** Moves to the next received row; false if there is none, then call `more`. */
  next(): boolean {
    const { view } = this.row
    while (this.stream !== undefined && this.offset + MESSAGE_HEAD <= this.length) {
      const { offset } = this
      const end = offset + 1 + view.getInt32(offset + 1)
      const kind = view.getUint8(offset)
      if (end > this.length) return false
      if (kind === COPY_DATA) {
        this.offset = end
        if (this.readRow(offset + MESSAGE_HEAD, end)) return true
      } else if (kind === COPY_OUT_RESPONSE || kind === COPY_DONE) this.offset = end
      else if (kind === ERROR_RESPONSE || kind === COMMAND_COMPLETE) this.detach()
      else {
        this.offset = end
        this.driver!(Buffer.from(this.row.bytes.subarray(offset, end)))
      }
    }
    return false
  }

  /** Waits for more bytes; false when all rows have been read. */
  async more(): Promise<boolean> {
    if (this.failure !== undefined) throw this.failure
    while (this.waitingBytes === 0) {
      if (this.failure !== undefined) throw this.failure
      if (this.isFinished) return false
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    this.mergeReceived()
    return true
  }

  /** Whether rows may still arrive, so the connection cannot be used for anything else. */
  get isUnread(): boolean {
    return this.stream !== undefined
  }

  /**
   * Calls `onRow` for each row. The limit applies to the time without new data, because a slow reader on a busy
   * machine is not the database's fault.
   */
  async readAll(onRow: (row: CopyRow) => void, limitMs?: number): Promise<void> {
    const timer =
      limitMs === undefined ? undefined : setTimeout(() => this.handleError(new Error(LATE)), limitMs)
    try {
      let rows = 0
      do {
        timer?.refresh()
        while (this.next()) {
          onRow(this.row)
          rows += 1
          if (rows % ROWS_PER_TICK === 0) await nextTurn()
        }
      } while (await this.more())
    } finally {
      clearTimeout(timer)
    }
  }

  /** Discards the remaining rows, so that the connection can be reused. */
  async drain(): Promise<void> {
    do {
      while (this.next());
    } while (await this.more())
  }

  submit(connection: pg.Connection): void {
    const wire = connection as Wire
    this.stream = wire.stream
    this.driver = this.stream.listeners('data')[0] as (bytes: Buffer) => void
    this.attach(this.stream, this.driver)
    wire.query(this.text)
  }
  handleError(error: Error): void {
    this.failure = error
    this.wake()
  }
  handleReadyForQuery(): void {
    this.isFinished = true
    this.wake()
  }
  handleCommandComplete(): void {}

  private readonly onData = (bytes: Buffer): void => {
    const neededBytes = this.waitingBytes + bytes.length
    if (neededBytes > this.waiting.length) this.waiting = Buffer.concat([this.waiting], neededBytes * 2)
    this.waitingBytes += bytes.copy(this.waiting, this.waitingBytes)
    if (this.waitingBytes > MAX_QUEUED) this.stream!.pause()
    this.wake()
  }

  /** Appends the received bytes to the unread remainder. */
  private mergeReceived(): void {
    const { row } = this
    const unread = this.length - this.offset
    const neededBytes = unread + this.waitingBytes
    let { bytes } = row
    if (neededBytes > bytes.length) bytes = Buffer.allocUnsafeSlow(neededBytes * 2)
    row.bytes.copy(bytes, 0, this.offset, this.length)
    this.length = unread
    this.length += this.waiting.copy(bytes, this.length, 0, this.waitingBytes)
    this.offset = 0
    this.waitingBytes = 0
    if (bytes !== row.bytes) {
      row.bytes = bytes
      row.view = viewOf(bytes)
    }
    this.stream?.resume()
  }

  /** Returns the stream to the driver, which reads the end of the statement. */
  private detach(): void {
    const stream = this.stream!
    const remaining = Buffer.from(this.row.bytes.subarray(this.offset, this.length))
    this.stream = undefined
    this.length = 0
    this.offset = 0
    this.release(stream, this.driver!)
    this.driver!(remaining)
    this.driver!(Buffer.from(this.waiting.subarray(0, this.waitingBytes)))
    this.waitingBytes = 0
    stream.resume()
  }

  private attach(stream: Wire['stream'], driver: (bytes: Buffer) => void): void {
    if (stream instanceof ReadingSocket) {
      stream.onBytes = this.onData
      return
    }
    stream.removeListener('data', driver)
    stream.on('data', this.onData)
  }

  private release(stream: Wire['stream'], driver: (bytes: Buffer) => void): void {
    if (stream instanceof ReadingSocket) {
      stream.onBytes = undefined
      return
    }
    stream.removeListener('data', this.onData)
    stream.on('data', driver)
  }

  private readRow(from: number, end: number): boolean {
    const { row, columns } = this
    const { view, at, size } = row
    let offset = from
    if (!this.isHeaderRead) {
      this.isHeaderRead = true
      offset += FORMAT_HEAD
      if (offset >= end) return false
    }
    if (view.getInt16(offset) === END_OF_COPY) return false
    offset += 2
    row.begin = offset
    row.end = end
    for (let column = 0; column < columns; column++) {
      const fieldSize = view.getInt32(offset)
      offset += 4
      at[column] = offset
      size[column] = fieldSize
      if (fieldSize > 0) offset += fieldSize
    }
    return true
  }
}

/**
 * Calls `onRow` for each row of the statement `copy (…) to stdout (format binary)`. After an error the connection
 * can be reused.
 */
export async function readCopy(
  client: pg.PoolClient,
  statement: string,
  columns: number,
  onRow: (row: CopyRow) => void,
): Promise<void> {
  const copy = new CopyOut(client, statement, columns)
  try {
    await copy.readAll(onRow)
  } catch (error) {
    await copy.drain().catch(() => {})
    throw error
  }
}

/** Passed in place of query parameters, which COPY does not support. */
export class CopyReader {
  readonly columns: number
  readonly onRow: (row: CopyRow) => void
  constructor(columns: number, onRow: (row: CopyRow) => void) {
    this.columns = columns
    this.onRow = onRow
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Milliseconds and days between PostgreSQL's epoch, 2000-01-01, and JavaScript's. */
const EPOCH_MS = 946_684_800_000
export const EPOCH_DAYS = 10_957

export function readInstant(view: DataView, at: number): number {
  return Math.floor(readBigint(view, at) / 1000) + EPOCH_MS
}

export function readBigint(view: DataView, at: number): number {
  return view.getInt32(at) * 4_294_967_296 + view.getUint32(at + 4)
}

export function readDay(view: DataView, at: number): number {
  return view.getInt32(at) + EPOCH_DAYS
}

export function readUuid(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
