import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Waiting } from '../../../facts/events/freshness-rules.ts'
import { type Queued, queued, toWaiting } from './freshness.ts'

/** What a report depends on besides the request: equal states mean equal figures. */
export type ReportState = Waiting & {
  /** Change number: increases with every transaction that changes data read by reports. */
  number: string | null
  /** Small tables that are compared by content. */
  connections: string | null
  settings: string | null
}

export async function readReportState(db: Db | Tx, profileId: string): Promise<ReportState> {
  const { rows } = await sql<Omit<ReportState, keyof Waiting> & Queued>`
    select (select string_agg(number::text, ' ' order by holds_lock) from report_changes where profile_id = ${profileId}) as number,
      (select string_agg(concat_ws(' ', c.id, c.provider, c.status, y.last_success_at, c.display_name), ',' order by c.id)
        from connections c
        left join connection_syncs y on y.profile_id = ${profileId} and y.connection_id = c.id
        where c.profile_id = ${profileId}) as connections,
      (select s::text from attribution_settings s where s.profile_id = ${profileId}) as settings,
      ${queued(profileId)}`.execute(db)
  const { oldest_queued, recomputing, ...facts } = rows[0]!
  return { ...facts, ...(await toWaiting(db, profileId, { oldest_queued, recomputing })) }
}
