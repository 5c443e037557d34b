/**
 * Distributes tables as declared in `tables.ts` if the `citus` extension is installed; otherwise does nothing.
 * Idempotent: each table is a separate transaction, and dropped foreign keys are recorded until they are restored,
 * so that an interrupted run can resume.
 */
import type pg from 'pg'
import { type TableKind, tableKinds } from './tables.ts'

type ForeignKey = { table: string; name: string; definition: string }
/** `isCopied`: it is a reference table, but should be only on the coordinator. */
type Missing = { name: string; kind: TableKind; isCopied: boolean }

/** At startup the service distributes only empty tables; those with rows need the command. */
export class UndistributedDataError extends Error {
  override name = 'UndistributedDataError'
}

export async function isCitus(client: pg.ClientBase): Promise<boolean> {
  return (await client.query("select 1 from pg_extension where extname = 'citus'")).rowCount !== 0
}

/** Run at startup. */
export async function distributeNew(client: pg.ClientBase): Promise<void> {
  if (!(await isCitus(client))) return
  const isUnfinished = await isBeingDistributed(client)
  const filled = isUnfinished ? [] : await filledTables(client, await undistributedTables(client))
  if (isUnfinished || filled.length > 0)
    throw new UndistributedDataError(
      `The database has the citus extension and data that is not distributed${filled.length > 0 ? ` (${filled.slice(0, 3).join(', ')}…)` : ''}. Run npm run distribute once, with no other process of the service running.`,
    )
  await distribute(client)
}

/** Converts all tables whose distribution differs from the declaration, including their rows. Returns their number. */
export async function distribute(
  client: pg.ClientBase,
  onTable: (name: string, position: number, count: number) => void = () => {},
): Promise<number> {
  if (!(await isCitus(client))) return 0
  const missing = await undistributedTables(client)
  if (missing.length === 0 && !(await isBeingDistributed(client))) return 0
  await dropForeignKeys(client, missing)
  for (const [index, table] of missing.entries()) {
    onTable(table.name, index + 1, missing.length)
    await inTransaction(client, () => change(client, table))
    await truncateOldRows(client)
  }
  // Rows that an interrupted run had copied but not yet removed.
  await truncateOldRows(client)
  await restoreForeignKeys(client)
  return missing.length
}

async function change(client: pg.ClientBase, { name, kind, isCopied }: Missing): Promise<void> {
  if (isCopied) await client.query('select undistribute_table($1)', [name])
  switch (kind) {
    case 'reference':
      await client.query('select create_reference_table($1)', [name])
      return
    case 'managed':
      await client.query('select citus_add_local_table_to_metadata($1)', [name])
      return
    case 'distributed':
      await distributeTable(client, name)
      return
    case 'local':
  }
}

async function inTransaction(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'")
    await client.query('set local citus.enable_local_reference_table_foreign_keys to off')
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Removes the old rows from the coordinator's files, where erasures would not find them. */
async function truncateOldRows(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_dist_partition p on p.logicalrelid = coalesce(pg_partition_root(c.oid), c.oid)
     where n.nspname = 'public' and c.relkind = 'r' and (p.partmethod = 'h' or p.repmodel = 't')
       and pg_relation_size(c.oid) > 0`,
  )
  for (const { name } of rows)
    await client.query('select truncate_local_data_after_distributing_table($1)', [name])
}

/** Distributed tables are colocated with the first one, so that a tenant's rows share a shard. */
async function distributeTable(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' order by 1 limit 1",
  )
  await client.query("select create_distributed_table($1, 'profile_id', colocate_with => $2)", [
    table,
    rows[0]?.name ?? 'default',
  ])
}

/**
 * Reference tables first, because distributed ones may have foreign keys to them. `repmodel` `t` (two-phase commit)
 * marks reference tables.
 */
async function undistributedTables(client: pg.ClientBase): Promise<Missing[]> {
  const { rows } = await client.query<{ name: string; is_copied: boolean }>(
    `select c.relname as name, coalesce(p.repmodel = 't', false) as is_copied
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     left join pg_dist_partition p on p.logicalrelid = c.oid
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and case when c.relname = any($1) then p.logicalrelid is null or p.repmodel = 't'
         else p.logicalrelid is null or p.partmethod = 'n' and p.repmodel <> 't' end`,
    [Object.keys(tableKinds).filter((table) => tableKinds[table] === 'managed')],
  )
  const order: readonly TableKind[] = ['reference', 'managed', 'distributed']
  return rows
    .map((row) => ({ name: row.name, kind: tableKinds[row.name] ?? 'local', isCopied: row.is_copied }))
    .filter((table) => table.kind !== 'local')
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.name < b.name ? -1 : 1))
}

async function filledTables(client: pg.ClientBase, tables: readonly Missing[]): Promise<string[]> {
  const filled: string[] = []
  for (const { name, kind, isCopied } of tables) {
    if (kind === 'managed' && !isCopied) continue
    const { rowCount } = await client.query(`select 1 from "${name}" limit 1`)
    if (rowCount !== 0) filled.push(name)
  }
  return filled
}

/** Not in `public`, because it exists only while tables are being distributed. */
const RECORD = 'distribution.foreign_keys'

/** Whether a run is in progress or was interrupted. */
export async function isBeingDistributed(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>('select to_regclass($1) as found', [RECORD])
  return rows[0]?.found !== null
}

async function dropForeignKeys(client: pg.ClientBase, missing: readonly Missing[]): Promise<void> {
  const names = missing.map((table) => table.name)
  await inTransaction(client, async () => {
    await client.query('create schema if not exists distribution')
    await client.query(
      `create table if not exists ${RECORD} ("table" text, name text, definition text, primary key ("table", name))`,
    )
    for (const key of await foreignKeysTouching(client, names)) {
      await client.query(`insert into ${RECORD} values ($1, $2, $3) on conflict do nothing`, [
        key.table,
        key.name,
        key.definition,
      ])
      await client.query(`alter table "${key.table}" drop constraint "${key.name}"`)
    }
  })
}

async function restoreForeignKeys(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<ForeignKey>(
    `select "table", name, definition from ${RECORD} order by 1, 2`,
  )
  for (const key of rows)
    await inTransaction(client, async () => {
      await client.query(`alter table "${key.table}" add constraint "${key.name}" ${key.definition}`)
      await client.query(`delete from ${RECORD} where "table" = $1 and name = $2`, [key.table, key.name])
    })
  await client.query(`drop table ${RECORD}`)
  await client.query('drop schema distribution')
}

async function foreignKeysTouching(client: pg.ClientBase, tables: string[]): Promise<ForeignKey[]> {
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
