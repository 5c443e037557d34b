import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

export type Size = { conversions: number; identifiers: number; touches: number }

/** Whether there are duplicate or unconfirmed sales, which could replace a sale whose goal is excluded. */
export async function hasDuplicateSales(db: Db, profileId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from conversions where profile_id = ${profileId} and (duplicate_of is not null or unconfirmed)
    limit 1`.execute(db)
  return rows.length > 0
}

/** Stops counting at one above each limit. */
export async function sizeOf(db: Db, profileId: string, limits: Size): Promise<Size> {
  const upTo = (table: keyof Size): RawBuilder<unknown> => sql`
    (select count(*) from (select 1 from ${sql.table(table)} where profile_id = ${profileId}
      limit ${limits[table] + 1}) counted) as ${sql.ref(table)}`
  const { rows } = await sql<Size>`
    select ${upTo('conversions')}, ${upTo('identifiers')}, ${upTo('touches')}`.execute(db)
  return rows[0]!
}
