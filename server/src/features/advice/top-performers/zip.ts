/** A zip file of a few texts: local headers, deflated bytes, central directory. Not worth a dependency. */
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = { name: string; text: string }

const DEFLATED = 8
/** General-purpose flag: the name is UTF-8. */
const FLAGS = 0x0800
const VERSION = 20

/** Deterministic for the same entries and time. */
export function zip(entries: readonly ZipEntry[], at: Date): Buffer {
  const { time, date } = dosTime(at)
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, text } of entries) {
    const raw = Buffer.from(text)
    const packed = deflateRawSync(raw)
    const label = Buffer.from(name)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(VERSION, 0)
    shared.writeUInt16LE(FLAGS, 2)
    shared.writeUInt16LE(DEFLATED, 4)
    shared.writeUInt16LE(time, 6)
    shared.writeUInt16LE(date, 8)
    shared.writeUInt32LE(crc32(raw), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(raw.length, 18)
    shared.writeUInt16LE(label.length, 22)
    const location = Buffer.alloc(14)
    location.writeUInt32LE(offset, 10)
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, label, packed])
    files.push(file)
    const versionMadeBy = Buffer.from([VERSION, 0])
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), versionMadeBy, shared, location, label]),
    )
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

/** Two-second steps since 1980, in UTC. */
function dosTime(at: Date): { time: number; date: number } {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
