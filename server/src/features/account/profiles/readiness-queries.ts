import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { hasCredit } from '../../figures/rollups/raw-rows.ts'

export type EvidenceRow = {
  tracker_event: boolean
  spend: boolean
  outcome_event: boolean
  touch: boolean
  conversion: boolean
  credit: boolean
}

/** A separate query, because credentials are on the coordinator of a distributed database. */
export async function isTrackerKeyIssued(db: Db | Tx, params: { profileId: string }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from credentials where profile_id = ${params.profileId} and kind = 'tracking_key'
      and revoked_at is null limit 1`.execute(db)
  return rows.length > 0
}

/** Only the newest rows are searched, so that the query is as fast for millions of events as for a new profile. */
const MAX_ROWS_SEARCHED = 2000

/** Existence checks, each served by the first rows of an index. */
export async function findEvidence(db: Db | Tx, params: { profileId: string }): Promise<EvidenceRow> {
  const { profileId } = params
  const { rows } = await sql<EvidenceRow>`
    select
      exists (select 1 from (select e.source from events e where e.profile_id = ${profileId}
        order by e.occurred_at desc limit ${MAX_ROWS_SEARCHED}) as recent where recent.source = 'tracker') as tracker_event,
      exists (select 1 from ad_delivery d where d.profile_id = ${profileId}) as spend,
      exists (select 1 from (select c.event_id, c.occurred_at from conversions c where c.profile_id = ${profileId}
          order by c.recorded_at desc limit ${MAX_ROWS_SEARCHED}) as recent
        join events e on e.profile_id = ${profileId} and e.id = recent.event_id
          and e.occurred_at = recent.occurred_at
        where e.source in ('api', 'import')) as outcome_event,
      exists (select 1 from touches t where t.profile_id = ${profileId}) as touch,
      exists (select 1 from conversions c where c.profile_id = ${profileId}) as conversion,
      ${hasCredit(profileId)} as credit`.execute(db)
  return rows[0]!
}

/** Stored credits of the newest outcomes. */
export async function listNewestCredits(db: Db | Tx, params: { profileId: string }): Promise<Buffer[]> {
  const { profileId } = params
  const { rows } = await sql<{ packed: Buffer }>`
    select k.packed from (select c.id from conversions c where c.profile_id = ${profileId}
      order by c.recorded_at desc limit ${MAX_ROWS_SEARCHED}) as recent
    join credits k on k.profile_id = ${profileId} and k.conversion_id = recent.id`.execute(db)
  return rows.map(({ packed }) => packed)
}

export async function listConnectionStates(db: Db | Tx, params: { profileId: string }) {
  return rowsWhere(db, 'connections', { profile_id: params.profileId }).list({
    columns: ['provider', 'status'],
    orderBy: ['created_at'],
  })
}
