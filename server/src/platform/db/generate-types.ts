/** Writes the Kysely types of the migrated database, so that a query cannot drift from the schema. */
import type pg from 'pg'

type Column = { table: string; name: string; type: string; nullable: boolean; has_default: boolean }

const scalar: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'Json',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Timestamp',
  uuid: 'string',
}

function typeOf(column: Column): string {
  const isArray = column.type.startsWith('_')
  const base = scalar[isArray ? column.type.slice(1) : column.type]
  if (base === undefined)
    throw new Error(`No TypeScript type for ${column.table}.${column.name} (${column.type})`)
  const type = isArray ? `${base}[]` : base
  const nullable = column.nullable ? `${type} | null` : type
  return column.has_default ? `Generated<${nullable}>` : nullable
}

export async function generateTypes(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(
    `select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable,
            a.atthasdef or a.attidentity <> '' as has_default
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_type t on t.oid = a.atttypid
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attname`,
  )
  const tables = Map.groupBy(rows, (row) => row.table)
  const interfaces = [...tables].map(
    ([table, columns]) =>
      `export interface ${pascal(table)}Table {\n${columns.map((column) => `  ${column.name}: ${typeOf(column)}`).join('\n')}\n}`,
  )
  const types = [...tables].map(
    ([table, columns]) =>
      `  ${table}: { ${columns.map((column) => `${column.name}: '${column.type}'`).join(', ')} },`,
  )
  return [
    '/** Generated from the migrated database by `npm run generate`. */',
    "import type { ColumnType } from 'kysely'",
    '',
    'export type Generated<T> =',
    '  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>',
    'export type Json = ColumnType<unknown, string, string>',
    'export type Timestamp = ColumnType<Date, Date | string, Date | string>',
    '',
    interfaces.join('\n\n'),
    '',
    `export interface DB {\n${[...tables.keys()].map((table) => `  ${table}: ${pascal(table)}Table`).join('\n')}\n}`,
    '',
    '/** As PostgreSQL names them; `_` before a name: an array of it. */',
    'export const columnTypes: { [Table in keyof DB]: Record<keyof DB[Table], string> } = {',
    ...types,
    '}',
    '',
  ].join('\n')
}

function pascal(name: string): string {
  return name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}
