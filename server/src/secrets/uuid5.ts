import { createHash } from 'node:crypto'

/** The UUID that a name has inside a namespace (RFC 9562, version 5): the same name, the same id, everywhere. */
export function uuidv5(namespace: string, name: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  digest[6] = (digest[6]! & 0x0f) | 0x50
  digest[8] = (digest[8]! & 0x3f) | 0x80
  return formatUuid(digest)
}

/** The first 16 bytes, as a UUID is written. */
export function formatUuid(bytes: Buffer): string {
  const text = bytes.toString('hex', 0, 16)
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}
