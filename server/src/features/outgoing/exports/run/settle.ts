/** Writes the platform's response to the ledger, the run and the destination. */
import type { ClearedConversion, ExportReply } from '../../../../connectors/connector.ts'
import { exportRules } from '../../../../connectors/export-rules.ts'
import type { JobContext } from '../../../../context.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/enqueue.ts'
import { redact } from '../../../../platform/redact.ts'
import { sendExports } from '../../../facts/export-queue/send-job.ts'
import { exportSettled } from '../../../facts/outbox/event-factories.ts'
import { recordEvent } from '../../../facts/outbox/record.ts'
import type { DestinationRow } from '../destinations/queries.ts'
import { readDiagnostics } from './diagnostics-job.ts'
import { type Ended, endRows, markSent, releaseRows, type Sent } from './ledger.ts'
import type { Sender } from './platform.ts'
import { createRedactor } from './redact-messages.ts'
import { nextPollAt, retryAtOf, runStatusOf } from './rules.ts'
import * as runs from './runs.ts'

const MAX_DETAIL = 300

export type Turn = {
  context: JobContext
  profileId: string
  destination: DestinationRow
  send: Sender
  runId: string | undefined
}

export type BatchOutcome = { continues: boolean; reason: string | null }

export type Outgoing = { conversion: ClearedConversion; row: Sent }
export type Batch = {
  claimId: string
  targetId: string
  triedAt: Date
  outgoing: readonly Outgoing[]
  ended: readonly Ended[]
}

export async function settle(turn: Turn, batch: Batch, reply: ExportReply): Promise<BatchOutcome> {
  const { context, profileId, destination } = turn
  const { claimId, targetId, triedAt } = batch
  const now = context.service.clock.now()
  const runId = turn.runId!
  const { ok, retryIds, failed, retryReason } = sortResults(batch.outgoing, reply)
  const firstPollAt = pollAtOf(destination, reply, now)
  const isClaimed = await context.db.transaction().execute(async (tx) => {
    const outcome = { providerRequestId: reply.requestId, status: reply.providerStatus, events: ok.length }
    const stillClaimed =
      ok.length === 0
        ? await runs.dropClaim(tx, { profileId, id: claimId })
        : await runs.settleClaim(tx, { profileId, id: claimId, targetId, ...outcome, now })
    if (!stillClaimed) return false
    const ref = { profileId, destinationId: destination.id }
    const sent = await markSent(tx, { ...ref, runId, requestId: claimId, sent: ok, triedAt, now })
    const ended = await endRows(tx, { ...ref, runId, ended: [...batch.ended, ...failed], now })
    await releaseRows(tx, { ...ref, ids: retryIds, reason: retryReason, triedAt })
    await runs.addCounts(tx, { profileId, id: runId, counts: { sent, ...ended } })
    await saveHealth(tx, turn, {
      isRetried: retryIds.length > 0,
      retryAfterSeconds: reply.retryAfterSeconds,
      now,
    })
    if (firstPollAt !== null)
      await enqueue(
        tx,
        readDiagnostics,
        { run_id: runId },
        { profileId, dedupeKey: runId, runAt: firstPollAt },
      )
    return true
  })
  return { continues: isClaimed && retryIds.length === 0, reason: null }
}

function sortResults(outgoing: readonly Outgoing[], reply: ExportReply) {
  const results = new Map(reply.results.map((result) => [result.eventId, result]))
  const ok: Sent[] = []
  const retryIds: string[] = []
  const failed: Ended[] = []
  const redactValues = createRedactor(() => outgoing.map(({ conversion }) => conversion))
  let retryReason = 'no_answer'
  for (const { row, conversion } of outgoing) {
    const result = results.get(conversion.eventId)
    if (result?.ok === true) ok.push(row)
    else if (result === undefined || result.retryable) {
      retryIds.push(row.id)
      retryReason = result?.code ?? retryReason
    } else failed.push(toFailed(row, result, redactValues))
  }
  return { ok, retryIds, failed, retryReason }
}

