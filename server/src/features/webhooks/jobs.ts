import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { type Job, job, type Schedule } from '../../contract/job.ts'
import { compareFreshness } from './freshness.ts'
import { deleteOldEvents, listProfilesWithEvents } from './queries.ts'

const nothing = z.object({}) as z.ZodType<Record<string, never>>
const KEEP_MS = 90 * 86_400_000

const watchFreshness = job({
  name: 'webhooks.watch_freshness',
  payload: nothing,
  run: (context: JobContext) => compareFreshness(context.db, context.now),
})

const dropOld = job({
  name: 'webhooks.drop_old',
  payload: nothing,
  slow: true,
  async run({ db, now }: JobContext) {
    const before = new Date(now.getTime() - KEEP_MS)
    for (const profileId of await listProfilesWithEvents(db)) await deleteOldEvents(db, { profileId, before })
  },
})

export const webhookJobs: readonly Job[] = [watchFreshness, dropOld]

export const webhookSchedules: readonly Schedule[] = [
  { name: 'webhooks.watch_freshness', job: watchFreshness, rule: { everySeconds: 60 } },
  { name: 'webhooks.drop_old', job: dropOld, rule: { dailyAtUtc: '03:40' } },
]
