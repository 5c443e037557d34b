import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { type Job, job, type Schedule } from '../../contract/job.ts'
import { forAllProfiles } from '../../jobs/all-profiles.ts'
import { enqueueMany } from '../../jobs/enqueue.ts'
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
  async run(context: JobContext) {
    await forAllProfiles(context, async (shard) => {
      const profileIds = await listAdvertisers(shard)
      await enqueueMany(
        context.db,
        ofProfile,
        profileIds.map((profileId) => ({
          payload: { profile_id: profileId },
          profileId,
          dedupeKey: 'daily',
          priority: 'bulk' as const,
        })),
      )
    })
  },
})

export const recommendationJobs: readonly Job[] = [ofProfile, queueProfiles]
export const recommendationSchedules: readonly Schedule[] = [
  { name: 'recommendations.queue', job: queueProfiles, rule: { dailyAtUtc: '05:40' } },
]
