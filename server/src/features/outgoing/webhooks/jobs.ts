import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { compareFreshness } from './freshness.ts'
import { deleteOldEvents, listProfilesWithEvents } from './queries.ts'

const nothing = z.object({}) as z.ZodType<Record<string, never>>
const RETENTION_MS = 90 * DAY_MS

const watchFreshness = job({
  name: 'webhooks.watch_freshness',
  payload: nothing,
  run: (context: JobContext) => forAllProfiles(context, (shard) => compareFreshness(shard, context.now)),
})

const dropOld = job({
  name: 'webhooks.drop_old',
  payload: nothing,
  slow: true,
  async run(context: JobContext) {
    const before = new Date(context.now.getTime() - RETENTION_MS)
    await forAllProfiles(context, async (shard) => {
      for (const profileId of await listProfilesWithEvents(shard))
        await deleteOldEvents(shard, { profileId, before })
    })
  },
})

export const webhookJobs: readonly Job[] = [watchFreshness, dropOld]

export const webhookSchedules: readonly Schedule[] = [
  { name: 'webhooks.watch_freshness', job: watchFreshness, rule: { everySeconds: 60 } },
  { name: 'webhooks.drop_old', job: dropOld, rule: { dailyAtUtc: '03:40' } },
]
