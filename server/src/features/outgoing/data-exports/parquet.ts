/** Writes Parquet files. In memory are one row group and the compressed bytes of one file. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { ColumnChunk, makeChunk } from './column-chunk.ts'
import type { Column } from './tables.ts'

type ExportFile = { bytes: Uint8Array; rows: number; sums: Record<string, number> }

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

/** Rows per row group. */
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

/** Writes the files of one table one after another, reusing the memory. */
export class ParquetFile {
  rows = 0
  readonly columns: readonly ColumnChunk[]
  private readonly schema: SchemaElement[]
  private readonly createdBy: string
  private readonly bytes = new ByteWriter(1 << 16)
  private writer: ParquetWriter
  private groupRows = 0

  /** `createdBy`: name and version of the service. */
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
    const chunk = this.columns.find(({ column }) => column.name === name)
    if (!(chunk instanceof kind)) throw new Error(`There is no such column ${name}`)
    return chunk
  }

  /** Call it after each column has its values of the rows. */
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

  /** The returned bytes are overwritten by the next file. */
  finish(): ExportFile {
    this.writeGroup()
    // No await: an in-memory ByteWriter finishes synchronously.
    void this.writer.finish()
    const sums = this.columns.flatMap(({ column, sum }) =>
      column.sum === true ? [[column.name, sum] as const] : [],
    )
    const file = { bytes: this.bytes.getBytes(), rows: this.rows, sums: Object.fromEntries(sums) }
    this.writer = this.begin()
    return file
  }
}
