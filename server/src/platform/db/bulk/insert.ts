/**
 * Bulk insert of rows of one profile. Columns are sent as arrays (`columns.ts`), so the statement text does not
 * depend on the number of rows; on Citus it is routed to the profile's shard (`../shard-anchor.ts`).
 */
import { type Insertable, type SelectType, sql } from 'kysely'
import { typeName } from '../column-types.ts'
import type { Tx } from '../database.ts'
import { columnTypes, type DB } from '../schema.ts'
import { anchoredProfileId, fromAnchor } from '../shard-anchor.ts'
import { arrayLiteral } from './array-literal.ts'
import { bigints, booleans, byteas, days, instants, jsonbs, smallints, texts, uuids } from './columns.ts'

type Column<T extends keyof DB> = keyof DB[T] & string
type Stored<T extends keyof DB, C> = C extends keyof DB[T] ? SelectType<DB[T][C]> : never
type Value<S> = unknown extends S ? object | null | undefined : S | (null extends S ? undefined : never)

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
type Member<Row, V> = { [K in keyof Row]-?: Row[K] extends V ? K : never }[keyof Row]
export type MatchingColumn<T extends keyof DB, Row> = {
  [C in Column<T>]: Camel<C> extends Member<Row, Value<Stored<T, C>>> ? C : never
}[Column<T>]

/**
 * Source of each column: a property of the row or a function of it. A list means properties with the same names
 * (camel case).
 */
export type Columns<T extends keyof DB, Row> =
  | readonly MatchingColumn<T, Row>[]
  | {
      [C in keyof Omit<Insertable<DB[T]>, 'profile_id'>]:
        | Member<Row, Value<Stored<T, C>>>
        | ((row: Row) => Value<Stored<T, C>>)
    }

/** On conflict: ignore the new row, overwrite all columns except `keep`, or add the values in `add`. */
type Conflict<T extends keyof DB> =
  | 'ignore'
  | { on: readonly Column<T>[]; keep?: readonly Column<T>[] }
  | { on: readonly Column<T>[]; add: readonly Column<T>[] }

type Encoder = <Row>(rows: readonly Row[], pick: (row: Row) => never) => Buffer

const encoders: Record<string, Encoder | undefined> = {
  bool: booleans,
  bytea: byteas,
  date: days,
  int2: smallints,
  int8: bigints,
  jsonb: jsonbs,
  text: texts,
  timestamptz: instants,
  uuid: uuids,
}

/**
 * The caller holds the profile's lock, or has called `ensureAnchor`. Returns the `returning` columns of the written
 * rows.
 */
export async function bulkInsert<T extends keyof DB, Row, R extends Column<T> = never>(
  tx: Tx,
  { into, profileId, rows }: { into: T; profileId: string; rows: readonly Row[] },
  columns: Columns<T, Row>,
  { conflict, returning }: { conflict?: Conflict<T>; returning?: readonly R[] } = {},
): Promise<{ [C in R]: SelectType<DB[T][C]> }[]> {
  if (rows.length === 0) return []
  const { names, text, encode } = prepare(into, columns)
  const end = `${onConflict(into, names, conflict)}${returning ? ` returning ${returning.join(', ')}` : ''}`
  const values = [
    anchoredProfileId(tx, profileId),
    ...encode.map((column) => column(rows as readonly never[])),
    fromAnchor(tx, profileId),
  ]
  const statement = sql<{ [C in R]: SelectType<DB[T][C]> }>
  return (await statement([...text, end] as unknown as TemplateStringsArray, ...values).execute(tx)).rows
}

type Prepared = { names: string[]; text: string[]; encode: ((rows: readonly never[]) => unknown)[] }

/** Cache by the column definition, which modules define once; saves 15 µs per statement. */
const preparedColumns = new WeakMap<object, Prepared>()

/** Builds one template; with a fragment per column the query builder needs 150 µs for 20 columns. */
function prepare(table: keyof DB, definition: object): Prepared {
  const cached = preparedColumns.get(definition)
  if (cached !== undefined) return cached
  const columns = Array.isArray(definition)
    ? Object.fromEntries(definition.map((name) => [name, camel(name)]))
    : definition
  const types = columnTypes[table] as Record<string, string>
  const names = Object.keys(columns)
  const ends = names.map((name) => {
    const type = typeName(types[name]!)
    return type.startsWith('_') ? `::text[])::${type.slice(1)}[]` : `::${type}[])`
  })
  const prepared = {
    names,
    text: [
      `insert into ${table} (profile_id, ${names.join(', ')}) select `,
      ', unnest(',
      ...ends.map((end, index) => `${end}${index === ends.length - 1 ? ' ' : ', unnest('}`),
    ],
    encode: Object.entries(columns).map(([name, source]) =>
      encoder(typeName(types[name]!), source as Source),
    ),
  }
  preparedColumns.set(definition, prepared)
  return prepared
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Source = string | ((row: never) => never)

function encoder(type: string, source: Source): Prepared['encode'][number] {
  const pick = typeof source === 'function' ? source : (row: never) => row[source]
  const encode = encoders[type]
  if (type.startsWith('_')) return (rows) => texts(rows, (row) => toLiteral(pick(row)))
  return encode === undefined ? (rows) => rows.map(pick) : (rows) => encode(rows, pick)
}

function toLiteral(values: readonly unknown[] | null | undefined): string | null {
  if (values === null || values === undefined) return null
  const literal = arrayLiteral(values)
  if (literal === undefined) throw new TypeError('An array element has an unsupported type')
  return literal
}

function onConflict<T extends keyof DB>(
  table: T,
  names: readonly string[],
  conflict: Conflict<T> | undefined,
) {
  if (conflict === undefined) return ''
  if (conflict === 'ignore') return ' on conflict do nothing'
  const { on } = conflict
  const unchanged: readonly string[] = 'add' in conflict ? [] : [...on, ...(conflict.keep ?? [])]
  const sets =
    'add' in conflict
      ? conflict.add.map((name) => `${name} = ${table}.${name} + excluded.${name}`)
      : names.filter((name) => !unchanged.includes(name)).map((name) => `${name} = excluded.${name}`)
  return ` on conflict (${on.join(', ')}) do update set ${sets.join(', ')}`
}
