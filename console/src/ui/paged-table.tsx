import { type ReactNode, useRef } from 'react'
import { count } from '../format/numbers.ts'
import { Button } from './button.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { Loaded } from './loaded.tsx'
import type { Sort } from './sort-rows.ts'

type Pages<Row> = {
  data: { pages: readonly { data: readonly Row[] }[] } | undefined
  isError: boolean
  error: unknown
  refetch: () => Promise<unknown>
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** A paged table: the loaded rows, their count and a button to load more. */
export function PagedTable<Row>({
  label,
  query,
  columns,
  rowKey,
  empty,
  initialSort,
  sort,
  onSort,
  linked,
  cards,
}: {
  label: string
  query: Pages<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** Shown instead of the table if there are no rows. */
  empty: ReactNode
  initialSort?: Sort
  /** Set if the server sorts all rows, not only the loaded ones. */
  sort?: Sort
  onSort?: (sort: Sort) => void
  linked?: boolean
  cards?: boolean
}) {
  const status = useRef<HTMLParagraphElement>(null)
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data)
        // An empty page need not be the last one: the server scans a limited number of rows per request.
        if (rows.length === 0 && !query.hasNextPage) return empty
        const loadMore = () =>
          // The button disappears with the last page; without this, the focus would return to the page's top.
          void query.fetchNextPage().then(() => status.current?.focus())
        return (
          <>
            {rows.length === 0 ? null : (
              <DataTable
                label={label}
                columns={columns}
                rows={rows}
                rowKey={rowKey}
                {...(initialSort ? { initialSort } : {})}
                {...(sort && onSort ? { sort, onSort } : {})}
                linked={linked ?? false}
                cards={cards ?? false}
              />
            )}
            {query.hasNextPage || pages.length > 1 ? (
              <div className="card-foot more">
                <p ref={status} tabIndex={-1} role="status">
                  {countText(rows.length, query.hasNextPage, sort !== undefined)}
                </p>
                {query.hasNextPage ? (
                  <Button small busy={query.isFetchingNextPage} onClick={loadMore}>
                    Show more
                  </Button>
                ) : null}
              </div>
            ) : null}
          </>
        )
      }}
    </Loaded>
  )
}

function countText(rowCount: number, hasMore: boolean, isSorted: boolean): string {
  if (!hasMore) return `All ${count(rowCount)} are shown.`
  if (isSorted) return `The first ${count(rowCount)} are shown.`
  return rowCount === 0
    ? 'No matches among the newest. There may be older ones.'
    : `The newest ${count(rowCount)} are shown and sorted.`
}
