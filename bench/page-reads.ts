/** Pages of indexes and tables that the database reads, from shared memory or not, and statements that it runs. */
import type { OpenDatabase } from '@whence/server/platform/db/database.ts'

type Pool = OpenDatabase['pool']
/** Pages found in shared memory (`hits`) and pages read into it. */
type Pages = { relation: string; hits: number; read: number }
export type PageReads = {
  /** All pages accessed, and those of them that were not in shared memory. */
  indexes: { pages: number; read: number }
  tables: { pages: number; read: number }
  /** Undefined if pg_stat_statements is not loaded. */
  statements: number | undefined
  /** Indexes with the most page accesses. */
  most: Pages[]
}

export async function startPageClock(pool: Pool): Promise<() => Promise<PageReads>> {
  const hasStatements = await pool.query('create extension if not exists pg_stat_statements').then(
    () => true,
    () => false,
  )
  const before = await readPages(pool)
  const statementsBefore = await countStatements(pool, hasStatements)
  return async () => {
    const statements = await countStatements(pool, hasStatements)
    const after = await readPages(pool)
    const difference = (kind: 'indexes' | 'tables') =>
      after[kind]
        .map((row) => {
          const old = before[kind].find(({ relation }) => relation === row.relation)
          return { ...row, hits: row.hits - (old?.hits ?? 0), read: row.read - (old?.read ?? 0) }
        })
        .filter(({ hits, read }) => hits + read > 0)
        .sort((a, b) => b.hits + b.read - a.hits - a.read)
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
  return rows.reduce((all, { hits, read }) => ({ pages: all.pages + hits + read, read: all.read + read }), {
    pages: 0,
    read: 0,
  })
}

async function readPages(pool: Pool): Promise<{ indexes: Pages[]; tables: Pages[] }> {
  await pool.query('select pg_stat_force_next_flush()')
  // Other connections report their counters a second after their last statement.
  await new Promise((wait) => setTimeout(wait, 1500))
  const indexes = await pool.query<Pages>(
    `select indexrelname as relation, sum(idx_blks_hit)::float8 as hits, sum(idx_blks_read)::float8 as read
     from pg_statio_user_indexes group by 1`,
  )
  const tables = await pool.query<Pages>(
    `select relname as relation, sum(heap_blks_hit)::float8 as hits, sum(heap_blks_read)::float8 as read
     from pg_statio_user_tables group by 1`,
  )
  return { indexes: indexes.rows, tables: tables.rows }
}

async function countStatements(pool: Pool, hasStatements: boolean): Promise<number | undefined> {
  if (!hasStatements) return undefined
  const read = pool.query<{ calls: number }>('select sum(calls)::float8 as calls from pg_stat_statements')
  return read.then(
    ({ rows }) => rows[0]!.calls,
    () => undefined,
  )
}
