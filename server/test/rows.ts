/** Reads and fills every table of a test database, including future ones. */
import type pg from 'pg'
import { tableKinds } from '../src/platform/db/tables.ts'

/** Tables that every request writes, refused or not; excluded from the state that refusals must not change. */
const accounting = new Set([
  'rate_buckets',
  'api_usage',
  'session_activity',
  'schema_migrations',
  'refused_events',
  'jobs_heartbeats',
  'key_holders',
])

/** Refused changes of campaigns are audited on purpose. */
const audited = `(select * from audit_log where detail ->> 'outcome' is distinct from 'refused')`

/** Per table the number of rows and a hash over all of them. */
export async function stateOf(pool: pg.Pool): Promise<Record<string, string>> {
  const tables = Object.keys(tableKinds).filter((table) => !accounting.has(table))
  const parts = tables.map(
    (table) =>
      `select '${table}' as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as state from ${table === 'audit_log' ? audited : `"${table}"`} t`,
  )
  const { rows } = await pool.query<{ name: string; state: string }>(parts.join(' union all '))
  return Object.fromEntries(rows.map((row) => [row.name, row.state]))
}

type Column = { name: string; type: string; category: string; not_null: boolean }
type Check = { definition: string }

/**
 * Inserts a dummy row of the profile into every distributed table, and returns the ids. The owner never
 * reads these rows, so their content does not matter, only their profile.
 * With `id`, all rows have this id, except in tables that refuse it.
 */
export async function plantRows(
  pool: pg.Pool,
  profileId: string,
  id?: string,
): Promise<{ planted: Record<string, string>; refused: Record<string, string> }> {
  const planted: Record<string, string> = {}
  const refused: Record<string, string> = {}
  for (const table of await parentsFirst(pool)) {
    try {
      planted[table] = await plantRow(pool, table, profileId, id).catch(() =>
        plantRow(pool, table, profileId),
      )
    } catch (error) {
      refused[table] = error instanceof Error ? error.message : String(error)
    }
  }
  return { planted, refused }
}

async function parentsFirst(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ child: string; parent: string }>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
     where contype = 'f' and conparentid = 0 and conrelid <> confrelid`,
  )
  const order: string[] = []
  const visit = (table: string) => {
    if (order.includes(table) || tableKinds[table] !== 'distributed') return
    for (const row of rows) if (row.child === table) visit(row.parent)
    order.push(table)
  }
  for (const table of Object.keys(tableKinds)) visit(table)
  return order
}

async function plantRow(pool: pg.Pool, table: string, profileId: string, uuid?: string): Promise<string> {
  const { rows: columns } = await pool.query<Column>(
    `select a.attname as name, t.typname as type, t.typcategory as category, a.attnotnull as not_null
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`,
    [table],
  )
  const { rows: checks } = await pool.query<Check>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  )
  const { rows: keys } = await pool.query<{ column: string; parent: string; parent_column: string }>(
    `select a.attname as column, c.confrelid::regclass::text as parent, pa.attname as parent_column
     from pg_constraint c
     join lateral unnest(c.conkey, c.confkey) as k(own, other) on true
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
     join pg_attribute pa on pa.attrelid = c.confrelid and pa.attnum = k.other
     where c.conrelid = $1::regclass and c.contype = 'f'`,
    [table],
  )
  const used = columns.filter((column) => column.not_null || column.name === 'profile_id')
  const values: unknown[] = []
  for (const column of used) {
    const key = keys.find((candidate) => candidate.column === column.name)
    if (column.name === 'profile_id') values.push(profileId)
    else if (key !== undefined) {
      const parent = await pool.query(
        `select "${key.parent_column}" as value from "${key.parent}" ${tableKinds[key.parent] === 'distributed' ? 'where profile_id = $1' : 'where $1::uuid is not null'} limit 1`,
        [profileId],
      )
      values.push(parent.rows[0]?.value)
    } else values.push(madeUp(column, checks, uuid))
  }
  const names = used.map((column) => `"${column.name}"`).join(', ')
  const places = used.map((_, index) => `$${index + 1}`).join(', ')
  const { rows } = await pool.query(
    `insert into "${table}" (${names}) values (${places}) returning *`,
    values,
  )
  const row = rows[0] as Record<string, unknown>
  const id =
    row.id ??
    Object.entries(row).find(([name, value]) => name.endsWith('id') && name !== 'profile_id' && value)?.[1]
  return String(id ?? profileId)
}

function madeUp(column: Column, checks: readonly Check[], uuid?: string): unknown {
  const allowed = checks
    .filter((check) => new RegExp(`\\b${column.name}\\b`).test(check.definition))
    .flatMap((check) => [...check.definition.matchAll(/'([^']+)'::text/g)].map((match) => match[1]))
  if (column.category === 'A') return []
  switch (column.type) {
    case 'uuid':
      return uuid ?? crypto.randomUUID()
    case 'timestamptz':
      return new Date()
    case 'date':
      return '2026-01-15'
    case 'bool':
      return false
    case 'jsonb':
      return '{}'
    case 'bytea':
      return Buffer.from([0])
    case 'int2':
    case 'int4':
    case 'int8':
    case 'numeric':
    case 'float8':
      return 1
    default:
      return allowed[0] ?? `planted-${column.name}`
  }
}
