/** Ids of rows and requests; runs in browsers too. */

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Random bytes are fetched in batches: one call per id would cost ten times as much as the id. */
const pool = new Uint8Array(4096)
let poolUsed = pool.length

function takeRandom(count: number): Uint8Array {
  if (poolUsed + count > pool.length) {
    globalThis.crypto.getRandomValues(pool)
    poolUsed = 0
  }
  poolUsed += count
  return pool.subarray(poolUsed - count, poolUsed)
}

const SMALL_STEP_BACK_MS = 60_000
let lastMs = 0
let counter = 0

/**
 * A UUID that sorts by time and after all earlier ids of this process, using a counter within a millisecond. If the
 * clock steps back by up to a minute, ids keep increasing; after a larger step they follow the clock.
 */
export function uuidv7(now: number | Date = Date.now(), random = takeRandom): string {
  const ms = Number(now)
  if (ms > lastMs || ms < lastMs - SMALL_STEP_BACK_MS) {
    lastMs = ms
    const seed = random(2)
    counter = ((seed[0]! << 8) | seed[1]!) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMs++
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const tail = random(8)
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}` +
    `-${hex[(tail[0]! & 0x3f) | 0x80]}${hex[tail[1]!]}-` +
    hex[tail[2]!] +
    hex[tail[3]!] +
    hex[tail[4]!] +
    hex[tail[5]!] +
    hex[tail[6]!] +
    hex[tail[7]!]
  )
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidForm.test(text)
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const requestIdForm = /^req_[a-z2-7]{20}$/

export function requestId(): string {
  let id = 'req_'
  for (const byte of takeRandom(20)) id += BASE32[byte & 31]
  return id
}

export function isRequestId(text: string): boolean {
  return requestIdForm.test(text)
}
