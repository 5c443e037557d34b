/**
 * Sends what waits for a destination, batch by batch. A batch is claimed and committed before it leaves, and settled
 * after the answer, so a crash in between leaves rows whose outcome is unknown: those are sent again under the same
 * event id as long as the platform recognises it. One job of a destination runs at a time (its dedupe key), and after
 * some batches it makes room for other profiles.
 */
import { createHmac, type KeyObject } from 'node:crypto'
import { type ExportConversion, type ExportReply, ProviderError } from '../../../connectors/connector.ts'
import { exportRules } from '../../../connectors/export-rules.ts'
import type { JobContext } from '../../../context.ts'
import { uuidv7 } from '../../../contract/ids.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { redact } from '../../../redact.ts'
import { type ExportPolicy, loadExportPolicy } from '../../export-queue/policy.ts'
import { sendExports } from '../../export-queue/send-job.ts'
import { exportSettled } from '../../webhooks/outbox/makers.ts'
import { recordEvent } from '../../webhooks/outbox/record.ts'
import { type DestinationRow, findDestination } from '../destinations/queries.ts'
import { readDiagnostics } from './diagnostics-job.ts'
import { loadFacts } from './facts.ts'
import {
  type Claim,
  claimRows,
  type Ended,
  endRows,
  listSentBefore,
  listWaiting,
  markSent,
  releaseRows,
} from './ledger.ts'
import { openSender, type Sender, SenderUnusable } from './platform.ts'
import {
  mayRetry,
  nextPollAt,
  retryAtOf,
  runStatusOf,
  targetIdOf,
  toExport,
  type WaitingRow,
} from './rules.ts'
import * as runs from './runs.ts'

/** A job makes room for others after so many. */
const MAX_BATCHES = 20
const MAX_DETAIL = 300

type Turn = {
  context: JobContext
  profileId: string
  destination: DestinationRow
  send: Sender
  runId: string | undefined
}

type Verdict = { goesOn: boolean; reason: string | null }

export async function sendWaiting(context: JobContext, destinationId: string): Promise<void> {
  const { db, now, profileId } = context
  if (profileId === null) return
  const destination = await findDestination(db, { profileId, id: destinationId })
  if (destination === undefined || !destination.enabled) return
  // Whoever set the time has queued a job for it.
  if (destination.retry_at !== null && destination.retry_at > now) return
  const runId = await runs.findOpenRun(db, { profileId, destinationId })
  const turn: Turn = {
    context,
    profileId,
    destination,
    send: openSender(context.service, destination),
    runId,
  }
  let after: string | null = null
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    if (context.signal.aborted) return
    const rows = await listWaiting(db, {
      profileId,
      destinationId,
      after,
      limit: exportRules[destination.kind].maxBatch,
    })
    if (rows.length === 0) return finish(turn, { hasMore: false, reason: null })
    const verdict = await sendBatch(turn, oneOfEach(rows))
    if (!verdict.goesOn) {
      if (verdict.reason !== null) await finish(turn, { hasMore: false, reason: verdict.reason })
      return
    }
    after = rows.at(-1)!.id
  }
  await finish(turn, { hasMore: true, reason: null })
}

/** Adjustments of one conversion follow each other; the second waits for the next batch. */
function oneOfEach(rows: readonly WaitingRow[]): WaitingRow[] {
  const seen = new Set<string>()
  return rows.filter((row) => !seen.has(row.conversionId) && seen.add(row.conversionId))
}

type Outgoing = { row: WaitingRow; conversion: ExportConversion; claim: Claim }

