/**
 * A backup is gzipped lines. The first is a header; then each table, parents before children, is a line with its
 * name, its rows in COPY's text format, and `\.`; the last line has the number of rows per table and the SHA-256 of
 * everything before it. Text, because every PostgreSQL version can read it.
 */
import { z } from 'zod'

export const FORMAT = 1

export const Header = z.object({
  format: z.literal(FORMAT),
  whence: z.string(),
  postgres: z.string(),
  made_at: z.string(),
  migrations: z.array(z.string()).min(1),
  /** First days of the months that have an events partition. */
  months: z.array(z.string().regex(/^\d{4}-\d{2}-01$/)),
})
export type Header = z.infer<typeof Header>

export const TableLine = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })
export type TableLine = z.infer<typeof TableLine>

export const Trailer = z.object({ rows: z.record(z.string(), z.number()), sha256: z.string() })
export type Trailer = z.infer<typeof Trailer>

export const END_OF_ROWS = Buffer.from('\\.\n')
const NEWLINE = 10

export class BackupError extends Error {
  override name = 'BackupError'
}

export function toLine(value: Header | TableLine | Trailer): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

/** Checks only the first property, because a table may have a column of any name. */
export const isTrailer = (line: Buffer): boolean => line.indexOf('{"rows":') === 0

export function readLineAs<T>(schema: z.ZodType<T>, line: Buffer, part: string): T {
  try {
    return schema.parse(JSON.parse(line.toString('utf8')))
  } catch (cause) {
    throw new BackupError(`The file is not a Whence backup, or it is damaged (${part}).`, { cause })
  }
}

/** COPY escapes newlines inside values, so every newline ends a row. */
export function countRows(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

export type BackupReader = {
  /** Includes the newline. */
  line(): Promise<Buffer>
  /** Complete rows, up to the end marker. */
  rows(): AsyncGenerator<Buffer>
  /** Whether the end of the file is reached. */
  isAtEnd(): Promise<boolean>
}

export function readBackup(source: AsyncIterable<Buffer>): BackupReader {
  const chunks = source[Symbol.asyncIterator]()
  let buffer: Buffer = Buffer.alloc(0)
  const readChunk = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    if (done === true) return false
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value])
    return true
  }
  const take = (length: number): Buffer => {
    const bytes = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    return bytes
  }
  const requireChunk = async (): Promise<void> => {
    if (!(await readChunk())) throw new BackupError('The backup is truncated: its end is missing.')
  }
  return {
    async line() {
      for (;;) {
        const at = buffer.indexOf(NEWLINE)
        if (at >= 0) return take(at + 1)
        await requireChunk()
      }
    },
    async *rows() {
      for (;;) {
        const end = endOfRows(buffer)
        if (end >= 0) {
          if (end > 0) yield take(end)
          take(END_OF_ROWS.length)
          return
        }
        const last = buffer.lastIndexOf(NEWLINE)
        if (last >= 0) yield take(last + 1)
        await requireChunk()
      }
    },
    async isAtEnd() {
      while (buffer.length === 0) if (!(await readChunk())) return true
      return false
    },
  }
}

/** Finds the end marker alone on a line; in values the backslash is escaped. */
function endOfRows(buffer: Buffer): number {
  if (buffer.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) return 0
  const at = buffer.indexOf('\n\\.\n')
  return at < 0 ? -1 : at + 1
}
