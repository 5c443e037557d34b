/** The subset of the platform's query language that reports need: SELECT, WHERE, ORDER BY, LIMIT. */

/** Values by dotted snake_case name, as in a query. */
export type FlatRow = Record<string, unknown>

export type GaqlQuery = {
  fields: string[]
  resource: string
  /** `equals`: the value of an equality condition. */
  conditions: { field: string; holds: (value: unknown) => boolean; equals: string | null }[]
  orderBy: { field: string; descending: boolean } | null
  limit: number | null
}

const MAX_LENGTH = 10_000
const form =
  /^SELECT (?<fields>.+?) FROM (?<resource>\w+)(?: WHERE (?<where>.+?))?(?: ORDER BY (?<order>[\w.]+)(?<direction> (?:ASC|DESC))?)?(?: LIMIT (?<limit>\d+))?$/i

/** Null for unsupported syntax, for which the platform returns a query error. */
export function parseGaql(text: string): GaqlQuery | null {
  const groups = text.length > MAX_LENGTH ? undefined : form.exec(text.trim().replace(/\s+/g, ' '))?.groups
  if (!groups) return null
  const { fields, resource, where, order, direction, limit } = groups
  const conditions = where === undefined ? [] : splitConditions(where).map(parseCondition)
  if (conditions.some((condition) => condition === null)) return null
  return {
    fields: fields!.split(',').map((field) => field.trim()),
    resource: resource!,
    conditions: conditions as GaqlQuery['conditions'],
    orderBy: order === undefined ? null : { field: order, descending: /desc/i.test(direction ?? '') },
    limit: limit === undefined ? null : Number(limit),
  }
}

/** Splits at AND, except the AND of a BETWEEN. */
const splitConditions = (where: string): string[] =>
  where.replace(/(BETWEEN \S+) AND /gi, '$1 .. ').split(/ AND /i)

function parseCondition(text: string): GaqlQuery['conditions'][number] | null {
  const range = /^([\w.]+)\s+BETWEEN\s+(\S+)\s+\.\.\s+(\S+)$/i.exec(text.trim())
  if (range) {
    const [low, high] = [literal(range[2]!), literal(range[3]!)]
    return {
      field: range[1]!,
      equals: low === high ? low : null,
      holds: (value) => compare(value, low) >= 0 && compare(value, high) <= 0,
    }
  }
  const simple = /^([\w.]+)\s*(!=|>=|<=|=|>|<)\s*(\S+)$/.exec(text.trim())
  if (!simple) return null
  const right = literal(simple[3]!)
  const tests: Record<string, (order: number) => boolean> = {
    '=': (order) => order === 0,
    '!=': (order) => order !== 0,
    '>': (order) => order > 0,
    '<': (order) => order < 0,
    '>=': (order) => order >= 0,
    '<=': (order) => order <= 0,
  }
  const test = tests[simple[2]!]!
  const equals = simple[2] === '=' ? right : null
  return { field: simple[1]!, equals, holds: (value) => test(compare(value, right)) }
}

const literal = (text: string): string => text.replace(/^['"](.*)['"]$/, '$1')

/** Compares whole numbers of any length numerically, everything else as text. */
function compare(value: unknown, right: string): number {
  const left = typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '')
  if (/^-?\d+$/.test(left) && /^-?\d+$/.test(right)) {
    const difference = BigInt(left) - BigInt(right)
    return difference === 0n ? 0 : difference > 0n ? 1 : -1
  }
  return left === right ? 0 : left > right ? 1 : -1
}

export function runGaql(query: GaqlQuery, rows: FlatRow[]): Record<string, unknown>[] {
  const matchingRows = rows.filter((row) => query.conditions.every(({ field, holds }) => holds(row[field])))
  const { orderBy } = query
  if (orderBy) {
    const sign = orderBy.descending ? -1 : 1
    matchingRows.sort((a, b) => sign * compare(a[orderBy.field], String(b[orderBy.field])))
  }
  return matchingRows.slice(0, query.limit ?? matchingRows.length).map((row) => nest(row, query.fields))
}

/** `ad_group_ad.ad.id` becomes `{ adGroupAd: { ad: { id } } }`; fields without a value are omitted. */
function nest(row: FlatRow, fields: string[]): Record<string, unknown> {
  const nested: Record<string, unknown> = {}
  for (const field of fields) {
    if (row[field] === undefined) continue
    const path = field.split('.').map(camelCase)
    let at = nested
    for (const part of path.slice(0, -1)) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[path.at(-1)!] = row[field]
  }
  return nested
}

export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
