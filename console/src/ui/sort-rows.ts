export type Sort = { id: string; descending: boolean }

type Sortable<Row> = {
  id: string
  value?: (row: Row) => string | number | null
  group?: (row: Row) => string
}

/** Rows without a value are always last. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const { value, group } = columns.find((column) => column.id === sort?.id) ?? {}
  if (!sort || !value) return rows
  const direction = sort.descending ? -1 : 1
  return [...rows].sort((one, other) => {
    const [first, second] = [group?.(one) ?? '', group?.(other) ?? '']
    if (first !== second) return first < second ? -1 : 1
    const [left, right] = [value(one), value(other)]
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
    return left === right ? 0 : left < right ? -direction : direction
  })
}
