/**
 * Makes the tables what `tables.ts` says, where the `citus` extension is installed; does nothing
 * elsewhere. Idempotent, and able to turn a database that already holds rows into a distributed
 * one: foreign keys come off first, tables are distributed colocated, then the keys go back.
 */
import type pg from 'pg'
import { type TableKind, tableKinds } from './tables.ts'

type ForeignKey = { table: string; name: string; definition: string }

export async function distribute(client: pg.PoolClient): Promise<void> {
  const citus = await client.query("select 1 from pg_extension where extname = 'citus'")
  if (citus.rowCount === 0) return
  const missing = await undistributedTables(client)
  if (missing.length === 0) return
  await client.query('begin')
  try {
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'")
    await client.query('set local citus.enable_local_reference_table_foreign_keys to off')
    const keys = await foreignKeysTouching(
      client,
      missing.map((table) => table.name),
    )
    for (const key of keys) await client.query(`alter table "${key.table}" drop constraint "${key.name}"`)
    for (const table of missing.filter((candidate) => candidate.kind === 'reference'))
      await client.query('select create_reference_table($1)', [table.name])
    for (const table of missing.filter((candidate) => candidate.kind === 'distributed'))
      await distributeTable(client, table.name)
    for (const table of missing.filter((candidate) => candidate.kind === 'managed'))
      await client.query('select citus_add_local_table_to_metadata($1)', [table.name])
    for (const key of keys)
      await client.query(`alter table "${key.table}" add constraint "${key.name}" ${key.definition}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** All distributed tables lie beside the first one, so that a tenant's rows share a shard. */
async function distributeTable(client: pg.PoolClient, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' order by 1 limit 1",
  )
  await client.query("select create_distributed_table($1, 'profile_id', colocate_with => $2)", [
    table,
    rows[0]?.name ?? 'default',
  ])
}

/** Reference and managed tables have no partition method; a reference table's rows are on every node, replicated in two phases (`t`). */
async function undistributedTables(client: pg.PoolClient): Promise<{ name: string; kind: TableKind }[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (
         select 1 from pg_dist_partition p where p.logicalrelid = c.oid
           and (p.partmethod <> 'n' or p.repmodel = 't' or c.relname = any($1)))`,
    [Object.keys(tableKinds).filter((table) => tableKinds[table] === 'managed')],
  )
  return rows
    .map((row) => ({ name: row.name, kind: tableKinds[row.name] ?? 'local' }))
    .filter((table) => table.kind !== 'local')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function foreignKeysTouching(client: pg.PoolClient, tables: string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0
       and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
     order by 1, 2`,
    [tables],
  )
  return rows
}
