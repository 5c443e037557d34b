/**
 * How many requests an address may have open at once. Slow ones end by the time limits; until then this keeps one
 * sender from holding all that the process can hold.
 */
import { isIPv6 } from 'node:net'

export type OpenRequests = {
  /** Undefined where the address has too many open; else it has one more until what this returns is called. */
  open(address: string): (() => void) | undefined
}

export function createOpenRequests(max: number): OpenRequests {
  const counts = new Map<string, number>()
  return {
    open(address) {
      const key = senderOf(address)
      const count = counts.get(key) ?? 0
      if (count >= max) return undefined
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 0) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** One sender has a whole /64 of IPv6 addresses. */
export function senderOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
