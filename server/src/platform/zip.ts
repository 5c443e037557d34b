/** Reads the first file of a ZIP archive: stored or deflated, no encryption, no ZIP64. */
import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_LENGTH = 22
const MAX_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8

/** Undefined if the archive is unreadable or the file is larger than `maxBytes`. */
export function unzipFirst(archive: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  try {
    const entry = bytes.readUInt32LE(endOffset(bytes) + 16)
    if (bytes.readUInt32LE(entry) !== ENTRY) return undefined
    const method = bytes.readUInt16LE(entry + 10)
    const packedLength = bytes.readUInt32LE(entry + 20)
    const length = bytes.readUInt32LE(entry + 24)
    const local = bytes.readUInt32LE(entry + 42)
    if (bytes.readUInt32LE(local) !== LOCAL || length > maxBytes) return undefined
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + packedLength)
    if (packed.length !== packedLength) return undefined
    const content = method === STORED ? packed : inflate(method, packed, maxBytes)
    return content?.length === length ? content : undefined
  } catch (error) {
    // Offsets outside the archive, or a broken stream.
    if (error instanceof RangeError || (error as { code?: string }).code?.startsWith('Z_')) return undefined
    throw error
  }
}

const inflate = (method: number, packed: Uint8Array, maxBytes: number) =>
  method === DEFLATED ? inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) }) : undefined

/** The record at the end of the archive may be followed by a comment. */
function endOffset(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT)
  for (let at = bytes.length - END_LENGTH; at >= lowest; at--) if (bytes.readUInt32LE(at) === END) return at
  throw new RangeError('No end of a central directory')
}
