/** Reads an archive by its central directory. Written from the format, not from our writer. */
import { crc32, inflateRawSync } from 'node:zlib'

export function unzipAll(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'))
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const content = inflateRawSync(archive.subarray(start, start + packed))
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged`)
    files.set(name, content)
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}
