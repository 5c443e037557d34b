/** Ledger queries of a run: queued rows, and their results. */
import { sql } from 'kysely'
import {
  bigints,
  booleans,
  byteas,
  jsonbs,
  texts,
  uuidList,
  uuids,
} from '../../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { AppliedConsent } from '../../../facts/consents/rules.ts'
import type { PreviouslySent, WaitingRow } from './rules.ts'

export async function listWaiting(
  db: Db | Tx,
  params: { profileId: string; destinationId: string; after: string | null; limit: number },
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select id, conversion_id as "conversionId", event_id as "eventId", goal_id as "goalId", adjustment_no as "adjustmentNo", adjustment,
      first_tried_at as "firstTriedAt", event_id_source as "eventIdSource"
    from conversion_exports
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId} and status = 'queued'
      ${params.after === null ? sql`` : sql`and id > ${params.after}::uuid`}
    order by id limit ${params.limit}`.execute(db)
  return rows
}

type SentRow = PreviouslySent & { conversionId: string }

/** The latest row that was sent for each conversion. */
export async function listPreviouslySent(
  db: Db | Tx,
  params: { profileId: string; destinationId: string; conversionIds: readonly string[] },
): Promise<Map<string, PreviouslySent>> {
  const { rows } = await sql<SentRow>`
    select distinct on (conversion_id) conversion_id as "conversionId", payload_hash as "payloadHash",
      event_name as "eventName", currency, event_id_source as "eventIdSource"
    from conversion_exports
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId}
      and conversion_id = any(${uuidList(params.conversionIds)}::uuid[]) and status = 'sent'
    order by conversion_id, adjustment_no desc`.execute(db)
  return new Map(rows.map((row) => [row.conversionId, row]))
}

/** Ids of rows whose conversion has an earlier row in the queue, which must be sent first. */
export async function listBlockedRows(
  db: Db | Tx,
  params: { profileId: string; destinationId: string; rows: readonly WaitingRow[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select k.id from unnest(${uuids(params.rows, (row) => row.id)}::uuid[],
      ${uuids(params.rows, (row) => row.conversionId)}::uuid[],
      ${bigints(params.rows, (row) => row.adjustmentNo)}::bigint[]) as k(id, conversion_id, adjustment_no)
    where exists (
      select 1 from conversion_exports x
      where x.profile_id = ${params.profileId} and x.destination_id = ${params.destinationId}
        and x.conversion_id = k.conversion_id and x.adjustment_no < k.adjustment_no and x.status = 'queued')`.execute(
    db,
  )
  return new Set(rows.map((row) => row.id))
}

/**
 * Restricts an update to rows that are still queued. A batch is a contiguous range of the queue, so its first and last id
 * bound the index scan. Without the bounds, the plan depends on statistics, in which the queue is usually empty, and the
 * whole queue was read for every batch (160 ms for 1,000 of 100,000 rows).
 */
function stillQueued(destinationId: string, ids: readonly string[]) {
  const [first, last] = [ids, ids].map((list, index) =>
    list.reduce((a, b) => ((index === 0 ? a < b : a > b) ? a : b)),
  )
  return sql`x.destination_id = ${destinationId} and x.status = 'queued'
    and x.id >= ${first}::uuid and x.id <= ${last}::uuid`
}

export type Sent = {
  id: string
  eventName: string
  eventIdSource: string
  payloadHash: Buffer
  valueMinor: number | null
  currency: string | null
  consent: AppliedConsent
}

export async function markSent(
  tx: Tx,
  params: {
    profileId: string
    destinationId: string
    runId: string
    requestId: string
    sent: readonly Sent[]
    triedAt: Date
    now: Date
  },
): Promise<number> {
  const { profileId, sent } = params
  if (sent.length === 0) return 0
  const ids = sent.map((row) => row.id)
  const { numAffectedRows = 0n } = await sql`
    update conversion_exports x set status = 'sent', settled_at = ${params.now}, reason = null, detail = null,
      run_id = ${params.runId}, request_id = ${params.requestId}, attempts = x.attempts + 1,
      first_tried_at = coalesce(x.first_tried_at, ${params.triedAt}::timestamptz), event_name = k.event_name,
      event_id_source = k.event_id_source, payload_hash = k.payload_hash, value_minor = k.value_minor, currency = k.currency, consent = k.consent
    from unnest(${uuids(sent, (row) => row.id)}::uuid[], ${texts(sent, (row) => row.eventName)}::text[],
      ${byteas(sent, (row) => row.payloadHash)}::bytea[], ${bigints(sent, (row) => row.valueMinor)}::bigint[],
      ${texts(sent, (row) => row.currency)}::text[], ${texts(sent, (row) => row.eventIdSource)}::text[],
      ${jsonbs(sent, (row) => row.consent)}::jsonb[])
      as k(id, event_name, payload_hash, value_minor, currency, event_id_source, consent)
    where x.profile_id = ${profileId} and x.id = k.id and ${stillQueued(params.destinationId, ids)}`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

export type Ended = {
  id: string
  status: 'failed' | 'skipped'
  reason: string
  detail: string | null
  /** True if the row was sent to the platform. */
  wasAttempted: boolean
  /** The consent that decided; null if another rule did. */
  consent: AppliedConsent | null
}

export async function endRows(
  tx: Tx,
  params: { profileId: string; destinationId: string; runId: string; ended: readonly Ended[]; now: Date },
): Promise<{ failed: number; skipped: number }> {
  const { profileId, ended } = params
  if (ended.length === 0) return { failed: 0, skipped: 0 }
  const ids = ended.map((row) => row.id)
  const { rows } = await sql<{ status: string }>`
    update conversion_exports x set status = k.status, reason = k.reason, detail = k.detail, consent = k.consent, run_id = ${params.runId},
      settled_at = ${params.now}, attempts = x.attempts + case when k.is_tried then 1 else 0 end
    from unnest(${uuids(ended, (row) => row.id)}::uuid[], ${texts(ended, (row) => row.status)}::text[],
      ${texts(ended, (row) => row.reason)}::text[], ${texts(ended, (row) => row.detail)}::text[],
      ${booleans(ended, (row) => row.wasAttempted)}::boolean[],
      ${jsonbs(ended, (row) => row.consent)}::jsonb[]) as k(id, status, reason, detail, is_tried, consent)
    where x.profile_id = ${profileId} and x.id = k.id and ${stillQueued(params.destinationId, ids)}
    returning x.status`.execute(tx)
  const failed = rows.filter((row) => row.status === 'failed').length
  return { failed, skipped: rows.length - failed }
}

/** Queued rows keep the id source with which they were queued, because the platform may already have received them. */
export async function freezeEventIdSource(
  tx: Tx,
  params: { profileId: string; destinationId: string; source: string },
): Promise<void> {
  await sql`
    update conversion_exports set event_id_source = ${params.source}
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId} and status = 'queued'
      and event_id_source is null`.execute(tx)
}

/** Returns rows to the queue. The platform may have received them, so the time of the first attempt is kept. */
export async function releaseRows(
  tx: Tx,
  params: { profileId: string; destinationId: string; ids: readonly string[]; reason: string; triedAt: Date },
): Promise<void> {
  if (params.ids.length === 0) return
  await sql`
    update conversion_exports x set reason = ${params.reason}, attempts = x.attempts + 1,
      first_tried_at = coalesce(x.first_tried_at, ${params.triedAt}::timestamptz)
    where x.profile_id = ${params.profileId} and x.id = any(${uuidList(params.ids)}::uuid[])
      and ${stillQueued(params.destinationId, params.ids)}`.execute(tx)
}
