/**
 * Rate limit per credential by the generic cell rate algorithm, in one statement, so it is exact across concurrent
 * processes. A bucket contains at most a burst plus the tolerated clock difference; a fuller one was filled by a
 * clock that has since been set back, and is reset.
 */
import { sql } from 'kysely'
import type { Service } from '../../context.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { ApiError } from '../contract/errors.ts'
import { isUnavailable, withAnswerTimeout } from '../db/answer-timeout.ts'
import { type Db, isOutOfSpace, type Tx } from '../db/database.ts'
import { nodeAnswered } from '../db/node-answers.ts'

export type RateLimit = { perMinute: number; burst: number }
const CLOCK_DIFFERENCE_MS = 60_000

export type RateLeft = { remaining: number; retryAfterSeconds: number }
export type RateVerdict = RateLeft & { allowed: boolean }

export async function spendUnits(
  db: Db | Tx,
  key: string,
  limit: RateLimit,
  units: number,
  nowMs: number,
): Promise<RateVerdict> {
  const unitMs = 60_000 / limit.perMinute
  const costMs = Math.ceil(units * unitMs)
  const burstMs = Math.ceil(limit.burst * unitMs)
  const maxFullAtMs = nowMs + burstMs + CLOCK_DIFFERENCE_MS
  const currentFullAt = sql`case when bucket.full_at_ms > ${maxFullAtMs}::bigint then ${nowMs}::bigint
    else greatest(bucket.full_at_ms, ${nowMs}::bigint) end`
  const spent = await sql<{ full_at_ms: number }>`
    insert into rate_buckets as bucket (key, full_at_ms) values (${key}, ${nowMs + costMs})
    on conflict (key) do update set full_at_ms = ${currentFullAt} + ${costMs}::bigint
    where ${currentFullAt} + ${costMs}::bigint <= ${nowMs + burstMs}::bigint
    returning full_at_ms`.execute(db)
  const row = spent.rows[0]
  if (row !== undefined)
    return { allowed: true, remaining: remainingUnits(row.full_at_ms), retryAfterSeconds: 0 }
  const current = await sql<{
    full_at_ms: number
  }>`select full_at_ms from rate_buckets where key = ${key}`.execute(db)
  const fullAt = current.rows[0]?.full_at_ms ?? nowMs
  return {
    allowed: false,
    remaining: remainingUnits(fullAt),
    retryAfterSeconds: Math.max(1, Math.ceil((fullAt + costMs - nowMs - burstMs) / 1000)),
  }

  function remainingUnits(fullAtMs: number): number {
    return Math.max(0, Math.floor((nowMs + burstMs - fullAtMs) / unitMs))
  }
}

const MAX_ENTRIES = 50_000

/** The same limits in process memory, for reads while the coordinator is unavailable. */
export function createLocalLimits() {
  const fullAt = new BoundedCache<string, number>(MAX_ENTRIES)
  return (key: string, limit: RateLimit, units: number, nowMs = performance.now()): RateVerdict => {
    const unitMs = 60_000 / limit.perMinute
    const burstMs = limit.burst * unitMs
    const before = Math.max(fullAt.get(key) ?? 0, nowMs)
    const after = before + units * unitMs
    const overMs = after - nowMs - burstMs
    const allowed = overMs <= 0
    if (allowed) fullAt.set(key, after)
    const busyMs = (allowed ? after : before) - nowMs
    return {
      allowed,
      remaining: Math.max(0, Math.floor((burstMs - busyMs) / unitMs)),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(overMs / 1000)),
    }
  }
}

type Counting = Pick<Service, 'db' | 'nodes' | 'clock'>

const localLimits = new WeakMap<Service['nodes'], ReturnType<typeof createLocalLimits>>()

/**
 * Rate limit for reads. Counting writes to the coordinator; reads must continue if that fails. Returns undefined if its
 * disk is full; counts in process memory if it is unavailable.
 */
export async function spendUnitsOfRead(
  { db, nodes, clock }: Counting,
  key: string,
  limit: RateLimit,
  units: number,
): Promise<RateVerdict | undefined> {
  const countHere = () => {
    const spend = localLimits.get(nodes) ?? createLocalLimits()
    localLimits.set(nodes, spend)
    return spend(key, limit, units)
  }
  if (nodes.isDistributed && !nodeAnswered(nodes.main)) return countHere()
  const counted = spendUnits(db, key, limit, units, clock.machineNow().getTime())
  return withAnswerTimeout(counted).catch((error: unknown) => {
    if (isOutOfSpace(error)) return undefined
    if (nodes.isDistributed && isUnavailable(error)) return countHere()
    throw error
  })
}

export function rateHeaders(limit: RateLimit, verdict: RateLeft): Record<string, string> {
  const windowSeconds = Math.ceil((limit.burst * 60) / limit.perMinute)
  return {
    'x-ratelimit-limit': String(limit.burst),
    'x-ratelimit-remaining': String(verdict.remaining),
    'ratelimit-policy': `"default";q=${limit.burst};w=${windowSeconds}`,
    ratelimit: `"default";r=${verdict.remaining};t=${verdict.retryAfterSeconds}`,
  }
}

type Limited = { key: string; limit: RateLimit; message: string }

/** Spends one unit of an additional limit, or throws with the given message. */
export async function requireUnit(db: Db | Tx, limited: Limited & { now: Date }): Promise<void> {
  refuseOver(limited, await spendUnits(db, limited.key, limited.limit, 1, limited.now.getTime()))
}

/** The same for a read, which continues without the coordinator. */
export async function requireUnitOfRead(service: Counting, limited: Limited): Promise<void> {
  const verdict = await spendUnitsOfRead(service, limited.key, limited.limit, 1)
  if (verdict !== undefined) refuseOver(limited, verdict)
}

function refuseOver({ message }: Limited, { allowed, retryAfterSeconds }: RateVerdict): void {
  if (!allowed) throw new ApiError('rate_limit_exceeded', message, { retryAfter: retryAfterSeconds })
}
