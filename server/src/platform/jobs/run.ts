/** One attempt of one job, and its outcome. */
import type { Service } from '../../context.ts'
import { type Job, JobError } from '../contract/job.ts'
import { isDatabaseUnavailable, isOutOfSpace } from '../db/database.ts'
import { nodeAnswers, pingNode } from '../db/node-answers.ts'
import type { DataNode } from '../db/nodes.ts'
import { redact } from '../redact.ts'
import { backoffMs, jitter } from '../retry.ts'
import { traced } from '../tracing.ts'
import type { ClaimedJob } from './claim.ts'
import { SERVICE_PROFILE } from './enqueue.ts'

/** `waits` does not count as an attempt, because the job itself did not fail. */
export type Outcome =
  | { result: 'done' }
  | { result: 'failed' | 'waits'; error: string; dead: boolean; delayMs: number }

const MAX_ERROR_LENGTH = 500
const WAIT_MS = 30_000
const NODE_UNAVAILABLE = 'The database node of the profile is not responding'

/** 5 s, 20 s, 80 s, 320 s, each with ±50 % jitter. */
export const retryDelayMs = (attempt: number, chance = Math.random()): number =>
  jitter(backoffMs(attempt - 1, { firstMs: 5000, factor: 4 }), 0.5, chance)

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
    // Checked before the start: otherwise the job would occupy its slot while the node hangs.
    if (await isNodeUnavailable(service, profileId, nodeAnswers)) return waits(NODE_UNAVAILABLE)
    const context = {
      service,
      db: service.backgroundDb,
      now: service.clock.now(),
      log: service.log,
      jobId: claimed.id,
      profileId,
      attempt: claimed.attempts,
      signal,
    }
    const attributes = () => ({ 'whence.job.id': claimed.id, 'whence.job.attempt': claimed.attempts })
    await traced({ name: `job ${claimed.name}`, kind: 'consumer', attributes }, () =>
      definition.run(context, payload.data),
    )
    return { result: 'done' }
  } catch (error) {
    const fields = { job: claimed.name, job_id: claimed.id, attempt: claimed.attempts, error }
    const isInfrastructureFault =
      isOutOfSpace(error) ||
      (isDatabaseUnavailable(error) && (await isNodeUnavailable(service, profileId, pingNode)))
    const retry = error instanceof JobError ? error.retry : { afterMs: retryDelayMs(claimed.attempts) }
    const dead = !isInfrastructureFault && (retry === 'never' || claimed.attempts >= claimed.max_attempts)
    if (!signal.aborted) {
      if (dead) service.log.error('job is dead', fields)
      else service.log.warn('job failed', fields)
    }
    if (isInfrastructureFault) return waits(errorText(error))
    return { result: 'failed', error: errorText(error), dead, delayMs: retry === 'never' ? 0 : retry.afterMs }
  }
}

/**
 * Retry later because of a full disk or unavailable node; with jitter, so that jobs do not all return at the same
 * time.
 */
function waits(error: string): Outcome {
  return { result: 'waits', error, dead: false, delayMs: jitter(WAIT_MS, 0.5, Math.random()) }
}

/** True if the profile's node of a distributed database does not respond or cannot be determined. */
async function isNodeUnavailable(
  { nodes }: Service,
  profileId: string | null,
  answers: (node: DataNode) => Promise<boolean>,
): Promise<boolean> {
  if (profileId === null || !nodes.isDistributed) return false
  try {
    return !(await answers(await nodes.of(profileId)))
  } catch (error) {
    return isDatabaseUnavailable(error)
  }
}

function errorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return redact(text).slice(0, MAX_ERROR_LENGTH)
}
