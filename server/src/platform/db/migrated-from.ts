import { sql } from 'kysely'
import { DAY_MS } from '../contract/dates.ts'
import type { Db } from './database.ts'

/** A database that was created within this time by one release had no process of an older one. */
const NEW_DATABASE_MS = 3_600_000

/**
 * From when on every process knows a migration. Processes of the release before may run for a while next to this one;
 * they are taken to have ended a day after it.
 */
export async function migrationActiveFrom(db: Db, migration: string): Promise<Date> {
  const { rows } = await sql<{ created: Date; migrated: Date | null }>`
    select min(applied_at) as created, max(applied_at) filter (where name = ${migration}) as migrated
    from schema_migrations`.execute(db)
  const { created, migrated } = rows[0]!
  if (migrated === null) return new Date(8.64e15)
  const isNew = migrated.getTime() - created.getTime() < NEW_DATABASE_MS
  return isNew ? created : new Date(migrated.getTime() + DAY_MS)
}
