/**
 * Encodes columns of a bulk statement as PostgreSQL binary arrays: `select unnest(${uuids(rows, (row) =>
 * row.id)}::uuid[]), …` (with `unnest` in `from`, every column would be materialised first: 3.7 against 1.0 µs for
 * 15 columns). Neither side formats or parses text: ingesting an event fell from 34 to 21 µs in the service, and
 * parsing 15 text columns was 9 of the 30 µs of a row in the database.
 */
import { dayNumber } from '../../contract/dates.ts'

const UUID = 2950
const TEXT = 25
const TIMESTAMPTZ = 1184
const DATE = 1082
const BOOL = 16
const INT2 = 21
const INT8 = 20
const BYTEA = 17
const JSONB = 3802
const JSONB_VERSION = 1
const HEADER_SIZE = 20
const NULL_SIZE = -1
/** Between PostgreSQL's epoch, 2000-01-01, and JavaScript's. */
const EPOCH_MS = 946_684_800_000
const EPOCH_DAYS = 10_957
const NEGATIVE_INFINITY_DAY = -(2 ** 31)
const TWO_32 = 4_294_967_296
/** Below this, microseconds computed from milliseconds are exact in a double. */
const MAX_EXACT_MICROS = 2 ** 56

type Getter<Row, Value> = (row: Row) => Value | null | undefined

/** Buffer reused for each column and copied out; a very large one is released. */
const MAX_RETAINED_BYTES = 4 * 1024 * 1024
let bytes: Buffer = Buffer.allocUnsafe(1 << 16)
let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
let length = 0

function reserve(size: number): void {
  if (length + size <= bytes.length) return
  const grown = Buffer.allocUnsafe(2 * (length + size))
  bytes.copy(grown, 0, 0, length)
  use(grown)
}

function use(buffer: Buffer): void {
  bytes = buffer
  view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

function column<Row, Value>(
  type: number,
  rows: readonly Row[],
  pick: Getter<Row, Value>,
  write: (value: Value) => void,
): Buffer {
  length = HEADER_SIZE
  let hasNull = 0
  for (const row of rows) {
    const value = pick(row)
    reserve(4)
    if (value === null || value === undefined) {
      hasNull = 1
      view.setInt32(length, NULL_SIZE)
      length += 4
      continue
    }
    const start = length
    length += 4
    write(value)
    view.setInt32(start, length - start - 4)
  }
  view.setInt32(0, rows.length === 0 ? 0 : 1)
  view.setInt32(4, hasNull)
  view.setInt32(8, type)
  view.setInt32(12, rows.length)
  view.setInt32(16, 1)
  // An empty array has zero dimensions.
  const array = Buffer.copyBytesFrom(bytes, 0, rows.length === 0 ? 12 : length)
  if (bytes.length > MAX_RETAINED_BYTES) use(Buffer.allocUnsafe(1 << 16))
  return array
}

const INVALID_DIGIT = 255
const digits = new Uint8Array(256).fill(INVALID_DIGIT)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digits[digit.charCodeAt(0)] = value
  digits[digit.toUpperCase().charCodeAt(0)] = value
}

function writeUuid(value: string): void {
  reserve(16)
  let invalid = value.length === 36 ? 0 : INVALID_DIGIT
  for (let at = 0; at < 36; at += 2) {
    if (at === 8 || at === 13 || at === 18 || at === 23) at += 1
    const high = digits[value.charCodeAt(at)] ?? INVALID_DIGIT
    const low = digits[value.charCodeAt(at + 1)] ?? INVALID_DIGIT
    invalid |= high | low
    bytes[length++] = (high << 4) | low
  }
  if (invalid > 15) throw new TypeError(`${JSON.stringify(value)} is not a UUID`)
}

export function uuids<Row>(rows: readonly Row[], pick: Getter<Row, string>): Buffer {
  return column(UUID, rows, pick, writeUuid)
}

function writeText(value: string): void {
  reserve(value.length * 3)
  const start = length
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code > 127 || at > 100) {
      length = start + bytes.write(value, start)
      return
    }
    bytes[length++] = code
  }
}

export function texts<Row>(rows: readonly Row[], pick: Getter<Row, string>): Buffer {
  return column(TEXT, rows, pick, writeText)
}

function writeInt8(value: number): void {
  reserve(8)
  const high = Math.floor(value / TWO_32)
  view.setInt32(length, high)
  view.setUint32(length + 4, value - high * TWO_32)
  length += 8
}

/** Safe integers. */
export function bigints<Row>(rows: readonly Row[], pick: Getter<Row, number>): Buffer {
  return column(INT8, rows, pick, writeInt8)
}

export function smallints<Row>(rows: readonly Row[], pick: Getter<Row, number>): Buffer {
  return column(INT2, rows, pick, (value) => {
    reserve(2)
    view.setInt16(length, value)
    length += 2
  })
}

function writeInstant(value: Date): void {
  const ms = value.getTime()
  if (Number.isNaN(ms)) throw new TypeError('Not a time')
  const micros = (ms - EPOCH_MS) * 1000
  if (Math.abs(micros) < MAX_EXACT_MICROS) {
    writeInt8(micros)
    return
  }
  reserve(8)
  view.setBigInt64(length, BigInt(ms - EPOCH_MS) * 1000n)
  length += 8
}

export function instants<Row>(rows: readonly Row[], pick: Getter<Row, Date>): Buffer {
  return column(TIMESTAMPTZ, rows, pick, writeInstant)
}

/** Days as YYYY-MM-DD, or -infinity. */
export function days<Row>(rows: readonly Row[], pick: Getter<Row, string>): Buffer {
  return column(DATE, rows, pick, (value) => {
    reserve(4)
    view.setInt32(length, value === '-infinity' ? NEGATIVE_INFINITY_DAY : dayNumber(value) - EPOCH_DAYS)
    length += 4
  })
}

export function booleans<Row>(rows: readonly Row[], pick: Getter<Row, boolean>): Buffer {
  return column(BOOL, rows, pick, (value) => {
    reserve(1)
    bytes[length++] = value ? 1 : 0
  })
}

export function byteas<Row>(rows: readonly Row[], pick: Getter<Row, Uint8Array>): Buffer {
  return column(BYTEA, rows, pick, (value) => {
    reserve(value.length)
    bytes.set(value, length)
    length += value.length
  })
}

export function jsonbs<Row>(rows: readonly Row[], pick: Getter<Row, object>): Buffer {
  return column(JSONB, rows, pick, (value) => {
    reserve(1)
    bytes[length++] = JSONB_VERSION
    writeText(JSON.stringify(value))
  })
}

/** Encodes a plain list of ids. */
export function uuidList(ids: readonly string[]): Buffer {
  return uuids(ids, (id) => id)
}
