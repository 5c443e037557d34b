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

/** A paged table: the rows so far, their number, and a button that loads more. */
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
  /** In place of the table where there is nothing. */
  empty: ReactNode
  initialSort?: Sort
  /** Where the service sorts all rows, not only those that are shown. */
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
        // A page may be empty and not the last: the service looks at so many rows at once and no more.
        if (rows.length === 0 && !query.hasNextPage) return empty
        const more = () =>
          // The button goes with the last page; without this the focus would fall back to the page's top.
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
                  <Button small busy={query.isFetchingNextPage} onClick={more}>
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

function countText(shown: number, goesOn: boolean, isSorted: boolean): string {
  if (!goesOn) return `All ${count(shown)} are shown.`
  if (isSorted) return `The first ${count(shown)} are shown.`
  return shown === 0
    ? 'None among the newest. Older ones may follow.'
    : `The newest ${count(shown)} are shown and sorted.`
}
