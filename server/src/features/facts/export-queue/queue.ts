/**
 * Adds conversions to the export ledger in the transaction that creates or changes them, so that a conversion is queued
 * for export if and only if it exists. One statement per batch. The caller holds the profile's lock.
 */
import { sql } from 'kysely'
import { exportRules } from '../../../connectors/export-rules.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueueMany } from '../../../platform/jobs/enqueue.ts'
import { type ExportPolicy, loadExportPolicy } from './policy.ts'
import {
  type CurrentValue,
  decideAdjustment,
  entryOf,
  exportDecision,
  isOfSource,
  isTooOld,
  type LedgerState,
  type QueueDestination,
} from './rules.ts'
import { sendExports } from './send-job.ts'

export type QueuedConversion = {
  id: string
  eventId: string
  goalId: string
  occurredAt: Date
  recordedAt: Date
  provider: string | null
  duplicateOf: string | null
  unconfirmed: boolean
}

type NewRow = {
  destinationId: string
  conversionId: string
  eventId: string
  goalId: string | null
  status: 'queued' | 'skipped'
  reason: string | null
  eventName: string | null
  adjustmentNo: number
  adjustment: LedgerState['adjustment']
  valueMinor: number | null
  currency: string | null
}

/** Queues the conversions that a batch of events wrote. `hasUpdates`: some of them may have existed before. */
export async function queueConversions(
  tx: Tx,
  profileId: string,
  batch: { conversions: readonly QueuedConversion[]; deletedIds: readonly string[]; hasUpdates: boolean },
  now: Date,
): Promise<void> {
  if (batch.conversions.length + batch.deletedIds.length === 0) return
  const policy = await loadExportPolicy(tx, profileId)
  if (policy.destinations.length === 0) return
  const ledgerKeys = batch.hasUpdates
    ? await adjust(tx, policy, profileId, [...batch.conversions.map((row) => row.id), ...batch.deletedIds], {
        isPersonChanged: false,
        now,
      })
    : new Set<string>()
  const fresh = batch.conversions.filter((row) => row.duplicateOf === null && !row.unconfirmed)
  const rows = policy.destinations.flatMap((destination) =>
    destination.enabled
      ? fresh.flatMap((row) =>
          ledgerKeys.has(`${destination.id} ${row.id}`) ? [] : newRow(policy, destination, row, now),
        )
      : [],
  )
  await insertRows(tx, profileId, rows, now)
}

/** Simultaneous events of one request have receipts a millisecond apart, before the real time (`inRequestOrder`). */
const RECEIPT_SPREAD_MS = 1000

function newRow(
  policy: ExportPolicy,
  destination: QueueDestination,
  row: QueuedConversion,
  now: Date,
): NewRow[] {
  const conversionKey = policy.keys.get(row.goalId)
  const isEarlier = row.recordedAt.getTime() < destination.enabledAt - RECEIPT_SPREAD_MS
  if (conversionKey === undefined || isEarlier) return []
  if (!isOfSource(destination.dataSource, row.provider)) return []
  const decision = exportDecision(policy, destination, { id: row.goalId, conversionKey })
  if (!decision.leaves && decision.silent) return []
  // The first sync of a connection has conversions of a year.
  const isOld = isTooOld(row.occurredAt, exportRules[destination.kind].maxAgeDays, now)
  const reason = decision.leaves ? (isOld ? 'too_old' : null) : decision.reason
  return [
    {
      destinationId: destination.id,
      conversionId: row.id,
      eventId: row.eventId,
      goalId: row.goalId,
      status: reason === null ? 'queued' : 'skipped',
      reason,
      eventName: decision.leaves ? decision.eventName : null,
      adjustmentNo: 0,
      adjustment: 'none',
      valueMinor: null,
      currency: null,
    },
  ]
}

/** Queues adjustments after refunds or other changes of value of these events. */
export async function queueChangedValues(tx: Tx, profileId: string, eventIds: readonly string[], now: Date) {
  const { rows } = await sql<{ conversion_id: string }>`
    select distinct conversion_id from conversion_exports
    where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])`.execute(tx)
  await queueAdjustments(
    tx,
    profileId,
    rows.map((row) => row.conversion_id),
    { isPersonChanged: false, now },
  )
}

/** Queues adjustments after these customers were merged or split: sent conversions now belong to another person. */
export async function queueChangedPeople(
  tx: Tx,
  profileId: string,
  customerIds: readonly string[],
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ conversion_id: string }>`
    select distinct x.conversion_id from identifiers i
    join conversions c on c.profile_id = ${profileId} and c.identifier_id = i.id
    join conversion_exports x on x.profile_id = ${profileId} and x.event_id = c.event_id and x.conversion_id = c.id
    where i.profile_id = ${profileId} and i.customer_id = any(${uuidList(customerIds)}::uuid[])`.execute(tx)
  await queueAdjustments(
    tx,
    profileId,
    rows.map((row) => row.conversion_id),
    { isPersonChanged: true, now },
  )
}

async function queueAdjustments(
  tx: Tx,
  profileId: string,
  conversionIds: readonly string[],
  change: { isPersonChanged: boolean; now: Date },
): Promise<void> {
  if (conversionIds.length === 0) return
  await adjust(tx, await loadExportPolicy(tx, profileId), profileId, conversionIds, change)
}

