import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { recommendDaily } from './daily.ts'
import { listAdvertisers } from './queries.ts'

const ofProfile = job({
  name: 'recommendations.make',
  payload: z.object({ profile_id: z.uuid() }),
  run: (context, payload) => recommendDaily(context, payload.profile_id),
})

const queueProfiles = job({
  name: 'recommendations.queue',
  payload: z.object({}),
  run: (context: JobContext) =>
    enqueueForAll(context, ofProfile, async (shard) =>
      (await listAdvertisers(shard)).map((profileId) => ({
        payload: { profile_id: profileId },
        profileId,
        dedupeKey: 'daily',
        priority: 'bulk',
      })),
    ),
})

export const recommendationJobs: readonly Job[] = [ofProfile, queueProfiles]
export const recommendationSchedules: readonly Schedule[] = [
  { name: 'recommendations.queue', job: queueProfiles, rule: { dailyAtUtc: '05:40' } },
]
