/** Writes a ZIP archive as a stream: each file is deflated, its size and checksum follow it. No ZIP64. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const ENTRY = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** Sizes follow the data; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
const MAX_SIZE = 0xffffffff

export type ZippedFile = { name: string; bytes: number; sha256: string }
type Entry = { name: Buffer; crc: number; packed: number; size: number; offset: number }

export class ZipWriter {
  private offset = 0
  private readonly entries: Entry[] = []
  private readonly stamp: Buffer
  private readonly sink: (bytes: Uint8Array) => Promise<void>

  constructor(sink: (bytes: Uint8Array) => Promise<void>, now: Date) {
    this.sink = sink
    this.stamp = Buffer.alloc(4)
    const year = Math.max(0, now.getUTCFullYear() - 1980)
    this.stamp.writeUInt16LE((now.getUTCHours() << 11) | (now.getUTCMinutes() << 5), 0)
    this.stamp.writeUInt16LE((year << 9) | ((now.getUTCMonth() + 1) << 5) | now.getUTCDate(), 2)
  }

  async add(name: string, content: AsyncIterable<string> | Iterable<string>): Promise<ZippedFile> {
    const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset: this.offset }
    const hash = createHash('sha256')
    const header = Buffer.alloc(30)
    header.writeUInt32LE(LOCAL, 0)
    header.writeUInt16LE(VERSION, 4)
    header.writeUInt16LE(FLAGS, 6)
    header.writeUInt16LE(DEFLATED, 8)
    this.stamp.copy(header, 10)
    header.writeUInt16LE(entry.name.length, 26)
    await this.write(Buffer.concat([header, entry.name]))
    const count = async function* () {
      for await (const text of content) {
        const bytes = Buffer.from(text)
        entry.crc = crc32(bytes, entry.crc)
        entry.size += bytes.length
        hash.update(bytes)
        yield bytes
      }
    }
    await pipeline(Readable.from(count()), createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
      for await (const bytes of packed) {
        entry.packed += bytes.length
        await this.write(bytes)
      }
    })
    const descriptor = Buffer.alloc(16)
    descriptor.writeUInt32LE(DESCRIPTOR, 0)
    this.writeSizes(descriptor, 4, entry)
    await this.write(descriptor)
    this.entries.push(entry)
    return { name, bytes: entry.size, sha256: hash.digest('hex') }
  }

  async end(): Promise<void> {
    const start = this.offset
    for (const entry of this.entries) {
      const header = Buffer.alloc(46)
      header.writeUInt32LE(ENTRY, 0)
      header.writeUInt16LE(VERSION, 4)
      header.writeUInt16LE(VERSION, 6)
      header.writeUInt16LE(FLAGS, 8)
      header.writeUInt16LE(DEFLATED, 10)
      this.stamp.copy(header, 12)
      this.writeSizes(header, 16, entry)
      header.writeUInt16LE(entry.name.length, 28)
      header.writeUInt32LE(entry.offset, 42)
      await this.write(Buffer.concat([header, entry.name]))
    }
    const end = Buffer.alloc(22)
    end.writeUInt32LE(END, 0)
    end.writeUInt16LE(this.entries.length, 8)
    end.writeUInt16LE(this.entries.length, 10)
    end.writeUInt32LE(this.offset - start, 12)
    end.writeUInt32LE(start, 16)
    await this.write(end)
  }

  private writeSizes(buffer: Buffer, at: number, { crc, packed, size }: Entry): void {
    if (packed > MAX_SIZE || size > MAX_SIZE) throw new RangeError('A file of the archive exceeds 4 GiB')
    buffer.writeUInt32LE(crc, at)
    buffer.writeUInt32LE(packed, at + 4)
    buffer.writeUInt32LE(size, at + 8)
  }

  private async write(bytes: Uint8Array): Promise<void> {
    this.offset += bytes.length
    if (this.offset > MAX_SIZE) throw new RangeError('The archive exceeds 4 GiB')
    await this.sink(bytes)
  }
}
