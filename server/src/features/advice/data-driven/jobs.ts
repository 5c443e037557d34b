import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { learn } from './learn.ts'
import { listProfilesToLearn } from './queries.ts'
import { CREDITED_DAYS } from './rules.ts'

export const learnJob = job({
  name: 'data_driven.learn',
  payload: z.object({ profile_id: z.uuid() }),
  slow: true,
  run: (context, payload) => learn(context, payload.profile_id),
})

const queueProfiles = job({
  name: 'data_driven.queue',
  payload: z.object({}),
  run: (context: JobContext) =>
    enqueueForAll(context, learnJob, async (shard) => {
      const since = addDays(localDay(context.now, 'UTC'), -CREDITED_DAYS)
      return (await listProfilesToLearn(shard, since)).map((profileId) => ({
        payload: { profile_id: profileId },
        profileId,
        dedupeKey: 'data_driven',
        priority: 'bulk' as const,
      }))
    }),
})

export const dataDrivenJobs: readonly Job[] = [learnJob, queueProfiles]
export const dataDrivenSchedules: readonly Schedule[] = [
  { name: 'data_driven.queue', job: queueProfiles, rule: { dailyAtUtc: '04:40' } },
]
