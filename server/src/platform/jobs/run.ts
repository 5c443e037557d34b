/** One try of one job, and what its end means. */
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

/** What waits was no try: it is not the job that failed. */
export type Outcome =
  | { result: 'done' }
  | { result: 'failed' | 'waits'; error: string; dead: boolean; delayMs: number }

const MAX_ERROR_LENGTH = 500
const WAIT_MS = 30_000
const NODE_AWAY = 'The node of the database that holds the profile does not answer'

/** 5 s, 20 s, 80 s, 320 s, each between half and one and a half of it. */
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
    // Begun, it would hold its slot for as long as a node that hangs says nothing.
    if (await isNodeAway(service, profileId, nodeAnswers)) return waits(NODE_AWAY)
    const context = {
      service,
      db: service.patientDb,
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
    const isNoFaultOfTheJob =
      isOutOfSpace(error) ||
      (isDatabaseUnavailable(error) && (await isNodeAway(service, profileId, pingNode)))
    const retry = error instanceof JobError ? error.retry : { afterMs: retryDelayMs(claimed.attempts) }
    const dead = !isNoFaultOfTheJob && (retry === 'never' || claimed.attempts >= claimed.max_attempts)
    if (!signal.aborted) {
      if (dead) service.log.error('job is dead', fields)
      else service.log.warn('job failed', fields)
    }
    if (isNoFaultOfTheJob) return waits(sentence(error))
    return { result: 'failed', error: sentence(error), dead, delayMs: retry === 'never' ? 0 : retry.afterMs }
  }
}

/** A full disk, or a node that is away: until that is over. Not all of them come back at one moment. */
function waits(error: string): Outcome {
  return { result: 'waits', error, dead: false, delayMs: jitter(WAIT_MS, 0.5, Math.random()) }
}

/** True if the node of a distributed database that holds the profile does not answer, or cannot be determined. */
async function isNodeAway(
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

function sentence(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return redact(text).slice(0, MAX_ERROR_LENGTH)
}
