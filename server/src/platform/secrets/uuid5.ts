import { hash } from 'node:crypto'

const NAMESPACE_BYTES = 16
const MAX_BYTES_PER_UNIT = 3
/** Hashing one buffer in one call costs a third of feeding a hash object twice; it begins with the namespace that was used last. */
let bytes = Buffer.alloc(1024)
let lastNamespace = ''

/** The UUID that a name has inside a namespace (RFC 9562, version 5): the same name, the same id, everywhere. */
export function uuidv5(namespace: string, name: string): string {
  const most = NAMESPACE_BYTES + MAX_BYTES_PER_UNIT * name.length
  if (bytes.length < most) bytes = Buffer.concat([bytes], 2 * most)
  if (namespace !== lastNamespace) {
    bytes.write(namespace.replaceAll('-', ''), 'hex')
    lastNamespace = namespace
  }
  const length = NAMESPACE_BYTES + bytes.write(name, NAMESPACE_BYTES)
  return toUuid(hash('sha1', bytes.subarray(0, length), 'hex'), 5)
}

const VARIANTS = '89ab'

/** The first 128 bits of a digest, as a UUID of the version is written. */
export function toUuid(hex: string, version: 5 | 8): string {
  const variant = VARIANTS[Number.parseInt(hex[16]!, 16) & 3]!
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-8ada-a[0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Ids that the tracker makes begin with their time (`tracker/src/visitor.ts`). Ids derived from them keep that beginning,
 * so what belongs to new visits is side by side in every index; the rest is the digest of the id. Other ids are all digest.
 */
export function withTimeOf(madeId: string, derivedId: string): string {
  return madeId.startsWith('-8ada-a', 13) && TIMED.test(madeId)
    ? `${madeId.slice(0, 13)}-8${derivedId.slice(15)}`
    : derivedId
}
