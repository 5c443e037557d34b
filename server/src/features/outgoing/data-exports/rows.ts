/** Converts database rows to the columns of the exported tables. */
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { paidChannelOf } from '../../../platform/contract/paid-channels.ts'
import { type CopyRow, readUuid } from '../../../platform/db/copy/copy-out.ts'
import { classifyPath } from '../../attribution/crediting/credits/paths.ts'
import { readSource } from '../../attribution/crediting/credits/source-name.ts'
import { BytesChunk } from './column-chunk.ts'
import { createCreditWriter } from './credit-rows.ts'
import type { ParquetFile } from './parquet.ts'
import { sourceColumns } from './source-columns.ts'
import type { ExportTable } from './tables.ts'

type RowWriter = (row: CopyRow) => void

/** The writer turns each database row into one or more rows of the file. */
export function createRowWriter(table: ExportTable, file: ParquetFile): RowWriter {
  switch (table.name) {
    case 'credits':
      return createCreditWriter(file)
    case 'paths':
      return pathWriter(table, file)
    case 'campaigns':
    case 'ad_sets':
    case 'ads':
      return entityWriter(table, file)
    default:
      return plainWriter(file)
  }
}

function plainWriter(file: ParquetFile): RowWriter {
  const { columns } = file
  return (row) => {
    for (let index = 0; index < columns.length; index++) columns[index]!.read(row, index)
    file.endRows()
  }
}

/** Copies the columns that need no conversion. */
function createColumnCopier(table: ExportTable, file: ParquetFile, except: readonly string[]): RowWriter {
  const pairs = sourceColumns(table).flatMap(({ name }, field) =>
    except.includes(name) ? [] : [{ chunk: file.column(name), field }],
  )
  return (row) => {
    for (const { chunk, field } of pairs) chunk.read(row, field)
  }
}

function textReader(table: ExportTable, name: string) {
  const field = sourceColumns(table).findIndex((column) => column.name === name)
  return ({ bytes, at, size }: CopyRow): string | null =>
    size[field]! < 0 ? null : bytes.toString('utf8', at[field]!, at[field]! + size[field]!)
}

function uuidReader(table: ExportTable, name: string) {
  const field = sourceColumns(table).findIndex((column) => column.name === name)
  return ({ bytes, at, size }: CopyRow): string | null =>
    size[field]! < 0 ? null : readUuid(bytes, at[field]!)
}

function pathWriter(table: ExportTable, file: ParquetFile): RowWriter {
  const copy = createColumnCopier(table, file, ['platform', 'source', 'top_source'])
  const [platform, channel, source] = ['platform', 'channel', 'source'].map((name) =>
    file.column(name, BytesChunk),
  ) as [BytesChunk, BytesChunk, BytesChunk]
  const [readPlatform, readSourceText, readTop] = ['platform', 'source', 'top_source'].map((name) =>
    textReader(table, name),
  ) as [ReturnType<typeof textReader>, ReturnType<typeof textReader>, ReturnType<typeof textReader>]
  const [campaignId, adSetId, adId] = ['campaign_id', 'ad_set_id', 'ad_id'].map((name) =>
    uuidReader(table, name),
  ) as [ReturnType<typeof uuidReader>, ReturnType<typeof uuidReader>, ReturnType<typeof uuidReader>]
  return (row) => {
    const path = {
      campaignId: campaignId(row),
      adSetId: adSetId(row),
      adId: adId(row),
      platform: readPlatform(row),
      source: readSourceText(row),
    }
    const classification = classifyPath(path, () => platformOf(readTop(row)))
    copy(row)
    platform.addText(classification.entityPlatform ?? path.platform)
    channel.addText(classification.channel ?? 'unknown')
    source.addText(
      classification.entityPlatform ?? (path.source === null ? null : readSource(path.source).name),
    )
    file.endRows()
  }
}

function entityWriter(table: ExportTable, file: ParquetFile): RowWriter {
  const copy = createColumnCopier(table, file, ['top_source'])
  const readTop = textReader(table, 'top_source')
  const [platform, channel] = [file.column('platform', BytesChunk), file.column('channel', BytesChunk)]
  return (row) => {
    copy(row)
    const name = platformOf(readTop(row))
    platform.addText(name)
    channel.addText(paidChannelOf(name))
    file.endRows()
  }
}
