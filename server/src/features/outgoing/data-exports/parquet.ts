/** Writes Parquet files. The rows of a row group and the compressed bytes of the file are all that is held. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { ColumnChunk, makeChunk } from './column-chunk.ts'
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

/** Files of one table, one after another: the memory of a file is used again for the next. */
export class ParquetFile {
  rows = 0
  readonly columns: readonly ColumnChunk[]
  private readonly schema: SchemaElement[]
  private readonly createdBy: string
  private readonly bytes = new ByteWriter(1 << 16)
  private writer: ParquetWriter
  private groupRows = 0

  /** `createdBy` names the service and its version. */
  constructor(columns: readonly Column[], createdBy: string) {
    this.columns = columns.map(makeChunk)
    this.schema = schemaOf(columns)
    this.createdBy = createdBy
    this.writer = this.begin()
  }

  private begin(): ParquetWriter {
    this.rows = 0
    this.bytes.offset = 0
    this.bytes.index = 0
    for (const chunk of this.columns) chunk.sum = 0
    return new ParquetWriter({ writer: this.bytes, schema: this.schema, createdBy: this.createdBy })
  }

  column(name: string): ColumnChunk
  column<Kind extends ColumnChunk>(name: string, kind: new (column: Column) => Kind): Kind
  column(name: string, kind: abstract new (column: Column) => ColumnChunk = ColumnChunk): ColumnChunk {
    const found = this.columns.find(({ column }) => column.name === name)
    if (!(found instanceof kind)) throw new Error(`There is no such column ${name}`)
    return found
  }

  /** Of the columns that have got their values. */
  endRows(count = 1): void {
    this.rows += count
    this.groupRows += count
    if (this.groupRows >= GROUP_ROWS) this.writeGroup()
  }

  private writeGroup(): void {
    if (this.groupRows === 0) return
    const begin = this.bytes.offset
    const columns = this.columns.map((chunk) => chunk.write(this.bytes, this.groupRows))
    this.writer.row_groups.push({
      columns,
      num_rows: BigInt(this.groupRows),
      total_byte_size: columns.reduce((sum, chunk) => sum + chunk.meta_data!.total_uncompressed_size, 0n),
      total_compressed_size: BigInt(this.bytes.offset - begin),
    })
    this.writer.num_rows += BigInt(this.groupRows)
    this.groupRows = 0
  }

  /** The bytes are valid until the next file begins. */
  finish(): ExportFile {
    this.writeGroup()
    // Bytes in memory are written at once: only a writer that flushes gives a promise.
    void this.writer.finish()
    const sums = this.columns.flatMap(({ column, sum }) =>
      column.sum === true ? [[column.name, sum] as const] : [],
    )
    const file = { bytes: this.bytes.getBytes(), rows: this.rows, sums: Object.fromEntries(sums) }
    this.writer = this.begin()
    return file
  }
}
