/** What the database reads and runs in a while: pages of indexes and tables, from its memory or not, and statements. */
import type { OpenDatabase } from '@whence/server/platform/db/database.ts'

type Pool = OpenDatabase['pool']
type Pages = { relation: string; found: number; read: number }
export type PageReads = {
  /** Pages looked at, and those of them that were not in shared memory. */
  indexes: { pages: number; read: number }
  tables: { pages: number; read: number }
  /** Undefined where pg_stat_statements is not loaded. */
  statements: number | undefined
  /** The indexes with most pages. */
  most: Pages[]
}

export async function startPageClock(pool: Pool): Promise<() => Promise<PageReads>> {
  const counts = await pool.query('create extension if not exists pg_stat_statements').then(
    () => true,
    () => false,
  )
  const before = await readPages(pool)
  const statementsBefore = await countStatements(pool, counts)
  return async () => {
    const statements = await countStatements(pool, counts)
    const after = await readPages(pool)
    const difference = (kind: 'indexes' | 'tables') =>
      after[kind]
        .map((row) => {
          const old = before[kind].find(({ relation }) => relation === row.relation)
          return { ...row, found: row.found - (old?.found ?? 0), read: row.read - (old?.read ?? 0) }
        })
        .filter(({ found, read }) => found + read > 0)
        .sort((a, b) => b.found + b.read - a.found - a.read)
    const indexes = difference('indexes')
    return {
      indexes: sum(indexes),
      tables: sum(difference('tables')),
      statements:
        statements === undefined || statementsBefore === undefined
          ? undefined
          : statements - statementsBefore,
      most: indexes.slice(0, 8),
    }
  }
}

function sum(rows: readonly Pages[]): { pages: number; read: number } {
  return rows.reduce((all, { found, read }) => ({ pages: all.pages + found + read, read: all.read + read }), {
    pages: 0,
    read: 0,
  })
}

async function readPages(pool: Pool): Promise<{ indexes: Pages[]; tables: Pages[] }> {
  await pool.query('select pg_stat_force_next_flush()')
  // Other connections report a second after their last statement.
  await new Promise((wait) => setTimeout(wait, 1500))
  const indexes = await pool.query<Pages>(
    `select indexrelname as relation, sum(idx_blks_hit)::float8 as found, sum(idx_blks_read)::float8 as read
     from pg_statio_user_indexes group by 1`,
  )
  const tables = await pool.query<Pages>(
    `select relname as relation, sum(heap_blks_hit)::float8 as found, sum(heap_blks_read)::float8 as read
     from pg_statio_user_tables group by 1`,
  )
  return { indexes: indexes.rows, tables: tables.rows }
}

async function countStatements(pool: Pool, counts: boolean): Promise<number | undefined> {
  if (!counts) return undefined
  const read = pool.query<{ calls: number }>('select sum(calls)::float8 as calls from pg_stat_statements')
  return read.then(
    ({ rows }) => rows[0]!.calls,
    () => undefined,
  )
}
