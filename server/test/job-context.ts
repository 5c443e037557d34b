/** The context of a job, for tests that call its operation directly. */
import type { JobContext } from '../src/context.ts'

export function jobContext(
  service: JobContext['service'],
  { now = service.clock.now(), attempt = 1 }: { now?: Date; attempt?: number } = {},
): JobContext {
  const signal = new AbortController().signal
  return {
    service,
    db: service.db,
    now,
    log: service.log,
    jobId: 'job-of-a-test',
    profileId: null,
    attempt,
    signal,
  }
}
