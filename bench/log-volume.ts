/** Bytes and full-page images that the database writes to its log, with the images by table and index. */
import type { OpenDatabase } from '@whence/server/platform/db/database.ts'

type Pool = OpenDatabase['pool']
export type LogVolume = { bytes: number; images: number; relations: { relation: string; images: number }[] }

export async function startLogClock(pool: Pool): Promise<() => Promise<LogVolume>> {
  const canInspect = await pool.query('create extension if not exists pg_walinspect').then(
    () => true,
    () => false,
  )
  const before = await readLog(pool)
  return async () => {
    const after = await readLog(pool)
    return {
      bytes: after.bytes - before.bytes,
      images: after.images - before.images,
      relations: canInspect ? await imagesByRelation(pool, before.place, after.place) : [],
    }
  }
}

async function readLog(pool: Pool) {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ place: string; bytes: number; images: number }>(
    `select pg_current_wal_insert_lsn()::text as place, (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes,
       wal_fpi::float8 as images from pg_stat_wal`,
  )
  return rows[0]!
}

/** Empty if a checkpoint has removed part of the log. */
async function imagesByRelation(pool: Pool, from: string, to: string): Promise<LogVolume['relations']> {
  const read = pool.query<{ relation: string; images: number }>(
    `select coalesce(pg_filenode_relation(0, relfilenode)::text, 'other') as relation, count(*)::int as images
     from pg_get_wal_block_info($1, $2, false) where block_fpi_length > 0
     group by 1 order by 2 desc limit 30`,
    [from, to],
  )
  return read.then(
    ({ rows }) => rows,
    () => [],
  )
}
