/** One try of one job, and what its end means. */
import { sql } from 'kysely'
import type { Service } from '../context.ts'
import { type Job, JobError } from '../contract/job.ts'
import { isDatabaseUnavailable, isOutOfRoom } from '../db/database.ts'
import { redact } from '../redact.ts'
import type { ClaimedJob } from './claim.ts'
import { SERVICE_PROFILE } from './enqueue.ts'

export type Outcome = { result: 'done' } | { result: 'failed'; error: string; dead: boolean; delayMs: number }

const FIRST_DELAY_MS = 5000
const MAX_ERROR_LENGTH = 500
const MAX_STUCK_DELAY_MS = 300_000

/** 5 s, 20 s, 80 s, 320 s, each between half and one and a half of it. */
export function backoffMs(attempt: number, random = Math.random): number {
  return FIRST_DELAY_MS * 4 ** (attempt - 1) * (0.5 + random())
}

export async function runJob(
  service: Service,
  definition: Job,
  claimed: ClaimedJob,
  signal: AbortSignal,
): Promise<Outcome> {
  const payload = definition.payload.safeParse(claimed.payload)
  if (!payload.success) return { result: 'failed', error: 'The payload is not valid', dead: true, delayMs: 0 }
  const profileId = claimed.profile_id === SERVICE_PROFILE ? null : claimed.profile_id
  try {
    await definition.run(
      {
        service,
        db: service.patientDb,
        now: service.clock.now(),
        log: service.log,
        jobId: claimed.id,
        profileId,
        attempt: claimed.attempts,
        signal,
      },
      payload.data,
    )
    return { result: 'done' }
  } catch (error) {
    const fields = { job: claimed.name, job_id: claimed.id, attempt: claimed.attempts, error }
    const retry = error instanceof JobError ? error.retry : { afterMs: backoffMs(claimed.attempts) }
    // A full disk or a node that is away is no fault of the job: it waits until that is over.
    const isStuck = isOutOfRoom(error) || (await isNodeAway(service, profileId, error))
    const dead = !isStuck && (retry === 'never' || claimed.attempts >= claimed.max_attempts)
    if (!signal.aborted) {
      if (dead) service.log.error('job is dead', fields)
      else service.log.warn('job failed', fields)
    }
    const afterMs = retry === 'never' ? 0 : retry.afterMs
    const delayMs = isStuck ? Math.min(afterMs, MAX_STUCK_DELAY_MS) : afterMs
    return { result: 'failed', error: sentence(error), dead, delayMs }
  }
}

/** Whether the node of a distributed database that holds the profile is why its job failed. */
async function isNodeAway(service: Service, profileId: string | null, error: unknown): Promise<boolean> {
  if (profileId === null || !service.nodes.isDistributed || !isDatabaseUnavailable(error)) return false
  try {
    const { db } = await service.nodes.of(profileId)
    await sql`select 1`.execute(db)
    return false
  } catch (cause) {
    return isDatabaseUnavailable(cause)
  }
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return redact(text).slice(0, MAX_ERROR_LENGTH)
}
