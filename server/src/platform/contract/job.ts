/** Definition of a background job: a name, a payload schema and an idempotent operation. */
import type { z } from 'zod'
import type { JobContext } from '../../context.ts'

export type Job<P = unknown> = {
  name: string
  payload: z.ZodType<P>
  /** Takes more than a few seconds: runs in a separate pool, so that short jobs do not wait for it. */
  slow?: boolean
  /** Attempts before the job is dead; 5 by default. */
  maxAttempts?: number
  run(context: JobContext, payload: P): Promise<void>
}

export function job<P>(definition: Job<P>): Job<P> {
  return definition
}

/** Thrown to override the default retry. Any other error is retried with backoff. */
export class JobError extends Error {
  readonly retry: 'never' | { afterMs: number }
  constructor(message: string, retry: JobError['retry'], options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'JobError'
    this.retry = retry
  }
}

/** A recurring job. Runs of one schedule never overlap, and missed runs are skipped. */
export type Schedule = {
  /** Unique among the schedules. */
  name: string
  job: Job<Record<string, never>>
  /** Also run when a worker starts. */
  atStart?: boolean
  rule: { everySeconds: number } | { dailyAtUtc: `${number}:${number}` }
}
