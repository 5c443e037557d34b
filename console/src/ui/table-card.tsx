import type { ComponentProps, ReactNode } from 'react'
import { Card } from './card.tsx'
import { DataTable } from './data-table.tsx'
import { Loaded } from './loaded.tsx'

/** A card with one table: its title names both, and `empty` replaces a table without rows. */
export function TableCard<Data, Row>({
  title,
  note,
  query,
  rows,
  empty,
  ...table
}: {
  title: string
  note?: ReactNode
  query: ComponentProps<typeof Loaded<Data>>['query']
  /** Selects the rows from the response. */
  rows: (data: Data) => readonly Row[]
  empty: (data: Data) => ReactNode
} & Pick<ComponentProps<typeof DataTable<Row>>, 'columns' | 'rowKey' | 'cards'>) {
  return (
    <Card title={title} note={note} flush>
      <Loaded query={query}>
        {(data) => {
          const items = rows(data)
          return items.length === 0 ? empty(data) : <DataTable label={title} rows={items} {...table} />
        }}
      </Loaded>
    </Card>
  )
}
