/** The ledger while conversions are on their way: what waits, what is being tried, and what came of it. */
import { sql } from 'kysely'
import { bigints, byteas, texts, uuidList, uuids } from '../../../db/bulk/columns.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { SentBefore, WaitingRow } from './rules.ts'

export async function listWaiting(
  db: Db | Tx,
  params: { profileId: string; destinationId: string; after: string | null; limit: number },
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select id, conversion_id as "conversionId", event_id as "eventId", goal_id as "goalId", adjustment_no as "adjustmentNo", adjustment,
      first_tried_at as "firstTriedAt"
    from conversion_exports
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId} and status = 'queued'
      ${params.after === null ? sql`` : sql`and id > ${params.after}::uuid`}
    order by id limit ${params.limit}`.execute(db)
  return rows
}

type SentRow = SentBefore & { conversionId: string }

/** The last thing that the destination was told of each conversion. */
export async function listSentBefore(
  db: Db | Tx,
  params: { profileId: string; destinationId: string; conversionIds: readonly string[] },
): Promise<Map<string, SentBefore>> {
  const { rows } = await sql<SentRow>`
    select distinct on (conversion_id) conversion_id as "conversionId", payload_hash as "payloadHash",
      event_name as "eventName", currency
    from conversion_exports
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId}
      and conversion_id = any(${uuidList(params.conversionIds)}::uuid[]) and status = 'sent'
    order by conversion_id, adjustment_no desc`.execute(db)
  return new Map(rows.map((row) => [row.conversionId, row]))
}

export type Claim = {
  id: string
  eventName: string
  payloadHash: Buffer
  valueMinor: number | null
  currency: string | null
}

/** From here on nobody knows what the platform has received, until the try is settled. */
export async function claimRows(
  tx: Tx,
  params: { profileId: string; claimId: string; runId: string; claims: readonly Claim[]; now: Date },
): Promise<void> {
  const { profileId, claims } = params
  if (claims.length === 0) return
  await sql`
    update conversion_exports x set claim_id = ${params.claimId}, run_id = ${params.runId}, attempts = x.attempts + 1,
      first_tried_at = coalesce(x.first_tried_at, ${params.now}::timestamptz), event_name = k.event_name,
      payload_hash = k.payload_hash, value_minor = k.value_minor, currency = k.currency
    from unnest(${uuids(claims, (row) => row.id)}::uuid[], ${texts(claims, (row) => row.eventName)}::text[],
      ${byteas(claims, (row) => row.payloadHash)}::bytea[], ${bigints(claims, (row) => row.valueMinor)}::bigint[],
      ${texts(claims, (row) => row.currency)}::text[]) as k(id, event_name, payload_hash, value_minor, currency)
    where x.profile_id = ${profileId} and x.id = k.id and x.status = 'queued'`.execute(tx)
}

export type Ended = { id: string; status: 'failed' | 'skipped'; reason: string; detail: string | null }

/** Rows that end without having been tried now. */
export async function endRows(
  tx: Tx,
  params: { profileId: string; runId: string; ended: readonly Ended[]; claimId: string | null; now: Date },
): Promise<number> {
  const { profileId, ended, claimId } = params
  if (ended.length === 0) return 0
  const { rows } = await sql`
    update conversion_exports x set status = k.status, reason = k.reason, detail = k.detail, run_id = ${params.runId},
      settled_at = ${params.now}, claim_id = null
    from unnest(${uuids(ended, (row) => row.id)}::uuid[], ${texts(ended, (row) => row.status)}::text[],
      ${texts(ended, (row) => row.reason)}::text[], ${texts(ended, (row) => row.detail)}::text[])
      as k(id, status, reason, detail)
    where x.profile_id = ${profileId} and x.id = k.id and x.status = 'queued'
      ${claimId === null ? sql`` : sql`and x.claim_id = ${claimId}`}
    returning x.id`.execute(tx)
  return rows.length
}

/** A try that another has taken over changes nothing. Returns how many it held. */
export async function markSent(
  tx: Tx,
  params: {
    profileId: string
    claimId: string
    requestId: string | null
    ids: readonly string[]
    now: Date
  },
): Promise<number> {
  if (params.ids.length === 0) return 0
  const { rows } = await sql`
    update conversion_exports set status = 'sent', settled_at = ${params.now}, claim_id = null, reason = null,
      detail = null, request_id = ${params.requestId}
    where profile_id = ${params.profileId} and id = any(${uuidList(params.ids)}::uuid[]) and claim_id = ${params.claimId}
    returning id`.execute(tx)
  return rows.length
}

/** They wait again. What the platform may have received of them is still unknown, so the time of the first try stays. */
export async function releaseRows(
  tx: Tx,
  params: { profileId: string; claimId: string; ids: readonly string[]; reason: string },
): Promise<void> {
  if (params.ids.length === 0) return
  await sql`
    update conversion_exports set claim_id = null, reason = ${params.reason}
    where profile_id = ${params.profileId} and id = any(${uuidList(params.ids)}::uuid[]) and claim_id = ${params.claimId}`.execute(
    tx,
  )
}
