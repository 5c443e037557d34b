/** Names of the shard tables, for every range of profiles. */
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { type TableKind, tableKinds } from '../tables.ts'
import type { ShardTables } from './address.ts'

type Place = { name: string; kind: 'shard' | 'copy' } | null
type Row = { table: string; shard: string; low: number | null }

export type TablesByPlace = {
  /** Tables of a profile range, by the id of its shard of `profile_locks`. */
  shards: ReadonlyMap<string, ShardTables>
  /** Non-tenant tables on a worker: copies. */
  worker: ShardTables
  /** The coordinator also has local tables. */
  coordinator: ShardTables
}

export async function listShardTables(db: Db): Promise<TablesByPlace> {
  const { rows } = await sql<Row>`
    select logicalrelid::regclass::text as table, shardid::text as shard, shardminvalue::integer as low
    from pg_dist_shard where logicalrelid::regclass::text = any(${Object.keys(tableKinds)}::text[])`.execute(
    db,
  )
  const copies: [string, Place][] = []
  const managed: [string, Place][] = []
  for (const { table, shard } of rows) {
    const copy = { name: `${table}_${shard}`, kind: 'copy' as const }
    if (tableKinds[table] === 'reference') copies.push([table, copy])
    if (tableKinds[table] === 'managed') managed.push([table, copy])
  }
  const distributed = rows.filter(({ table }) => tableKinds[table] === 'distributed')
  const shards = new Map<string, ShardTables>()
  for (const range of Map.groupBy(distributed, ({ low }) => low).values()) {
    const home = range.find(({ table }) => table === 'profile_locks')
    if (home === undefined) continue
    const shardTables = range.map(({ table, shard }): [string, Place] => [
      table,
      { name: `${table}_${shard}`, kind: 'shard' },
    ])
    shards.set(home.shard, new Map([...elsewhere('managed', 'local'), ...copies, ...shardTables]))
  }
  return {
    shards,
    worker: new Map([...elsewhere('distributed', 'managed', 'local'), ...copies]),
    coordinator: new Map([...elsewhere('distributed'), ...copies, ...managed]),
  }
}

function elsewhere(...kinds: TableKind[]): [string, Place][] {
  return Object.keys(tableKinds).flatMap((table) =>
    kinds.includes(tableKinds[table]!) ? [[table, null]] : [],
  )
}
