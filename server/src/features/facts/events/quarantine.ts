/** Events that could not be processed. They remain stored but are not counted until a new version arrives. */
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { ensureAnchor } from '../../../platform/db/shard-anchor.ts'

export type QuarantineReason = 'processing_failed' | 'amount_too_large' | 'day_total_too_large'
export type SetAside = { eventId: string; reason: QuarantineReason; detail: string | null }

export async function setAside(
  tx: Tx,
  params: { profileId: string; events: readonly SetAside[]; now: Date },
): Promise<void> {
  const { profileId, events } = params
  if (events.length === 0) return
  await ensureAnchor(tx, profileId)
  await bulkInsert(
    tx,
    { into: 'event_quarantine', profileId, rows: events },
    { event_id: 'eventId', reason: 'reason', detail: 'detail', set_aside_at: () => params.now },
    { conflict: { on: ['profile_id', 'event_id'] } },
  )
}

/** Which of the events are set aside. */
export async function findSetAside(
  tx: Tx,
  params: { profileId: string; eventIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (params.eventIds.length === 0) return new Set()
  const { rows } = await sql<{ event_id: string }>`
    select event_id from event_quarantine
    where profile_id = ${params.profileId} and event_id = any(${uuidList(params.eventIds)}::uuid[])`.execute(
    tx,
  )
  return new Set(rows.map((row) => row.event_id))
}

/** Removes events from quarantine, so that they are processed again. Returns those that were set aside. */
export async function liftQuarantine(
  tx: Tx,
  params: { profileId: string; eventIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (params.eventIds.length === 0) return new Set()
  const { rows } = await sql<{ event_id: string }>`
    delete from event_quarantine
    where profile_id = ${params.profileId} and event_id = any(${uuidList(params.eventIds)}::uuid[])
    returning event_id`.execute(tx)
  return new Set(rows.map((row) => row.event_id))
}

export type QuarantinedRow = {
  event_id: string
  reason: QuarantineReason
  detail: string | null
  set_aside_at: Date
}

/** The number of quarantined events and the newest ones. */
export async function readQuarantine(
  db: Db | Tx,
  params: { profileId: string; limit: number },
): Promise<{ count: number; events: QuarantinedRow[] }> {
  const { rows: counts } = await sql<{ count: number }>`
    select count(*)::int as count from event_quarantine where profile_id = ${params.profileId}`.execute(db)
  const { rows: events } = await sql<QuarantinedRow>`
    select event_id, reason, detail, set_aside_at from event_quarantine
    where profile_id = ${params.profileId} order by set_aside_at desc, event_id limit ${params.limit}`.execute(
    db,
  )
  return { count: counts[0]?.count ?? 0, events }
}
