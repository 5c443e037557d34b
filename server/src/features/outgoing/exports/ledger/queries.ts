import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { AppliedConsent } from '../../../facts/consents/rules.ts'
import { providerStatusOf } from '../destinations/queries.ts'
import type { ExportLedgerRow, ExportRun } from './contract.ts'

export type RunRow = Omit<ExportRun, 'started_at' | 'finished_at'> & {
  started_at: Date
  finished_at: Date | null
}

export async function listRuns(
  db: Db | Tx,
  params: {
    profileId: string
    id?: string
    destinationId?: string | undefined
    status?: string | undefined
    before: string | null
    limit: number
  },
): Promise<RunRow[]> {
  const { profileId, id, destinationId, status, before } = params
  const { rows } = await sql<RunRow>`
    select r.id as run_id, r.destination_id, r.status, r.sent, r.failed, r.skipped, r.reason, r.started_at, r.finished_at,
      ${providerStatusOf(profileId, sql.ref('r.id'))} as provider_status,
      (select count(*) from export_requests q where q.profile_id = ${profileId} and q.run_id = r.id) as requests,
      coalesce((
        select json_agg(json_build_object('reason', failures.reason, 'count', failures.count) order by failures.count desc, failures.reason)
        from (
          select entry->>'reason' as reason, sum((entry->>'count')::bigint) as count
          from export_requests q cross join lateral jsonb_array_elements(q.counts) as entry
          where q.profile_id = ${profileId} and q.run_id = r.id group by 1) as failures), '[]'::json) as diagnostics
    from export_runs r
    where r.profile_id = ${profileId}
      ${id === undefined ? sql`` : sql`and r.id = ${id}`}
      ${destinationId === undefined ? sql`` : sql`and r.destination_id = ${destinationId}`}
      ${status === undefined ? sql`` : sql`and r.status = ${status}`}
      ${before === null ? sql`` : sql`and r.id < ${before}::uuid`}
    order by r.id desc limit ${params.limit}`.execute(db)
  return rows
}

export type LedgerListRow = Omit<
  ExportLedgerRow,
  'queued_at' | 'sent_at' | 'payload_hash' | 'event_key' | 'value' | 'consent'
> & {
  queued_at: Date
  sent_at: Date | null
  payload_hash: Buffer | null
  value_minor: number | null
  consent: (Omit<AppliedConsent, 'stated_at'> & { stated_at: string | null }) | null
}

/** The platform reports counts per reason, not per conversion. The reason is certain if a whole request failed for one reason. */
const onlyReasonOfRequest = sql`case when q.status = 'failed' then (
  select min(entry->>'reason') from jsonb_array_elements(q.counts) as entry
  where entry->>'reason' not like 'warning: %' having count(*) = 1) end`

export async function listLedger(
  db: Db | Tx,
  params: {
    profileId: string
    destinationId?: string | undefined
    conversionId?: string | undefined
    runId?: string | undefined
    status?: string | undefined
    before: string | null
    limit: number
  },
): Promise<LedgerListRow[]> {
  const { profileId, destinationId, conversionId, runId, status, before } = params
  const { rows } = await sql<LedgerListRow>`
    select x.id, x.conversion_id, x.destination_id, x.run_id, x.event_name, x.status, x.detail as message,
      coalesce(x.reason, ${onlyReasonOfRequest}) as reason,
      x.attempts, x.payload_hash, x.value_minor, x.currency, q.provider_request_id, q.status as provider_status,
      x.adjustment, x.adjustment_no, x.consent, x.created_at as queued_at,
      case when x.status = 'sent' then x.settled_at end as sent_at
    from conversion_exports x
    left join export_requests q on q.profile_id = ${profileId} and q.id = x.request_id
    where x.profile_id = ${profileId}
      ${destinationId === undefined ? sql`` : sql`and x.destination_id = ${destinationId}`}
      ${conversionId === undefined ? sql`` : sql`and x.conversion_id = ${conversionId}`}
      ${runId === undefined ? sql`` : sql`and x.run_id = ${runId}`}
      ${status === undefined ? sql`` : sql`and x.status = ${status}`}
      ${before === null ? sql`` : sql`and x.id < ${before}::uuid`}
    order by x.id desc limit ${params.limit}`.execute(db)
  return rows
}
