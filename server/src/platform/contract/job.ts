/** What a piece of background work is: a name, a payload schema and an operation that may run twice. */
import type { z } from 'zod'
import type { JobContext } from '../../context.ts'

export type Job<P = unknown> = {
  name: string
  payload: z.ZodType<P>
  /** Works for more than a few seconds: runs in a pool of its own, so that it keeps no short work waiting. */
  slow?: boolean
  /** Tries before the job is dead; 5 by default. */
  maxAttempts?: number
  run(context: JobContext, payload: P): Promise<void>
}

export function job<P>(definition: Job<P>): Job<P> {
  return definition
}

/** How a failed try goes on, when the usual backoff is not right. Any other error is retried with backoff. */
export class JobError extends Error {
  readonly retry: 'never' | { afterMs: number }
  constructor(message: string, retry: JobError['retry'], options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'JobError'
    this.retry = retry
  }
}

/** A job that the service starts by itself. Runs of one schedule never overlap, and missed ones are not made up for. */
export type Schedule = {
  /** Unique among the schedules. */
  name: string
  job: Job<Record<string, never>>
  /** Due whenever a worker starts, and by the rule from then on. */
  atStart?: boolean
  rule: { everySeconds: number } | { dailyAtUtc: `${number}:${number}` }
}
