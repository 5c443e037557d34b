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

function toValue({ name, type, nullable, free }: Column, value: unknown): unknown {
  if (value === undefined || (value === null && nullable !== true))
    throw new Error(`The column ${name} has no value`)
  if (value === null) return null
  if (type === 'integer') return BigInt(value as number)
  if (type === 'day') return dayNumber(value as string)
  return free === true && isPersonal(value as string) ? null : value
}

/** `createdBy` names the service and its version. */
export class ParquetFile {
  rows = 0
  private readonly columns: readonly Column[]
  private readonly bytes = new ByteWriter(1 << 16)
  private readonly writer: ParquetWriter
  private readonly sums: Record<string, number>
  private group: unknown[][]

  constructor(columns: readonly Column[], createdBy: string) {
    this.columns = columns
    this.writer = new ParquetWriter({
      writer: this.bytes,
      schema: schemaOf(columns),
      codec: 'ZSTD',
      compressors: { ZSTD: (input) => zstdCompressSync(input) },
      createdBy,
    })
    this.sums = Object.fromEntries(columns.filter(({ sum }) => sum === true).map(({ name }) => [name, 0]))
    this.group = columns.map(() => [])
  }

  add(row: Record<string, unknown>): void {
    for (const [index, column] of this.columns.entries()) {
      const value = row[column.name]
      this.group[index]!.push(toValue(column, value))
      if (column.sum === true && typeof value === 'number') this.sums[column.name]! += value
    }
    this.rows += 1
    if (this.group[0]!.length >= GROUP_ROWS) this.writeGroup()
  }

  private writeGroup(): void {
    const rows = this.group[0]!.length
    if (rows === 0) return
    this.writer.write({
      columnData: this.columns.map(({ name }, index) => ({ name, data: this.group[index]! })),
      rowGroupSize: rows,
    })
    this.group = this.columns.map(() => [])
  }

  finish(): ExportFile {
    this.writeGroup()
    this.writer.finish()
    return { bytes: this.bytes.getBytes(), rows: this.rows, sums: this.sums }
  }
}
