/**
 * Whole columns as arrays in PostgreSQL's binary form, for what is written by the thousand: both
 * sides copy bytes instead of writing and reading text, without quotes, hexadecimals and dates (an
 * event: 34 → 21 µs of the service, 53 → 46 µs of the database).
 */
import { isUuid } from '../contract/ids.ts'

const OID = { boolean: 16, bytea: 17, text: 25, timestamptz: 1184, uuid: 2950, jsonb: 3802 }
const MOST_BYTES_PER_UNIT = 3
const NULL_LENGTH = -1

/** Filled from the start for each array, and copied out when it is complete; one that grew very large is not kept. */
let bytes = Buffer.allocUnsafeSlow(64 * 1024)
const MOST_KEPT = 4 * 1024 * 1024
let used = 0

export const textArray = arrayOf(OID.text, putText)

const JSONB_VERSION = 1
export const jsonbArray = arrayOf(OID.jsonb, (value: object) => {
  makeRoom(1)
  bytes[used++] = JSONB_VERSION
  putText(JSON.stringify(value))
})

export const byteaArray = arrayOf(OID.bytea, (value: Uint8Array) => {
  makeRoom(value.length)
  bytes.set(value, used)
  used += value.length
})

export const booleanArray = arrayOf(OID.boolean, (value: boolean) => {
  makeRoom(1)
  bytes[used++] = value ? 1 : 0
})

const EPOCH_MS = Date.UTC(2000, 0, 1)
const MICROSECONDS = 1000n
export const timestampArray = arrayOf(OID.timestamptz, (value: Date) => {
  makeRoom(8)
  used = bytes.writeBigInt64BE(BigInt(value.getTime() - EPOCH_MS) * MICROSECONDS, used)
})

const DASH = 45
const digits = new Uint8Array(128)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  digits[digit.charCodeAt(0)] = value
  digits[digit.toUpperCase().charCodeAt(0)] = value
}
export const uuidArray = arrayOf(OID.uuid, (value: string) => {
  if (!isUuid(value)) throw new TypeError('Not a UUID.')
  makeRoom(16)
  for (let at = 0; at < value.length; at += 2) {
    if (value.charCodeAt(at) === DASH) at++
    bytes[used++] = (digits[value.charCodeAt(at)]! << 4) | digits[value.charCodeAt(at + 1)]!
  }
})

function arrayOf<T>(elementOid: number, put: (value: T) => void) {
  return (values: readonly (T | null)[]): Buffer => {
    used = 0
    putInt32(values.length === 0 ? 0 : 1) // dimensions
    putInt32(1) // may hold nulls
    putInt32(elementOid)
    if (values.length > 0) {
      putInt32(values.length)
      putInt32(1) // index of the first
    }
    for (const value of values) {
      const start = used
      putInt32(NULL_LENGTH)
      if (value === null) continue
      put(value)
      bytes.writeInt32BE(used - start - 4, start)
    }
    const array = Buffer.copyBytesFrom(bytes, 0, used)
    if (bytes.length > MOST_KEPT) bytes = Buffer.allocUnsafeSlow(64 * 1024)
    return array
  }
}

function putText(text: string): void {
  makeRoom(MOST_BYTES_PER_UNIT * text.length)
  used += bytes.write(text, used)
}

function putInt32(value: number): void {
  makeRoom(4)
  bytes[used++] = value >>> 24
  bytes[used++] = value >>> 16
  bytes[used++] = value >>> 8
  bytes[used++] = value
}

function makeRoom(count: number): void {
  if (used + count > bytes.length) bytes = Buffer.concat([bytes], 2 * (used + count))
}
