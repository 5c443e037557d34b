/**
 * Log of events that the API refused, to help senders afterwards. Buffered in memory and written in the background, so a
 * refusal adds no latency. The number per profile and flush is bounded; more are dropped.
 */

import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Db } from '../../../platform/db/database.ts'
import { SERVICE_PROFILE } from '../../../platform/jobs/enqueue.ts'
import type { Log } from '../../../platform/log.ts'
import type { Refusals, RefusedEvent } from '../../../platform/ports.ts'
import { redact } from '../../../platform/redact.ts'
import { orderOf } from '../identity/identifiers.ts'
import { eventIdOf } from './rules.ts'

export const KEEP_REFUSED_DAYS = 7
const MAX_PER_PROFILE = 1000
const MAX_PER_FLUSH = 50
const MAX_PROFILES_PER_FLUSH = 200
const FLUSH_MS = 1000
const MAX_MESSAGE = 300

type Row = {
  id: string
  refused_at: Date
  request_id: string
  status: number
  code: string
  message: string
  event_name: string | null
  event_id: string | null
  order_ref: string | null
}

export function createRefusals(parts: { db: Db; pepper: KeyObject; log: Log; now(): Date }): Refusals {
  let buffered = new Map<string, Row[]>()
  let timer: NodeJS.Timeout | undefined

  let lastFlush = Promise.resolve()
  /** Also waits for rows that an earlier flush is still writing. */
  function flush(): Promise<void> {
    lastFlush = lastFlush.then(write)
    return lastFlush
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const writing = buffered
    buffered = new Map()
    for (const [profileId, rows] of writing)
      await saveRefused(parts.db, profileId, rows, parts.now()).catch((error: unknown) =>
        parts.log.warn('refused events not recorded', { error, count: rows.length }),
      )
  }

  return {
    add(refusedEvent) {
      const profileId = refusedEvent.profileId ?? SERVICE_PROFILE
      const rows = buffered.get(profileId) ?? []
      if (rows.length >= MAX_PER_FLUSH || (rows.length === 0 && buffered.size >= MAX_PROFILES_PER_FLUSH))
        return
      rows.push(toRow(refusedEvent, parts))
      buffered.set(profileId, rows)
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
    },
    flush,
    stop: flush,
  }
}

function toRow(refusedEvent: RefusedEvent, { pepper, now }: { pepper: KeyObject; now(): Date }): Row {
  const { profileId, event } = refusedEvent
  const { idempotency_key: key, event_name: name, properties } = fieldsOf(event)
  const { order_id: orderId } = fieldsOf(properties)
  const isOrder = typeof orderId === 'string' || typeof orderId === 'number'
  return {
    id: uuidv7(now()),
    refused_at: now(),
    request_id: refusedEvent.requestId,
    status: refusedEvent.status,
    code: refusedEvent.code,
    message: redact(refusedEvent.message).slice(0, MAX_MESSAGE),
    event_name: typeof name === 'string' ? redact(name).slice(0, 100) : null,
    event_id: profileId !== null && typeof key === 'string' ? eventIdOf(profileId, key) : null,
    order_ref: profileId !== null && isOrder ? (orderOf(orderId, profileId, pepper).order_ref ?? null) : null,
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Inserts rows and deletes those that are older than a week or beyond the newest thousand. */
async function saveRefused(db: Db, profileId: string, rows: readonly Row[], now: Date): Promise<void> {
  await sql`
    insert into refused_events (profile_id, id, refused_at, request_id, status, code, message, event_name, event_id, order_ref)
    select ${profileId}::uuid, id, refused_at, request_id, status, code, message, event_name, event_id, order_ref
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id uuid, refused_at timestamptz, request_id text,
      status smallint, code text, message text, event_name text, event_id uuid, order_ref uuid)`.execute(db)
  const { rows: oldest } = await sql<{ id: string }>`
    select id from refused_events where profile_id = ${profileId}::uuid
    order by id desc offset ${MAX_PER_PROFILE} limit 1`.execute(db)
  const before = new Date(now.getTime() - KEEP_REFUSED_DAYS * DAY_MS)
  await sql`
    delete from refused_events where profile_id = ${profileId}::uuid
      and (refused_at < ${before} or id <= ${oldest[0]?.id ?? null}::uuid)`.execute(db)
}

export type RefusedRow = Pick<Row, 'refused_at' | 'request_id' | 'status' | 'code' | 'message' | 'event_name'>

/** Newest first. Null filters are ignored. */
export async function listRefused(
  db: Db,
  params: {
    profileId: string
    eventId: string | null
    orderRef: string | null
    requestId: string | null
    limit: number
  },
): Promise<RefusedRow[]> {
  const { rows } = await sql<RefusedRow>`
    select refused_at, request_id, status, code, message, event_name from refused_events
    where profile_id = ${params.profileId}::uuid
      and (${params.eventId}::uuid is null or event_id = ${params.eventId}::uuid)
      and (${params.orderRef}::uuid is null or order_ref = ${params.orderRef}::uuid)
      and (${params.requestId}::text is null or request_id = ${params.requestId}::text)
    order by id desc limit ${params.limit}`.execute(db)
  return rows
}
