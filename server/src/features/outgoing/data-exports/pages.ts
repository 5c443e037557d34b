/** Writes compressed Parquet pages of a column. `hyparquet-writer` writes their headers. */
import { constants, zstdCompressSync } from 'node:zlib'
import type { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { snappyCompress } from 'hyparquet-writer/src/snappy.js'

type Codec = 'ZSTD' | 'SNAPPY' | 'UNCOMPRESSED'

/** From this many rows on zstd pays off; smaller pages use snappy. */
const ZSTD_ROWS = 1000
/** Smaller chunks are not compressed. */
const COMPRESSED_BYTES = 128

export function codecOf(rows: number, bytes: number): Codec {
  return bytes < COMPRESSED_BYTES ? 'UNCOMPRESSED' : rows < ZSTD_ROWS ? 'SNAPPY' : 'ZSTD'
}

const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

function compress(bytes: Uint8Array, codec: Codec): Uint8Array {
  if (codec === 'UNCOMPRESSED') return bytes
  return codec === 'ZSTD' ? zstdCompressSync(bytes, zstd) : snappyCompress(bytes)
}

export function writeDictionaryPage(
  writer: ByteWriter,
  bytes: Uint8Array,
  count: number,
  codec: Codec,
): number {
  const begin = writer.offset
  const compressed = compress(bytes, codec)
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  })
  const header = writer.offset - begin
  writer.appendBytes(compressed)
  return header + bytes.length
}

export function writeDataPage(
  writer: ByteWriter,
  levels: Uint8Array,
  bytes: Uint8Array,
  content: { rows: number; nulls: number; encoding: 'RLE_DICTIONARY' | 'PLAIN'; codec: Codec },
): number {
  const { rows, nulls, encoding, codec } = content
  const begin = writer.offset
  const compressed = compress(bytes, codec)
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.length + bytes.length,
    compressed_page_size: levels.length + compressed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: codec !== 'UNCOMPRESSED',
    },
  })
  const header = writer.offset - begin
  writer.appendBytes(levels)
  writer.appendBytes(compressed)
  return header + levels.length + bytes.length
}