async function sendBatch(turn: Turn, rows: readonly WaitingRow[]): Promise<Verdict> {
  const { context, profileId, destination } = turn
  const { db, service } = context
  const now = service.clock.now()
  const policy = await loadExportPolicy(db, profileId)
  const { outgoing, ended } = await prepare(turn, policy, rows, now)
  const claimId = uuidv7()
  await db.transaction().execute(async (tx) => {
    const runId = await openRun(tx, turn, now)
    const skipped = ended.filter((row) => row.status === 'skipped')
    const failed = ended.filter((row) => row.status === 'failed')
    const counts = {
      sent: 0,
      failed: await endRows(tx, { profileId, runId, ended: failed, claimId: null, now }),
      skipped: await endRows(tx, { profileId, runId, ended: skipped, claimId: null, now }),
    }
    await claimRows(tx, { profileId, claimId, runId, claims: outgoing.map(({ claim }) => claim), now })
    if (ended.length > 0) await runs.addCounts(tx, { profileId, id: runId, counts })
  })
  if (outgoing.length === 0) return { goesOn: true, reason: null }
  const targetId = targetIdOf(policy, destination)
  const target = { id: targetId, testEventCode: destination.test_event_code }
  const conversions = outgoing.map(({ conversion }) => conversion)
  try {
    const reply = await turn.send(target, conversions, now)
    return await settle(turn, { claimId, targetId, outgoing, reply })
  } catch (error) {
    if (error instanceof SenderUnusable) return giveUp(turn, { claimId, outgoing, reason: error.reason })
    if (!(error instanceof ProviderError)) throw error
    return settle(turn, { claimId, targetId, outgoing, reply: unanswered(error) })
  }
}

async function prepare(
  { context, profileId, destination }: Turn,
  policy: ExportPolicy,
  rows: readonly WaitingRow[],
  now: Date,
): Promise<{ outgoing: Outgoing[]; ended: Ended[] }> {
  const { db, service } = context
  const rules = exportRules[destination.kind]
  const adjusted = rows.filter((row) => row.adjustment !== 'none').map((row) => row.conversionId)
  const [facts, sentBefore] = await Promise.all([
    loadFacts(db, profileId, rows, { withLeads: destination.kind === 'social' }),
    adjusted.length === 0
      ? new Map()
      : listSentBefore(db, { profileId, destinationId: destination.id, conversionIds: adjusted }),
  ])
  const setting = {
    policy,
    keys: policy.keys,
    destination: { kind: destination.kind, eventMap: destination.event_map },
    maxAgeDays: rules.maxAgeDays,
    now,
  }
  const outgoing: Outgoing[] = []
  const ended: Ended[] = []
  for (const row of rows) {
    if (!mayRetry(row, rules.retryWithinHours, now)) {
      ended.push({ id: row.id, status: 'failed', reason: 'outcome_unknown', detail: null })
      continue
    }
    const sent = sentBefore.get(row.conversionId)
    const prepared = toExport(row, facts.get(row.conversionId)!, setting, sent)
    if (!prepared.ok) {
      ended.push({ id: row.id, status: 'skipped', reason: prepared.reason, detail: null })
      continue
    }
    const claim = toClaim(row.id, prepared.conversion, service.identityPepper)
    if (sent?.payloadHash?.equals(claim.payloadHash) === true)
      ended.push({ id: row.id, status: 'skipped', reason: 'no_change', detail: null })
    else outgoing.push({ row, conversion: prepared.conversion, claim })
  }
  return { outgoing, ended }
}

/** Nobody knows what the platform has received. */
function unanswered({ retryAfterSeconds }: ProviderError): ExportReply {
  return { requestId: null, providerStatus: null, retryAfterSeconds, results: [] }
}

/** Keyed: without the key nobody can try addresses against it. What kind of a message it is makes no difference. */
function toClaim(id: string, conversion: ExportConversion, pepper: KeyObject): Claim {
  const words = JSON.stringify({ ...conversion, adjustment: null })
  return {
    id,
    eventName: conversion.eventName,
    payloadHash: createHmac('sha256', pepper).update(words).digest(),
    valueMinor: conversion.value?.amountMinor ?? null,
    currency: conversion.value?.currency ?? null,
  }
}

