/** Writes one Parquet file. The rows of a row group and the compressed bytes of the file are all that is held. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { ColumnChunk } from './column-chunk.ts'
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

/** `createdBy` names the service and its version. */
export class ParquetFile {
  rows = 0
  private readonly columns: readonly Column[]
  private readonly values: readonly ColumnChunk[]
  private readonly bytes = new ByteWriter(1 << 13)
  private readonly writer: ParquetWriter
  private groupRows = 0

  constructor(columns: readonly Column[], createdBy: string) {
    this.columns = columns
    this.values = columns.map((column) => new ColumnChunk(column))
    this.writer = new ParquetWriter({
      writer: this.bytes,
      schema: schemaOf(columns),
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
    const begin = this.bytes.offset
    const columns = this.values.map((values) => values.write(this.bytes))
    this.writer.row_groups.push({
      columns,
      num_rows: BigInt(this.groupRows),
      total_byte_size: columns.reduce((sum, chunk) => sum + chunk.meta_data!.total_uncompressed_size, 0n),
      total_compressed_size: BigInt(this.bytes.offset - begin),
    })
    this.writer.num_rows += BigInt(this.groupRows)
    this.groupRows = 0
  }

  finish(): ExportFile {
    this.writeGroup()
    // Bytes in memory are written at once: only a writer that flushes gives a promise.
    void this.writer.finish()
    const sums = this.columns.flatMap(({ name, sum }, index) =>
      sum === true ? [[name, this.values[index]!.sum] as const] : [],
    )
    return { bytes: this.bytes.getBytes(), rows: this.rows, sums: Object.fromEntries(sums) }
  }
}
