/** Types of database handles. */
import type { Kysely, Transaction } from 'kysely'
import type pg from 'pg'
import type { DB } from './schema.ts'
import type { Ahead } from './statement.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>

/** The client interface that Kysely uses. */
export type NamedClient = {
  query(text: string, parameters: unknown[], ahead?: readonly Ahead[]): Promise<pg.QueryResult>
  /** Kysely always passes a value: true after a failed rollback, otherwise false, also if BEGIN failed. */
  release(error?: Error | boolean): void
}
