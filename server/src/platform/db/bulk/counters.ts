/** Counter tables of a profile: measures by day and other keys. Rows that came to nothing are deleted. */
import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import type { DB } from '../schema.ts'
import { bulkInsert, type NamedAlike } from './insert.ts'

type Counters<T extends keyof DB, Row> = {
  keys: readonly NamedAlike<T, Row>[]
  measures: readonly NamedAlike<T, Row>[]
  /** Whether a row may have come to nothing by this; the rows of its day are looked at. */
  mayVanish: (row: Row) => boolean
}

/** Adds each row, one per key, to what is stored. The caller holds the profile's lock. */
export async function applyDeltas<T extends keyof DB, Row extends { day: string }>(
  tx: Tx,
  { into, profileId, rows }: { into: T; profileId: string; rows: readonly Row[] },
  { keys, measures, mayVanish }: Counters<T, Row>,
): Promise<void> {
  await bulkInsert(tx, { into, profileId, rows }, [...keys, ...measures], {
    conflict: { on: ['profile_id' as NamedAlike<T, Row>, ...keys], add: measures },
  })
  const days = new Set(rows.filter(mayVanish).map((row) => row.day))
  if (days.size === 0) return
  const isZero = sql.raw(measures.map((name) => `${name} = 0`).join(' and '))
  await sql`
    delete from ${sql.raw(into)}
    where profile_id = ${profileId} and day = any(${[...days]}::date[]) and ${isZero}`.execute(tx)
}
