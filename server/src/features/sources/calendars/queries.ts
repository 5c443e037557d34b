import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isAlive } from '../../facts/identity/members.ts'

export type CalendarRow = {
  connection_id: string
  external_id: string
  name: string
  timezone: string | null
  is_primary: boolean
  is_managed: boolean
}

/** Ordered: calendars created through the API first. */
export async function listCalendarRows(
  db: Db | Tx,
  params: { profileId: string; connectionIds: readonly string[]; externalId?: string },
): Promise<CalendarRow[]> {
  const idFilter = params.externalId === undefined ? sql`` : sql`and external_id = ${params.externalId}`
  const { rows } = await sql<CalendarRow>`
    select connection_id, external_id, name, timezone, is_primary, is_managed from calendars
    where profile_id = ${params.profileId} and connection_id = any(${uuidList(params.connectionIds)}::uuid[]) ${idFilter}
    order by is_managed desc, is_primary desc, name, external_id`.execute(db)
  return rows
}

/** Customer ids by identifier id, without erased people. */
export async function findCustomers(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[] },
): Promise<Map<string, string>> {
  if (params.identifierIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select i.id, i.customer_id from identifiers i
    where i.profile_id = ${params.profileId} and i.id = any(${uuidList(params.identifierIds)}::uuid[])
      and ${isAlive(params.profileId, sql.ref('i.customer_id'))}`.execute(db)
  return new Map(rows.map((row) => [row.id, row.customer_id]))
}
