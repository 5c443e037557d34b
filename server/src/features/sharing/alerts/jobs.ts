import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { deliver } from '../briefs/deliver.ts'
import { composeAlerts } from './compose.ts'
import { evaluateProfile } from './evaluate.ts'
import { deliverRef } from './job-names.ts'
import { listProfilesWithRules } from './queries.ts'

const evaluate = job({
  name: 'alerts.evaluate',
  payload: z.object({ profile_id: z.uuid() }),
  slow: true,
  run: (context, payload) => evaluateProfile(context, payload.profile_id),
})

const queueProfiles = job({
  name: 'alerts.queue',
  payload: z.object({}),
  run: (context: JobContext) =>
    enqueueForAll(context, evaluate, async (shard) =>
      (await listProfilesWithRules(shard)).map((profileId) => ({
        payload: { profile_id: profileId },
        profileId,
        dedupeKey: 'alerts',
        priority: 'bulk',
      })),
    ),
})

const send = job({
  ...deliverRef,
  run: (context, payload) =>
    deliver(context, { profileId: payload.profile_id, id: payload.delivery_id }, composeAlerts),
})

export const alertJobs: readonly Job[] = [evaluate, queueProfiles, send]
export const alertSchedules: readonly Schedule[] = [
  { name: 'alerts.queue', job: queueProfiles, rule: { everySeconds: 1800 } },
]
