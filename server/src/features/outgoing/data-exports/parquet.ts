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
      bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
      this.ids.set(id, bytes)
    }
    return bytes
  }

  /** Ids have no bounds that a reader could use; a dictionary of times, or of ids that hardly repeat, saves nothing. */
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
      statistics: type !== 'uuid',
      ...(isPlain ? { encoding: 'PLAIN' } : {}),
    }
  }
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
