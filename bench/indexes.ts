import type { Connection } from '@whence/server/platform/db/database.ts'

/**
 * Drops keys and indexes of the tables while they are filled and creates them again: building them once is much cheaper
 * than maintaining them row by row.
 */
export async function withoutIndexes(
  client: Connection['client'],
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows: keys } = await client.query<{ tableName: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "tableName", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype in ('p', 'u') and conrelid = any($1::regclass[])`,
    [tables],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename = any($1) and indexname <> all($2)`,
    [tables, keys.map((key) => key.name)],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const { tableName, name } of keys)
    await client.query(`alter table ${tableName} drop constraint ${name}`)
  await fill()
  await client.query(`set local maintenance_work_mem = '512MB'`)
  for (const { tableName, name, definition } of keys)
    await client.query(`alter table ${tableName} add constraint ${name} ${definition}`)
  for (const { definition } of indexes) await client.query(definition)
}
