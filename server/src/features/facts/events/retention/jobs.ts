import { z } from 'zod'
import type { JobContext } from '../../../../context.ts'
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../../platform/contract/job.ts'
import { enqueue } from '../../../../platform/jobs/enqueue.ts'
import { dropOldEvents, listProfiles } from './drop-old.ts'
import { compactMonths } from './months.ts'

/** Full batches per run; the rest is left to the next run, so that no run occupies a worker for long. */
const MAX_TRANSACTIONS_PER_RUN = 200

const noPayload = z.object({}) as z.ZodType<Record<string, never>>

const dropOld: Job<Record<string, never>> = job({
  name: 'events.drop_old',
  payload: noPayload,
  slow: true,
  async run(context: JobContext) {
    const { service, db, now, signal } = context
    const { RAW_EVENT_DAYS: days } = service.config
    if (days === 0) return
    const before = new Date(now.getTime() - days * DAY_MS)
    const { isDone, error } = await walkProfiles(context, before)
    if (signal?.aborted) return
    if (!isDone) await enqueue(db, dropOld, {}, { dedupeKey: 'rest' })
    else if (error === undefined) await compactMonths(db, { before, now, signal })
    if (error !== undefined) throw error
  },
})

/** A profile whose node is unavailable does not block the others. */
export async function walkProfiles(
  { service, db, now, signal }: Pick<JobContext, 'service' | 'db' | 'now' | 'signal'>,
  before: Date,
  limits: { transactions: number; events?: number } = { transactions: MAX_TRANSACTIONS_PER_RUN },
): Promise<{ isDone: boolean; error: unknown }> {
  let remainingTransactions = limits.transactions
  let error: unknown
  for (const profileId of await listProfiles(db)) {
    try {
      const node = await service.nodes.of(profileId)
      for (let isDone = false; !isDone; ) {
        if (remainingTransactions === 0 || signal?.aborted) return { isDone: false, error }
        const walked = await dropOldEvents(node.backgroundDb, { profileId, before, now, most: limits.events })
        isDone = walked.isDone
        if (!isDone) remainingTransactions--
      }
    } catch (caught) {
      error ??= caught
    }
  }
  return { isDone: true, error }
}

export const retentionJobs: readonly Job[] = [dropOld]
export const retentionSchedules: readonly Schedule[] = [
  { name: 'events.drop_old', job: dropOld, rule: { dailyAtUtc: '03:30' } },
]
