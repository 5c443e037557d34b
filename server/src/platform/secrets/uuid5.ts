import { hash } from 'node:crypto'

const NAMESPACE_BYTES = 16
const MAX_BYTES_PER_UNIT = 3
/**
 * One-shot hashing of one buffer costs a third of a hash object with two updates; the buffer starts with the last
 * namespace.
 */
let bytes = Buffer.alloc(1024)
let lastNamespace = ''

/** Name-based UUID (RFC 9562, version 5). */
export function uuidv5(namespace: string, name: string): string {
  const maxLength = NAMESPACE_BYTES + MAX_BYTES_PER_UNIT * name.length
  if (bytes.length < maxLength) bytes = Buffer.concat([bytes], 2 * maxLength)
  if (namespace !== lastNamespace) {
    bytes.write(namespace.replaceAll('-', ''), 'hex')
    lastNamespace = namespace
  }
  const length = NAMESPACE_BYTES + bytes.write(name, NAMESPACE_BYTES)
  return toUuid(hash('sha1', bytes.subarray(0, length), 'hex'), 5)
}

const VARIANTS = '89ab'

/** Formats the first 128 bits of a digest as a UUID of the version. */
export function toUuid(hex: string, version: 5 | 8): string {
  const variant = VARIANTS[Number.parseInt(hex[16]!, 16) & 3]!
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-8ada-a[0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Tracker ids start with their time (`tracker/src/visitor.ts`). Ids derived from them keep that prefix, so that
 * rows of new visits are adjacent in every index; the rest is the digest. Other ids are entirely digest.
 */
export function withTimeOf(sourceId: string, derivedId: string): string {
  return sourceId.startsWith('-8ada-a', 13) && TIMED.test(sourceId)
    ? `${sourceId.slice(0, 13)}-8${derivedId.slice(15)}`
    : derivedId
}
