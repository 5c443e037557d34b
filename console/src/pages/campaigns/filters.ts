/** Filters as written in the URL: `spend>=100,roas<2` keeps rows that match both. */

const operators = ['>=', '<=', '>', '<', '='] as const
export type Operator = (typeof operators)[number]
export type Filter = { column: string; operator: Operator; value: number }

export const operatorNames: Record<Operator, string> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
  '=': 'exactly',
}

export function readFilters(text: string | undefined): Filter[] {
  return (text ?? '').split(',').flatMap((part) => {
    const [, column, operator, value] = /^([a-z_:]+)(>=|<=|>|<|=)(-?\d+(?:\.\d+)?)$/.exec(part.trim()) ?? []
    return column ? [{ column, operator: operator as Operator, value: Number(value) }] : []
  })
}

export function writeFilters(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined
  return filters.map(({ column, operator, value }) => `${column}${operator}${value}`).join(',')
}

const meets: Record<Operator, (left: number, right: number) => boolean> = {
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '=': (left, right) => left === right,
}

/** A row with an unknown figure fails every condition on it. */
export function matchesFilters(
  filters: readonly Filter[],
  figure: (column: string) => number | null,
): boolean {
  return filters.every(({ column, operator, value }) => {
    const actual = figure(column)
    return actual !== null && meets[operator](actual, value)
  })
}
