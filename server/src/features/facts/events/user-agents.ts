/**
 * Browser data of website events, stored only for events that a destination exports: ad platforms require it for website
 * conversions. It is used for nothing else.
 */
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

export async function deleteUserAgents(tx: Tx, params: { profileId: string; eventIds: readonly string[] }) {
  if (params.eventIds.length === 0) return
  await sql`
    delete from event_agents
    where profile_id = ${params.profileId} and event_id = any(${uuidList(params.eventIds)}::uuid[])`.execute(
    tx,
  )
}

/** Deletes all browser data of a profile, or that stored before a time. */
export async function deleteOldUserAgents(db: Db | Tx, params: { profileId: string; before: Date | null }) {
  const { profileId, before } = params
  await sql`
    delete from event_agents
    where profile_id = ${profileId} ${before === null ? sql`` : sql`and kept_at < ${before}::timestamptz`}`.execute(
    db,
  )
}
