/** Statements on the rows of a person, built from the list. */
import { type RawBuilder, sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { typeName } from '../../../platform/db/column-types.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { columnTypes } from '../../../platform/db/schema.ts'
import type { PersonKeys, PersonTable } from './entry.ts'
import { personTables } from './list.ts'

export function typeOf(table: string, column: string): string {
  return typeName((columnTypes as Record<string, Record<string, string>>)[table]![column]!)
}

function matches(table: string, column: string, ids: readonly string[]): RawBuilder<boolean> {
  const name = sql.ref(`t.${column}`)
  const type = typeOf(table, column)
  if (type === 'text') return sql`${name} = any(${[...ids]}::text[])`
  if (type === '_uuid') return sql`${name} && ${uuidList(ids)}::uuid[]`
  return sql`${name} = any(${uuidList(ids)}::uuid[])`
}

/** SQL condition on `t`: the row belongs to one of the keys. Undefined if no key leads to the table. */
export function belongsTo(entry: PersonTable, keys: PersonKeys): RawBuilder<boolean> | undefined {
  const conditions = Object.entries(entry.findBy).flatMap(([column, find]) => {
    const { key, where = null } = typeof find === 'string' ? { key: find } : find
    const ids = keys[key] ?? []
    if (ids.length === 0) return []
    const match = matches(entry.table, column, ids)
    return [where === null ? match : sql<boolean>`(${sql.raw(where)} and ${match})`]
  })
  return conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/** Deletes or clears the rows of these keys, in every table whose rows need nothing else. */
export async function eraseRows(tx: Tx, profileId: string, keys: PersonKeys): Promise<void> {
  for (const entry of personTables) {
    const { erase, table } = entry
    const condition = belongsTo(entry, keys)
    if (condition === undefined) continue
    if (erase === 'delete')
      await sql`delete from ${sql.table(table)} t where t.profile_id = ${profileId} and ${condition}`.execute(
        tx,
      )
    else if (typeof erase === 'object' && 'clear' in erase) {
      const values = Object.entries(erase.clear).map(
        ([column, value]) => sql`${sql.ref(column)} = ${value}::${sql.raw(typeOf(table, column))}`,
      )
      await sql`
        update ${sql.table(table)} t set ${sql.join(values)}
        where t.profile_id = ${profileId} and ${condition}`.execute(tx)
    }
  }
}

/** Tables with rows of these keys. After an erasure there are none. */
export async function tablesWith(db: Db | Tx, profileId: string, keys: PersonKeys): Promise<string[]> {
  const found: string[] = []
  for (const entry of personTables) {
    const condition = belongsTo(entry, keys)
    if (condition === undefined) continue
    const { rows } = await sql`
      select 1 from ${sql.table(entry.table)} t where t.profile_id = ${profileId} and ${condition} limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(entry.table)
  }
  return found
}
