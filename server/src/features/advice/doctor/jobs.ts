import { z } from 'zod'
import type { JobContext, ProfileContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { readInstallation } from './installation.ts'
import { checkProfile } from './operations.ts'
import { listCheckedProfiles } from './queries/findings.ts'

const ofProfile = job({
  name: 'doctor.check',
  payload: z.object({ profile_id: z.uuid() }),
  slow: true,
  run: async (context, payload) =>
    checkProfile(context, payload.profile_id, await readInstallation(context.service)),
})

const queueProfiles = job({
  name: 'doctor.queue',
  payload: z.object({}),
  run: (context: JobContext) =>
    enqueueForAll(context, ofProfile, async (shard) =>
      (await listCheckedProfiles(shard)).map((profileId) => ({
        payload: { profile_id: profileId },
        profileId,
        dedupeKey: 'doctor',
        priority: 'bulk',
      })),
    ),
})

export async function runDoctor({ db, profile }: ProfileContext): Promise<{ queued: true }> {
  await enqueue(db, ofProfile, { profile_id: profile.id }, { profileId: profile.id, dedupeKey: 'doctor' })
  return { queued: true }
}

export const doctorJobs: readonly Job[] = [ofProfile, queueProfiles]
export const doctorSchedules: readonly Schedule[] = [
  { name: 'doctor.queue', job: queueProfiles, rule: { dailyAtUtc: '06:10' } },
]
