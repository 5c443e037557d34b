/** Counter tables of a profile: measures by day and other keys. Rows whose measures are all zero are deleted. */
import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import type { DB } from '../schema.ts'
import { bulkInsert, type MatchingColumn } from './insert.ts'

type Counters<T extends keyof DB, Row> = {
  keys: readonly MatchingColumn<T, Row>[]
  measures: readonly MatchingColumn<T, Row>[]
  /** Whether the delta may reduce a row to zero; then the rows of its day are checked. */
  mayVanish: (row: Row) => boolean
}

/** Adds each row, one per key, to what is stored. The caller holds the profile's lock. */
export async function applyDeltas<T extends keyof DB, Row extends { day: string }>(
  tx: Tx,
  { into, profileId, rows }: { into: T; profileId: string; rows: readonly Row[] },
  { keys, measures, mayVanish }: Counters<T, Row>,
): Promise<void> {
  await bulkInsert(tx, { into, profileId, rows }, [...keys, ...measures], {
    conflict: { on: ['profile_id' as MatchingColumn<T, Row>, ...keys], add: measures },
  })
  const days = new Set(rows.filter(mayVanish).map((row) => row.day))
  if (days.size === 0) return
  const isZero = sql.raw(measures.map((name) => `${name} = 0`).join(' and '))
  await sql`
    delete from ${sql.raw(into)}
    where profile_id = ${profileId} and day = any(${[...days]}::date[]) and ${isZero}`.execute(tx)
}