/** When to poll the result of a request that is still processing; null if it is final. */
function pollAtOf({ kind }: DestinationRow, reply: ExportReply, now: Date): Date | null {
  const { diagnostics } = exportRules[kind]
  if (reply.providerStatus !== 'processing' || reply.requestId === null || diagnostics === null) return null
  return nextPollAt(0, diagnostics.firstAfterMinutes, now)
}

function toFailed(
  { id, consent }: Sent,
  result: { code: string | null; message: string | null },
  redactValues: (message: string) => string,
): Ended {
  return {
    id,
    consent,
    status: 'failed',
    wasAttempted: true,
    reason: (result.code ?? 'rejected').slice(0, 100),
    detail: result.message === null ? null : redact(redactValues(result.message)).slice(0, MAX_DETAIL),
  }
}

/** After a transient failure the destination is paused until the retry; after a success its errors are cleared. */
async function saveHealth(
  tx: Tx,
  turn: Turn,
  outcome: { isRetried: boolean; retryAfterSeconds: number | null; now: Date },
): Promise<void> {
  const { profileId, destination } = turn
  const { retries, status_reason: before } = destination
  if (!outcome.isRetried && retries === 0 && before === null && destination.retry_at === null) return
  const retryAt = outcome.isRetried ? retryAtOf(retries, outcome.retryAfterSeconds, outcome.now) : null
  const health = { statusReason: null, retryAt, retries: outcome.isRetried ? retries + 1 : 0 }
  await runs.saveHealth(tx, { profileId, id: destination.id, ...health })
  Object.assign(destination, { status_reason: null, retry_at: retryAt, retries: health.retries })
  if (retryAt !== null)
    await enqueue(
      tx,
      sendExports,
      { destination_id: destination.id },
      {
        profileId,
        dedupeKey: destination.id,
        runAt: retryAt,
      },
    )
}

/** Suspends the destination until a person acts. Rows remain queued. */
export async function suspend(turn: Turn, { claimId }: Batch, reason: string): Promise<BatchOutcome> {
  const { context, profileId, destination } = turn
  const isNewReason = destination.status_reason !== reason
  const health = { statusReason: reason, retryAt: null, retries: destination.retries }
  await context.db.transaction().execute(async (tx) => {
    await runs.dropClaim(tx, { profileId, id: claimId })
    await runs.saveHealth(tx, { profileId, id: destination.id, ...health })
  })
  return { continues: false, reason: isNewReason ? reason : null }
}

/** Returns the unsent batch to the queue. */
export async function halt({ context, profileId }: Turn, claimId: string): Promise<BatchOutcome> {
  await context.db.transaction().execute((tx) => runs.dropClaim(tx, { profileId, id: claimId }))
  return { continues: false, reason: null }
}

/** Ends the run and records its event in one transaction. If rows remain, queues the next job. */
export async function finish(turn: Turn, end: { hasMore: boolean; reason: string | null }): Promise<void> {
  const { context, profileId, destination, runId } = turn
  const now = context.service.clock.now()
  const destinationId = destination.id
  if (runId === undefined) return
  await context.db.transaction().execute(async (tx) => {
    const counts = await runs.lockOpenRun(tx, { profileId, id: runId })
    if (counts === undefined) return
    const status = runStatusOf(counts, end.reason)
    await runs.endRun(tx, { profileId, id: runId, status, reason: end.reason, now })
    if (end.hasMore)
      await enqueue(
        tx,
        sendExports,
        { destination_id: destinationId },
        { profileId, dedupeKey: destinationId },
      )
    const type = status === 'failed' ? 'export.failed' : 'export.completed'
    const data = { run_id: runId, destination_id: destinationId, ...counts }
    await recordEvent(tx, exportSettled(type, profileId, data, now), now)
  })
  context.service.dispatcher.wake(profileId)
}
