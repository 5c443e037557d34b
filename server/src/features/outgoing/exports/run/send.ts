/**
 * Sends a destination's queue, batch by batch. A batch is claimed and committed before its data is read, and settled after
 * the platform's response. A change in between finds the claim and creates an adjustment. A crash leaves a claim whose
 * outcome is unknown; its rows are sent again with the same event id while the platform still deduplicates it. One job
 * runs per destination (its dedupe key), and it yields to other profiles after some batches.
 */
import type { KeyObject } from 'node:crypto'
import { type ExportReply, ProviderError } from '../../../../connectors/connector.ts'
import { exportRules } from '../../../../connectors/export-rules.ts'
import type { JobContext } from '../../../../context.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { pipelineWrites } from '../../../../platform/db/pipelining.ts'
import { lockProfile } from '../../../../platform/db/profile-lock.ts'
import { keyedHash } from '../../../../platform/secrets/keyed-hash.ts'
import { type ExportPolicy, loadExportPolicy } from '../../../facts/export-queue/policy.ts'
import { findDestination } from '../destinations/queries.ts'
import { propertyOf } from './event-id.ts'
import { loadFacts } from './facts.ts'
import {
  type Ended,
  listBlockedRows,
  listPreviouslySent,
  listWaiting,
  releaseRows,
  type Sent,
} from './ledger.ts'
import { openSender, SenderUnusable } from './platform.ts'
import {
  exportSettingsOf,
  mayRetry,
  type Prepared,
  type PreviouslySent,
  targetIdOf,
  toExport,
  type WaitingRow,
} from './rules.ts'
import * as runs from './runs.ts'
import {
  type Batch,
  type BatchOutcome,
  finish,
  halt,
  type Outgoing,
  settle,
  suspend,
  type Turn,
} from './settle.ts'

/** After this many batches a job yields to other profiles. */
const MAX_BATCHES = 20

export async function sendWaiting(context: JobContext, destinationId: string): Promise<void> {
  const { db, now, profileId } = context
  if (profileId === null) return
  const destination = await findDestination(db, { profileId, id: destinationId })
  if (destination === undefined || !destination.enabled) return
  // A job for that time is already queued.
  if (destination.retry_at !== null && destination.retry_at > now) return
  const runId = await runs.findOpenRun(db, { profileId, destinationId })
  const turn: Turn = {
    context,
    profileId,
    destination,
    send: openSender(context.service, destination),
    runId,
  }
  await takeOverClaims(turn)
  await sendTurn(turn)
}

/** Batches in progress: one is prepared while the other waits for the platform. */
const PARALLEL_BATCHES = 2

async function sendTurn(turn: Turn): Promise<void> {
  const { context } = turn
  const progress = { after: null as string | null, batches: 0, isDrained: false }
  let stopped: BatchOutcome | undefined
  let claiming: Promise<unknown> = Promise.resolve()
  // Serialized, so that two batches never claim the same rows or start two runs.
  const claimNext = () => {
    const claimed = claiming.then(() => claimBatch(turn, progress))
    claiming = claimed.catch(() => {})
    return claimed
  }
  const sendBatches = async () => {
    while (stopped === undefined && progress.batches < MAX_BATCHES && !context.signal.aborted) {
      const batch = await claimNext()
      if (batch === null) return
      const outcome = await sendBatch(turn, batch)
      if (!outcome.continues) stopped ??= outcome
    }
  }
  await pipelineWrites(...Array.from({ length: PARALLEL_BATCHES }, () => sendBatches))
  const end = stopped as BatchOutcome | undefined
  if (end !== undefined && end.reason === null) return
  if (end === undefined && context.signal.aborted) return
  await finish(turn, { hasMore: end === undefined && !progress.isDrained, reason: end?.reason ?? null })
}

type ClaimedBatch = { claimId: string; triedAt: Date; rows: readonly WaitingRow[] }

/** Claims the next queued rows; null if none are left. */
async function claimBatch(
  turn: Turn,
  progress: { after: string | null; batches: number; isDrained: boolean },
): Promise<ClaimedBatch | null> {
  const { context, profileId, destination } = turn
  const { db, service } = context
  if (progress.isDrained) return null
  const limit = exportRules[destination.kind].maxBatch
  const ref = { profileId, destinationId: destination.id }
  const queued = await listWaiting(db, { ...ref, after: progress.after, limit })
  if (queued.length === 0) {
    progress.isDrained = true
    return null
  }
  progress.after = queued.at(-1)!.id
  progress.batches += 1
  const rows = firstPerConversion(queued)
  const now = service.clock.now()
  const claimId = uuidv7(now)
  await db.transaction().execute(async (tx) => {
    // Changes of conversions take this lock too: a change is either visible to the reads below, or finds the claim.
    await lockProfile(tx, profileId)
    const runId = await openRun(tx, turn, now)
    const rowIds = rows.map(({ id }) => id)
    await runs.insertClaim(tx, { ...ref, id: claimId, runId, targetId: destination.target_id, rowIds, now })
  })
  return { claimId, triedAt: now, rows }
}

