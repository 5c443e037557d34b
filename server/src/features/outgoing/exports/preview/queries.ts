import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { WaitingRow } from '../run/rules.ts'

export type LedgerConversion = Pick<WaitingRow, 'conversionId' | 'eventId' | 'goalId' | 'adjustment'>

/** The ledger row of the original (not an adjustment) of each conversion at the destination, newest first. */
export async function listConversionsToShow(
  db: Db | Tx,
  params: { profileId: string; destinationId: string; conversionId: string | undefined; limit: number },
): Promise<LedgerConversion[]> {
  const { profileId, destinationId, conversionId } = params
  const { rows } = await sql<LedgerConversion>`
    select conversion_id as "conversionId", event_id as "eventId", goal_id as "goalId", adjustment
    from conversion_exports
    where profile_id = ${profileId} and destination_id = ${destinationId} and adjustment = 'none'
      ${conversionId === undefined ? sql`` : sql`and conversion_id = ${conversionId}::uuid`}
    order by id desc limit ${params.limit}`.execute(db)
  return rows
}
