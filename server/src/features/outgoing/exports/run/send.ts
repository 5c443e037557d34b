/**
 * Sends what waits for a destination, batch by batch. A batch is claimed and committed before anything of it is read,
 * and settled after the answer: a change that comes in between finds the claim and makes an adjustment, and a crash
 * leaves a claim whose outcome is unknown. Those rows are sent again under the same event id as long as the platform
 * recognises it. One job of a destination runs at a time (its dedupe key), and after some batches it makes room for
 * other profiles.
 */
import type { KeyObject } from 'node:crypto'
import { type ClearedConversion, type ExportReply, ProviderError } from '../../../../connectors/connector.ts'
import { exportRules } from '../../../../connectors/export-rules.ts'
import type { JobContext } from '../../../../context.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { lockProfile } from '../../../../platform/db/profile-lock.ts'
import { together } from '../../../../platform/db/together.ts'
import { keyedHash } from '../../../../platform/secrets/keyed-hash.ts'
import { type ExportPolicy, loadExportPolicy } from '../../../facts/export-queue/policy.ts'
import { findDestination } from '../destinations/queries.ts'
import { propertyOf } from './event-id.ts'
import { loadFacts } from './facts.ts'
import { type Ended, listSentBefore, listUnsettled, listWaiting, releaseRows, type Sent } from './ledger.ts'
import { openSender, SenderUnusable } from './platform.ts'
import { mayRetry, type SentBefore, settingOf, targetIdOf, toExport, type WaitingRow } from './rules.ts'
import * as runs from './runs.ts'
import { type Batch, finish, giveUp, halt, type Outgoing, settle, type Turn, type Verdict } from './settle.ts'

/** A job makes room for others after so many. */
const MAX_BATCHES = 20

export async function sendWaiting(context: JobContext, destinationId: string): Promise<void> {
  const { db, now, profileId } = context
  if (profileId === null) return
  const destination = await findDestination(db, { profileId, id: destinationId })
  if (destination === undefined || !destination.enabled) return
  // The code that set the time has also queued a job for it.
  if (destination.retry_at !== null && destination.retry_at > now) return
  const runId = await runs.findOpenRun(db, { profileId, destinationId })
  const turn: Turn = {
    context,
    profileId,
    destination,
    send: openSender(context.service, destination),
    runId,
  }
  await takeOver(turn)
  await sendTurn(turn)
}

/** While one batch is at the platform, the next is read: each lane has one under way. */
const LANES = 2

async function sendTurn(turn: Turn): Promise<void> {
  const { context } = turn
  const place = { after: null as string | null, batches: 0, isDrained: false }
  let stopped: Verdict | undefined
  let taking: Promise<unknown> = Promise.resolve()
  // One after the other, so that no two lanes claim the same rows or begin two runs.
  const take = () => {
    const taken = taking.then(() => takeBatch(turn, place))
    taking = taken.catch(() => {})
    return taken
  }
  const lane = async () => {
    while (stopped === undefined && place.batches < MAX_BATCHES && !context.signal.aborted) {
      const batch = await take()
      if (batch === null) return
      const verdict = await sendBatch(turn, batch)
      if (!verdict.goesOn) stopped ??= verdict
    }
  }
  await together(...Array.from({ length: LANES }, () => lane))
  const end = stopped as Verdict | undefined
  if (end !== undefined && end.reason === null) return
  if (end === undefined && context.signal.aborted) return
  await finish(turn, { hasMore: end === undefined && !place.isDrained, reason: end?.reason ?? null })
}

type Claimed = { claimId: string; triedAt: Date; rows: readonly WaitingRow[] }

