/**
 * Limits concurrent requests per client address. Slow requests end by timeout; until then this prevents one client from
 * using up the capacity of the process.
 */
import { isIPv6 } from 'node:net'

export type OpenRequests = {
  /** Counts a request and returns the function that ends it; undefined if the address has too many open. */
  open(address: string): (() => void) | undefined
}

export function createOpenRequests(max: number): OpenRequests {
  const counts = new Map<string, number>()
  return {
    open(address) {
      const key = clientKey(address)
      const count = counts.get(key) ?? 0
      if (count >= max) return undefined
      counts.set(key, count + 1)
      return () => {
        const remaining = (counts.get(key) ?? 0) - 1
        if (remaining > 0) counts.set(key, remaining)
        else counts.delete(key)
      }
    },
  }
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Groups IPv6 addresses by /64, because one client owns the whole prefix. */
export function clientKey(address: string): string {
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
