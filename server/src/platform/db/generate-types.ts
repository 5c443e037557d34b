/** Generates the table types from the migrated database, so that queries cannot drift from the schema. */
import type pg from 'pg'

type Column = { table: string; name: string; type: string; nullable: boolean; has_default: boolean }

const LINE_WIDTH = 110

export async function generateTypes(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(
    `select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable,
            a.atthasdef or a.attidentity <> '' as has_default
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_type t on t.oid = a.atttypid
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
     order by c.relname, a.attname`,
  )
  const tables = [...Map.groupBy(rows, (row) => row.table)].map(([table, columns]) =>
    tableLines(table, columns),
  )
  return [
    '/** Generated from the migrated database by `npm run generate`. */',
    "import type { ColumnText, TableOf } from './column-types.ts'",
    '',
    '/** Columns with their types as PostgreSQL names them; the marks are explained in `column-types.ts`. */',
    'export const columnTypes = {',
    ...tables.flat(),
    '} as const satisfies Record<string, Record<string, ColumnText>>',
    '',
    'export type DB = { [Table in keyof typeof columnTypes]: TableOf<(typeof columnTypes)[Table]> }',
    '',
  ].join('\n')
}

function tableLines(table: string, columns: readonly Column[]): string[] {
  const fields = columns.map(
    ({ name, type, nullable, has_default }) =>
      `${name}: '${type}${nullable ? ' null' : ''}${has_default ? ' default' : ''}'`,
  )
  const line = `  ${table}: { ${fields.join(', ')} },`
  if (line.length <= LINE_WIDTH) return [line]
  const lines: string[] = []
  for (const field of fields) {
    const longer = `${lines.at(-1) ?? '   '} ${field},`
    if (lines.length === 0 || longer.length > LINE_WIDTH) lines.push(`    ${field},`)
    else lines[lines.length - 1] = longer
  }
  return [`  ${table}: {`, ...lines, '  },']
}
