import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { EventType } from './event-types.ts'

/** Includes paused and failed subscriptions, which can recover missed events later. */
export async function hasSubscription(tx: Tx, profileId: string, type: EventType): Promise<boolean> {
  const { rows } = await sql`
    select 1 from webhook_subscriptions
    where profile_id = ${profileId}
      and deleted_at is null and ${type}::text = any(events) limit 1`.execute(tx)
  return rows.length > 0
}
