/** Columns that are read for each table. `rows.ts` computes the remaining exported columns from them. Pure. */
import type { Column, ExportTable } from './tables.ts'

export type SourceColumn = { name: string; type: Column['type'] | 'bytes' }

const topSource: SourceColumn = { name: 'top_source', type: 'text' }

export function sourceColumns({ name, columns }: ExportTable): readonly SourceColumn[] {
  const without = (...names: string[]) => columns.filter((column) => !names.includes(column.name))
  switch (name) {
    case 'credits':
      return [...columns.slice(0, 2), { name: 'packed', type: 'bytes' }]
    case 'paths':
      return [...without('channel'), topSource]
    case 'campaigns':
    case 'ad_sets':
    case 'ads':
      return [...without('platform', 'channel'), topSource]
    default:
      return columns
  }
}
