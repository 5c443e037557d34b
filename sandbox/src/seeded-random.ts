/** Deterministic random numbers: the same words give the same sequence on every machine. */
import { hash } from 'node:crypto'

export type Random = {
  /** At least 0, below 1. */
  next(): number
  /** Whole, both ends included. */
  int(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
}

/** Cache of initial states: a sandbox reads the same part of its world for each page, level and range of days. */
const starts = new Map<string, number>()
const MAX_STARTS = 100_000

function startOf(name: string): number {
  let start = starts.get(name)
  if (start === undefined) {
    start = hash('sha256', name, 'buffer').readUInt32LE(0)
    if (starts.size >= MAX_STARTS) starts.clear()
    starts.set(name, start)
  }
  return start
}

export function seededRandom(...seedParts: (string | number)[]): Random {
  let state = startOf(seedParts.join('\u0000'))
  // mulberry32: 32 bits of state are enough for one entity of the world.
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

/** A stable opaque hex string of the given length. */
export function seededHex(length: number, ...seedParts: (string | number)[]): string {
  return hash('sha512', seedParts.join('\u0000')).slice(0, length)
}

/** A stable numeric id, as ad platforms use. */
export function seededDigits(length: number, ...seedParts: (string | number)[]): string {
  const value = BigInt(`0x${seededHex(32, ...seedParts)}`)
  const low = 10n ** BigInt(length - 1)
  return String(low + (value % (9n * low)))
}

/** A stable UUID in the format of version 4. */
export function seededUuid(...seedParts: (string | number)[]): string {
  const hex = seededHex(32, ...seedParts)
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
