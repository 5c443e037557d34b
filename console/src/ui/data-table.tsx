import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { type Sort, sortRows } from './sort-rows.ts'
import { useWindowRows } from './use-window-rows.ts'

/** Longer tables are virtualized: only rows near the viewport are rendered, all with the same height. */
const VIRTUALIZE_FROM = 150
const ROW_HEIGHT = 53

export type Column<Row> = {
  id: string
  label: string
  /** Explanation, shown as a tooltip. */
  title?: string
  number?: boolean
  /** Sort value; a column without it is not sortable. */
  value?: (row: Row) => string | number | null
  /** Rows of different groups, such as currencies, are not comparable: each group is sorted separately. */
  group?: (row: Row) => string
  /** Place in the card that a row becomes on a phone: next to the name without a label, half or full width, or hidden. */
  phone?: 'lead' | 'half' | 'wide' | 'hidden'
  cell: (row: Row) => ReactNode
}

/** A sortable table. The first column is sticky. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  initialSort,
  sort: controlledSort,
  onSort,
  foot,
  linked,
  cards,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  initialSort?: Sort
  /** Controlled sort, if the URL contains it. */
  sort?: Sort
  onSort?: (sort: Sort) => void
  foot?: ReactNode
  linked?: boolean
  /** On a phone, rows become cards with labels, so nothing scrolls sideways. */
  cards?: boolean
}) {
  const [localSort, setLocalSort] = useState(initialSort)
  const sort = controlledSort ?? localSort
  const change = onSort ?? setLocalSort
  // Memoized, because scrolling renders often.
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort])
  const body = useRef<HTMLTableSectionElement>(null)
  const isLong = sorted.length > VIRTUALIZE_FROM
  const { first, last } = useWindowRows(body, sorted.length, ROW_HEIGHT, isLong)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable by keyboard
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      <table
        className={`table pinned${isLong ? ' long' : cards ? ' cards' : ''}`}
        aria-rowcount={isLong ? sorted.length + 1 : undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={change} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {first > 0 ? <Gap height={first * ROW_HEIGHT} columns={columns.length} /> : null}
          {sorted.slice(first, last).map((row, index) => (
            <BodyRow
              key={rowKey(row)}
              row={row}
              columns={columns}
              linked={linked}
              index={isLong ? first + index + 2 : undefined}
            />
          ))}
          {last < sorted.length ? (
            <Gap height={(sorted.length - last) * ROW_HEIGHT} columns={columns.length} />
          ) : null}
        </tbody>
        {foot ? <tfoot>{foot}</tfoot> : null}
      </table>
    </section>
  )
}

type BodyRowProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  linked: boolean | undefined
  index: number | undefined
}

/** Memoized, so that it is not rendered again while other rows scroll into view. */
const BodyRow = memo(function BodyRow<Row>({ row, columns, linked, index }: BodyRowProps<Row>) {
  return (
    <tr className={linked ? 'linked' : undefined} aria-rowindex={index}>
      {columns.map((column, columnIndex) =>
        columnIndex === 0 ? (
          <th key={column.id} scope="row" className="row-name">
            {column.cell(row)}
          </th>
        ) : (
          <td key={column.id} className={cellClass(column)} data-label={column.label || undefined}>
            {column.cell(row)}
          </td>
        ),
      )}
    </tr>
  )
}) as <Row>(props: BodyRowProps<Row>) => ReactNode

function cellClass({ number, phone }: Pick<Column<never>, 'number' | 'phone'>): string | undefined {
  return [number ? 'number' : '', phone ?? ''].filter(Boolean).join(' ') || undefined
}

function headClass({ number, phone }: Pick<Column<never>, 'number' | 'phone'>): string | undefined {
  return cellClass({ ...(number ? { number } : {}), ...(phone === 'hidden' ? { phone } : {}) })
}

/** Placeholder with the height of the rows that are not rendered. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr className="gap">
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}) {
  const active = sort?.id === column.id
  const direction = active ? (sort.descending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" className={headClass(column)} aria-sort={direction} title={column.title}>
      {column.value ? (
        <button
          type="button"
          className="sort"
          onClick={() => onSort({ id: column.id, descending: active ? !sort.descending : true })}
        >
          {column.label}
          <Icon name="down" size={12} />
        </button>
      ) : (
        column.label
      )}
    </th>
  )
}
