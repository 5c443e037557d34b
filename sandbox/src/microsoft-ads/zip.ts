/** A ZIP archive with one deflated file, according to PKWARE's application note. */
import { crc32, deflateRawSync } from 'node:zlib'

export function zipOf(name: string, content: string): Buffer {
  const bytes = Buffer.from(content)
  const packed = deflateRawSync(bytes)
  const fileName = Buffer.from(name)
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(8, 4)
  shared.writeUInt32LE(crc32(bytes), 10)
  shared.writeUInt32LE(packed.length, 14)
  shared.writeUInt32LE(bytes.length, 18)
  shared.writeUInt16LE(fileName.length, 22)
  const local = Buffer.concat([signature(0x04034b50), shared, fileName, packed])
  const central = Buffer.concat([
    signature(0x02014b50),
    Buffer.from([20, 0]),
    shared,
    Buffer.alloc(14),
    fileName,
  ])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return Buffer.concat([local, central, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
