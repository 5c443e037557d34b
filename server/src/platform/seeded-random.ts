/** Seeded random numbers: the same seed words give the same numbers on every machine. */
import { hash } from 'node:crypto'

export type Random = {
  /** At least 0, below 1. */
  next(): number
  /** Whole, both ends included. */
  int(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
}

export function seededRandom(...words: (string | number)[]): Random {
  let state = hash('sha256', words.join('\u0000'), 'buffer').readUInt32LE(0)
  // mulberry32: 32 bits of state are sufficient for one part of a simulated world.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)]!,
    chance: (probability) => next() < probability,
  }
}

/** A deterministic hex string of the given length. */
function seededHex(length: number, ...words: (string | number)[]): string {
  return hash('sha512', words.join('\u0000')).slice(0, length)
}

/** A deterministic numeric id like those of ad platforms. */
export function seededDigits(length: number, ...words: (string | number)[]): string {
  const value = BigInt(`0x${seededHex(32, ...words)}`)
  const low = 10n ** BigInt(length - 1)
  return String(low + (value % (9n * low)))
}

/** A deterministic UUID in version 4 format. */
export function seededUuid(...words: (string | number)[]): string {
  const hex = seededHex(32, ...words)
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
