/** Readiness of the database: it responds, accepts writes, and has a schema that this code can run with. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { type AppliedMigration, newerMigrations } from './migrate.ts'

/** More than one page, so that the write needs new disk space. */
const FILLER_BYTES = 16 * 1024

export async function hasNewerSchema(db: Db): Promise<boolean> {
  const { rows } = await sql<AppliedMigration>`select name, runs_with from schema_migrations`.execute(db)
  return newerMigrations(rows).incompatible.length > 0
}

/** Throws the database's error if it accepts no writes: a full disk, a standby, a lost connection. */
export async function probeWrite(db: Db, now: Date): Promise<void> {
  const row = { probed_at: now, filler: randomBytes(FILLER_BYTES) }
  await db
    .insertInto('readiness_probe')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