/** The next rows that wait, claimed; null where none is left. */
async function takeBatch(
  turn: Turn,
  place: { after: string | null; batches: number; isDrained: boolean },
): Promise<Claimed | null> {
  const { context, profileId, destination } = turn
  const { db, service } = context
  if (place.isDrained) return null
  const limit = exportRules[destination.kind].maxBatch
  const ref = { profileId, destinationId: destination.id }
  const found = await listWaiting(db, { ...ref, after: place.after, limit })
  if (found.length === 0) {
    place.isDrained = true
    return null
  }
  place.after = found.at(-1)!.id
  place.batches += 1
  const rows = oneOfEach(found)
  const now = service.clock.now()
  const claimId = uuidv7(now)
  await db.transaction().execute(async (tx) => {
    // A change of a conversion takes this lock: either the change is read below, or it finds the claim.
    await lockProfile(tx, profileId)
    const runId = await openRun(tx, turn, now)
    const rowIds = rows.map(({ id }) => id)
    await runs.insertClaim(tx, { ...ref, id: claimId, runId, targetId: destination.target_id, rowIds, now })
  })
  return { claimId, triedAt: now, rows }
}

/** Adjustments of one conversion follow each other; the second waits for the next batch. */
function oneOfEach(rows: readonly WaitingRow[]): WaitingRow[] {
  const seen = new Set<string>()
  return rows.filter((row) => !seen.has(row.conversionId) && seen.add(row.conversionId))
}

/** What an earlier sender had under way may have arrived. */
async function takeOver({ context, profileId, destination }: Turn): Promise<void> {
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

async function sendBatch(turn: Turn, { claimId, triedAt, rows }: Claimed): Promise<Verdict> {
  const { context, profileId, destination } = turn
  const { db } = context
  const policy = await loadExportPolicy(db, profileId)
  const targetId = targetIdOf(policy, destination)
  // Switched off since the turn began, perhaps with the app that created it: what waits stays queued.
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
    if (error instanceof SenderUnusable) return giveUp(turn, batch, error.reason)
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
  const [unsettled, sentBefore] = await Promise.all([
    adjusted.length === 0 ? new Set<string>() : listUnsettled(db, { ...ref, rows: adjusted }),
    adjusted.length === 0 ? new Map<string, SentBefore>() : listSentBefore(db, { ...ref, conversionIds }),
  ])
  const sources = [destination.event_id_source, ...rows.map((row) => row.eventIdSource)].concat(
    [...sentBefore.values()].map((sent) => sent.eventIdSource),
  )
  const facts = await loadFacts(db, profileId, rows, {
    withLeads: destination.kind === 'social',
    properties: [...new Set(sources.flatMap((source) => propertyOf(source) ?? []))],
  })
  const setting = settingOf(destination, policy, now)
  const outgoing: Outgoing[] = []
  const ended: Ended[] = []
  for (const row of rows) {
    if (unsettled.has(row.id)) continue
    if (!mayRetry(row, rules.retryWithinHours, now)) {
      ended.push({ ...untried(row.id), status: 'failed', reason: 'outcome_unknown' })
      continue
    }
    const sent = sentBefore.get(row.conversionId)
    const prepared = toExport(row, facts.get(row.conversionId)!, setting, sent)
    if (!prepared.ok) {
      ended.push({ ...untried(row.id), reason: prepared.reason })
      continue
    }
    const payload = toSent(row.id, prepared, service.identityPepper)
    if (sent?.payloadHash?.equals(payload.payloadHash) === true)
      ended.push({ ...untried(row.id), reason: 'no_change' })
    else outgoing.push({ conversion: prepared.conversion, row: payload })
  }
  return { outgoing, ended }
}

const untried = (id: string) => ({ id, status: 'skipped', detail: null, isTried: false }) as const

/** Keyed: without the key no one can try addresses against it. What kind of a message it is makes no difference. */
function toSent(
  id: string,
  { conversion, eventIdSource }: { conversion: ClearedConversion; eventIdSource: string },
  pepper: KeyObject,
): Sent {
  const { adjustment: _, ...said } = conversion
  const words = JSON.stringify(said)
  return {
    id,
    eventName: conversion.eventName,
    eventIdSource,
    payloadHash: Buffer.from(keyedHash(pepper, words), 'hex'),
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