async function openRun(tx: Tx, turn: Turn, now: Date): Promise<string> {
  if (turn.runId !== undefined) return turn.runId
  turn.runId = uuidv7(now)
  await runs.insertRun(tx, {
    profileId: turn.profileId,
    id: turn.runId,
    destinationId: turn.destination.id,
    now,
  })
  return turn.runId
}

type Answered = { claimId: string; targetId: string; outgoing: readonly Outgoing[]; reply: ExportReply }

async function settle(turn: Turn, { claimId, targetId, outgoing, reply }: Answered): Promise<Verdict> {
  const { context, profileId, destination } = turn
  const now = context.service.clock.now()
  const runId = turn.runId!
  const results = new Map(reply.results.map((result) => [result.eventId, result]))
  const ok: string[] = []
  const again: string[] = []
  const failed: Ended[] = []
  let retryReason = 'no_answer'
  for (const { row } of outgoing) {
    const result = results.get(row.conversionId)
    if (result?.ok === true) ok.push(row.id)
    else if (result === undefined || result.retryable) {
      again.push(row.id)
      retryReason = result?.code ?? retryReason
    } else failed.push(toFailed(row.id, result))
  }
  const { firstAfterMinutes } = exportRules[destination.kind].diagnostics ?? { firstAfterMinutes: null }
  await context.db.transaction().execute(async (tx) => {
    const requestId = ok.length === 0 ? null : uuidv7(now)
    if (requestId !== null)
      await runs.insertRequest(tx, {
        profileId,
        id: requestId,
        runId,
        destinationId: destination.id,
        targetId,
        providerRequestId: reply.requestId,
        status: reply.providerStatus,
        events: ok.length,
        now,
      })
    const counts = {
      sent: await markSent(tx, { profileId, claimId, requestId, ids: ok, now }),
      failed: await endRows(tx, { profileId, runId, ended: failed, claimId, now }),
      skipped: 0,
    }
    await releaseRows(tx, { profileId, claimId, ids: again, reason: retryReason })
    await runs.addCounts(tx, { profileId, id: runId, counts })
    await saveHealth(tx, turn, {
      isRetried: again.length > 0,
      retryAfterSeconds: reply.retryAfterSeconds,
      now,
    })
    if (reply.providerStatus === 'processing' && reply.requestId !== null && firstAfterMinutes !== null) {
      const runAt = nextPollAt(0, firstAfterMinutes, now)!
      await enqueue(tx, readDiagnostics, { run_id: runId }, { profileId, dedupeKey: runId, runAt })
    }
  })
  return { goesOn: again.length === 0, reason: null }
}

function toFailed(id: string, result: { code: string | null; message: string | null }): Ended {
  return {
    id,
    status: 'failed',
    reason: (result.code ?? 'rejected').slice(0, 100),
    detail: result.message === null ? null : redact(result.message).slice(0, MAX_DETAIL),
  }
}

/** A destination that failed for a passing reason is left alone for a while; one that took something is well. */
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

/** Nothing leaves until a person acts; what waits keeps waiting. */
async function giveUp(
  turn: Turn,
  { claimId, outgoing, reason }: { claimId: string; outgoing: readonly Outgoing[]; reason: string },
): Promise<Verdict> {
  const { context, profileId, destination } = turn
  const isNews = destination.status_reason !== reason
  await context.db.transaction().execute(async (tx) => {
    await releaseRows(tx, { profileId, claimId, ids: outgoing.map(({ row }) => row.id), reason })
    await runs.saveHealth(tx, {
      profileId,
      id: destination.id,
      statusReason: reason,
      retryAt: null,
      retries: destination.retries,
    })
  })
  return { goesOn: false, reason: isNews ? reason : null }
}

/** Ends the run and tells of it, in one transaction; with more to send, the next job follows. */
async function finish(turn: Turn, end: { hasMore: boolean; reason: string | null }): Promise<void> {
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
