/** Writes one Parquet file. The rows of a row group and the compressed bytes of the file are all that is held. */
import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { dayNumber } from '../../../platform/contract/dates.ts'
import { isPersonal } from '../../../platform/contract/personal-values.ts'
import type { Column } from './tables.ts'

type ExportFile = { bytes: Uint8Array; rows: number; sums: Record<string, number> }

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

/** Rows that are encoded together. */
const GROUP_ROWS = 20_000

const elements: Record<Column['type'], Omit<SchemaElement, 'name'>> = {
  uuid: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  day: { type: 'INT32', converted_type: 'DATE' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
  boolean: { type: 'BOOLEAN' },
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name, type, nullable }): SchemaElement => ({
        ...elements[type],
        name,
        repetition_type: nullable === true ? 'OPTIONAL' : 'REQUIRED',
      }),
    ),
  ]
}

/** Rows of a group from which on zstd is worth its start; smaller pages are compressed by snappy. */
const ZSTD_ROWS = 1000

type ColumnSource = Parameters<ParquetWriter['write']>[0]['columnData'][number]

/** The values of one column of a row group, as they are stored. */
class ColumnValues {
  sum = 0
  private readonly column: Column
  private data: unknown[] = []
  /** Bytes of each id of the group: most ids come several times, or once in the whole column. */
  private readonly ids = new Map<string, Uint8Array>()

  constructor(column: Column) {
    this.column = column
  }

  add(value: unknown): void {
    if (value === undefined || (value === null && this.column.nullable !== true))
      throw new Error(`The column ${this.column.name} has no value`)
    this.data.push(value === null ? null : this.toStored(value))
    if (this.column.sum === true && typeof value === 'number') this.sum += value
  }

  private toStored(value: unknown): unknown {
    switch (this.column.type) {
      case 'uuid':
        return this.bytesOf(value as string)
      case 'integer':
        return BigInt(value as number)
      case 'day':
        return dayNumber(value as string)
      case 'time':
        return BigInt((value as Date).getTime())
      case 'text':
        return this.column.free === true && isPersonal(value as string) ? null : value
      case 'boolean':
        return value
    }
  }

  private bytesOf(id: string): Uint8Array {
    let bytes = this.ids.get(id)
    if (bytes === undefined) {
      bytes = bytesOfUuid(id)
      this.ids.set(id, bytes)
    }
    return bytes
  }

  /** A reader skips row groups by day and time only, so only they have bounds; a dictionary of times, or of ids that hardly repeat, saves nothing. */
  take(): ColumnSource {
    const { name, type } = this.column
    const { data, ids } = this
    const isPlain = type === 'time' || (type === 'uuid' && ids.size * 2 > data.length)
    this.data = []
    ids.clear()
    return {
      name,
      data,
      codec: data.length < ZSTD_ROWS ? 'SNAPPY' : 'ZSTD',
      statistics: type === 'day' || type === 'time',
      ...(isPlain ? { encoding: 'PLAIN' } : {}),
    }
  }
}

const ID_BYTES = 16
/** Where each byte of a UUID is in its text. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const digitAt = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : (code | 32) - 87
}
let block = new Uint8Array(ID_BYTES * 1024)
let blockUsed = 0

/** As the database writes it. Ids of one block share its memory: one buffer for each costs more than its digits. */
export function bytesOfUuid(id: string): Uint8Array {
  if (blockUsed === block.length) {
    block = new Uint8Array(block.length)
    blockUsed = 0
  }
  for (let index = 0; index < ID_BYTES; index++)
    block[blockUsed + index] = digitAt(id, PLACES[index]!) * 16 + digitAt(id, PLACES[index]! + 1)
  blockUsed += ID_BYTES
  return block.subarray(blockUsed - ID_BYTES, blockUsed)
}

/** `createdBy` names the service and its version. */
export class ParquetFile {
  rows = 0
  private readonly columns: readonly Column[]
  private readonly values: readonly ColumnValues[]
  private readonly bytes = new ByteWriter(1 << 13)
  private readonly writer: ParquetWriter
  private groupRows = 0

  constructor(columns: readonly Column[], createdBy: string) {
    this.columns = columns
    this.values = columns.map((column) => new ColumnValues(column))
    this.writer = new ParquetWriter({
      writer: this.bytes,
      schema: schemaOf(columns),
      compressors: { ZSTD: (input) => zstdCompressSync(input) },
      createdBy,
    })
  }

  add(row: Record<string, unknown>): void {
    for (let index = 0; index < this.columns.length; index++)
      this.values[index]!.add(row[this.columns[index]!.name])
    this.rows += 1
    this.groupRows += 1
    if (this.groupRows >= GROUP_ROWS) this.writeGroup()
  }

  private writeGroup(): void {
    if (this.groupRows === 0) return
    // Bytes in memory are written at once: only a writer that flushes gives a promise.
    void this.writer.write({
      columnData: this.values.map((values) => values.take()),
      rowGroupSize: this.groupRows,
    })
    this.groupRows = 0
  }

  finish(): ExportFile {
    this.writeGroup()
    void this.writer.finish()
    const sums = this.columns.flatMap(({ name, sum }, index) =>
      sum === true ? [[name, this.values[index]!.sum] as const] : [],
    )
    return { bytes: this.bytes.getBytes(), rows: this.rows, sums: Object.fromEntries(sums) }
  }
}