/** Rows of one conversion must be sent in order, so later ones wait for the next batch. */
function firstPerConversion(rows: readonly WaitingRow[]): WaitingRow[] {
  const seen = new Set<string>()
  return rows.filter((row) => !seen.has(row.conversionId) && seen.add(row.conversionId))
}

/** Takes over claims of a crashed sender. The platform may have received their rows. */
async function takeOverClaims({ context, profileId, destination }: Turn): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const claims = await runs.takeOpenClaims(tx, { profileId, destinationId: destination.id })
    for (const claim of claims)
      await releaseRows(tx, {
        profileId,
        destinationId: destination.id,
        ids: claim.row_ids,
        reason: 'outcome_unknown',
        triedAt: claim.created_at,
      })
  })
}

async function sendBatch(turn: Turn, { claimId, triedAt, rows }: ClaimedBatch): Promise<BatchOutcome> {
  const { context, profileId, destination } = turn
  const { db } = context
  const policy = await loadExportPolicy(db, profileId)
  const targetId = targetIdOf(policy, destination)
  // Disabled since the turn started, perhaps with the app that created it: the rows remain queued.
  if (policy.destinations.find(({ id }) => id === destination.id)?.enabled !== true)
    return halt(turn, claimId)
  const prepared = await prepare(turn, policy, rows, triedAt)
  const batch: Batch = { claimId, targetId, triedAt, ...prepared }
  if (prepared.outgoing.length === 0) return settle(turn, batch, nothingSent)
  const target = { id: targetId, testEventCode: destination.test_event_code }
  const conversions = prepared.outgoing.map(({ conversion }) => conversion)
  try {
    return await settle(turn, batch, await turn.send(target, conversions, triedAt))
  } catch (error) {
    if (error instanceof SenderUnusable) return suspend(turn, batch, error.reason)
    if (!(error instanceof ProviderError)) throw error
    return settle(turn, batch, { ...nothingSent, retryAfterSeconds: error.retryAfterSeconds })
  }
}

const nothingSent: ExportReply = {
  requestId: null,
  providerStatus: null,
  retryAfterSeconds: null,
  results: [],
}

async function prepare(
  { context, profileId, destination }: Turn,
  policy: ExportPolicy,
  rows: readonly WaitingRow[],
  now: Date,
): Promise<{ outgoing: Outgoing[]; ended: Ended[] }> {
  const { db, service } = context
  const rules = exportRules[destination.kind]
  const adjusted = rows.filter((row) => row.adjustment !== 'none')
  const ref = { profileId, destinationId: destination.id }
  const conversionIds = adjusted.map((row) => row.conversionId)
  const [blocked, previouslySent] = await Promise.all([
    adjusted.length === 0 ? new Set<string>() : listBlockedRows(db, { ...ref, rows: adjusted }),
    adjusted.length === 0
      ? new Map<string, PreviouslySent>()
      : listPreviouslySent(db, { ...ref, conversionIds }),
  ])
  const sources = [destination.event_id_source, ...rows.map((row) => row.eventIdSource)].concat(
    [...previouslySent.values()].map((sent) => sent.eventIdSource),
  )
  const facts = await loadFacts(db, profileId, rows, {
    withLeads: destination.kind === 'social',
    properties: [...new Set(sources.flatMap((source) => propertyOf(source) ?? []))],
  })
  const settings = exportSettingsOf(destination, policy, now)
  const outgoing: Outgoing[] = []
  const ended: Ended[] = []
  for (const row of rows) {
    if (blocked.has(row.id)) continue
    if (!mayRetry(row, rules.retryWithinHours, now)) {
      ended.push({ ...skipped(row.id), status: 'failed', reason: 'outcome_unknown' })
      continue
    }
    const sent = previouslySent.get(row.conversionId)
    const prepared = toExport(row, facts.get(row.conversionId)!, settings, sent)
    if (!prepared.ok) {
      ended.push({ ...skipped(row.id), reason: prepared.reason, consent: prepared.consent ?? null })
      continue
    }
    const payload = toSent(row.id, prepared, service.identityPepper)
    if (sent?.payloadHash?.equals(payload.payloadHash) === true)
      ended.push({ ...skipped(row.id), reason: 'no_change', consent: prepared.consent })
    else outgoing.push({ conversion: prepared.conversion, row: payload })
  }
  return { outgoing, ended }
}

const skipped = (id: string) =>
  ({ id, status: 'skipped', detail: null, wasAttempted: false, consent: null }) as const

/**
 * The payload hash is keyed, so that addresses cannot be tested against it without the key. It ignores the kind of
 * adjustment.
 */
function toSent(
  id: string,
  { conversion, eventIdSource, consent }: Prepared & { ok: true },
  pepper: KeyObject,
): Sent {
  const { adjustment: _, ...content } = conversion
  return {
    id,
    eventName: conversion.eventName,
    eventIdSource,
    payloadHash: Buffer.from(keyedHash(pepper, JSON.stringify(content)), 'hex'),
    valueMinor: conversion.value?.amountMinor ?? null,
    currency: conversion.value?.currency ?? null,
    consent,
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