type LedgerRow = LedgerState & {
  id: string
  destinationId: string
  conversionId: string
  eventId: string
  goalId: string | null
}

/** Returns the (destination, conversion) pairs that are in the ledger. */
async function adjust(
  tx: Tx,
  policy: ExportPolicy,
  profileId: string,
  conversionIds: readonly string[],
  change: { isPersonChanged: boolean; now: Date },
): Promise<Set<string>> {
  const { rows } = await sql<LedgerRow>`
    select id, destination_id as "destinationId", conversion_id as "conversionId", event_id as "eventId", goal_id as "goalId",
      adjustment_no as "adjustmentNo", adjustment, status, attempts, value_minor as "valueMinor", currency
    from conversion_exports
    where profile_id = ${profileId} and destination_id = any(${uuidList(policy.destinations.map((destination) => destination.id))}::uuid[])
      and conversion_id = any(${uuidList(conversionIds)}::uuid[])`.execute(tx)
  if (rows.length === 0) return new Set()
  const inFlight = await loadInFlight(tx, profileId)
  for (const row of rows) if (inFlight.has(row.id)) row.attempts += 1
  const currentOf = await loadCurrent(
    tx,
    policy,
    profileId,
    rows.map((row) => row.conversionId),
  )
  const groups = Map.groupBy(rows, (row) => `${row.destinationId} ${row.conversionId}`)
  const adjustments = [...groups.values()].flatMap((ledgerRows) => {
    const [{ destinationId, conversionId, eventId, goalId }] = ledgerRows as [LedgerRow]
    const destination = policy.destinations.find((candidate) => candidate.id === destinationId)!
    const current = currentOf(conversionId, change.isPersonChanged)
    const decided = decideAdjustment(ledgerRows, current, exportRules[destination.kind].supports)
    if (decided === null) return []
    const isUnsupported = decided.adjustment === 'unsupported'
    const value = current.state === 'gone' ? { valueMinor: 0, currency: ledgerRows[0]!.currency } : current
    const row: NewRow = {
      destinationId,
      conversionId,
      eventId,
      goalId,
      status: isUnsupported ? 'skipped' : 'queued',
      reason: isUnsupported ? 'adjustment_unsupported' : null,
      eventName: null,
      ...decided,
      valueMinor: isUnsupported ? value.valueMinor : null,
      currency: isUnsupported ? value.currency : null,
    }
    return [row]
  })
  await insertRows(tx, profileId, adjustments, change.now)
  return new Set(groups.keys())
}

/** Rows of requests without a result yet: what the platform received is unknown. */
async function loadInFlight(tx: Tx, profileId: string): Promise<Set<string>> {
  const { rows } = await sql<{ row_ids: string[] }>`
    select row_ids::text[] as row_ids from export_requests
    where profile_id = ${profileId} and settled_at is null`.execute(tx)
  return new Set(rows.flatMap((row) => row.row_ids))
}

type CurrentRow = {
  id: string
  goal_id: string
  value_minor: number | null
  currency: string | null
  is_gone: boolean
}

async function loadCurrent(
  tx: Tx,
  policy: ExportPolicy,
  profileId: string,
  conversionIds: readonly string[],
): Promise<(conversionId: string, isPersonChanged: boolean) => CurrentValue> {
  const { rows } = await sql<CurrentRow>`
    select c.id, c.goal_id, c.value_minor - coalesce((
        select sum(coalesce(r.counted_minor, r.amount_minor)) from refunds r
        where r.profile_id = ${profileId} and r.payment_id = c.event_id and c.revenue_type = 'cash'), 0)::bigint as value_minor,
      c.currency, (c.duplicate_of is not null or c.unconfirmed) as is_gone
    from conversions c
    where c.profile_id = ${profileId} and c.id = any(${uuidList(conversionIds)}::uuid[])`.execute(tx)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (conversionId, isPersonChanged) => {
    const row = byId.get(conversionId)
    if (row === undefined || row.is_gone) return { state: 'gone' }
    const key = policy.keys.get(row.goal_id)
    const hasValue = key !== undefined && entryOf(policy, key).send_value
    const { value_minor: valueMinor, currency } = row
    return hasValue
      ? { state: 'counts', valueMinor, currency, isPersonChanged }
      : { state: 'counts', valueMinor: null, currency: null, isPersonChanged }
  }
}

async function insertRows(tx: Tx, profileId: string, rows: readonly NewRow[], now: Date): Promise<void> {
  await bulkInsert(
    tx,
    { into: 'conversion_exports', profileId, rows },
    {
      created_at: () => now,
      id: () => uuidv7(now),
      destination_id: 'destinationId',
      conversion_id: 'conversionId',
      event_id: 'eventId',
      goal_id: 'goalId',
      status: 'status',
      reason: 'reason',
      event_name: 'eventName',
      adjustment_no: 'adjustmentNo',
      adjustment: 'adjustment',
      value_minor: 'valueMinor',
      currency: 'currency',
    },
    { conflict: 'ignore' },
  )
  const waiting = new Set(rows.flatMap((row) => (row.status === 'queued' ? row.destinationId : [])))
  await enqueueMany(
    tx,
    sendExports,
    [...waiting].map((id) => ({ payload: { destination_id: id }, profileId, dedupeKey: id })),
  )
}
