import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { readStudiesJob } from '../../sources/connections/read-studies-job.ts'
import { decideExperiments, readExperiments } from './operations.ts'
import { listAdConnections } from './queries.ts'
import { listProfilesToDecide } from './queries-regions.ts'

const readStudies = job({
  ...readStudiesJob,
  run: (context, payload) =>
    readExperiments(context, { profileId: payload.profile_id, connectionId: payload.connection_id }),
})

const decideOwnStudies = job({
  name: 'experiments.decide_own',
  payload: z.object({ profile_id: z.uuid() }),
  run: (context, payload) => decideExperiments(context, payload.profile_id),
})

const queueReads = job({
  name: 'experiments.queue_reads',
  payload: z.object({}),
  async run(context: JobContext) {
    const providers = [...context.service.providers.values()]
      .filter(({ connector }) => connector.experiments !== undefined)
      .map(({ provider }) => provider)
    await enqueueForAll(context, readStudiesJob, async (shard) =>
      (await listAdConnections(shard, { providers })).map((row) => ({
        payload: { profile_id: row.profile_id, connection_id: row.id },
        profileId: row.profile_id,
        dedupeKey: row.id,
        priority: 'bulk',
      })),
    )
    await enqueueForAll(context, decideOwnStudies, async (shard) =>
      (await listProfilesToDecide(shard, { now: context.now })).map((profileId) => ({
        payload: { profile_id: profileId },
        profileId,
        dedupeKey: 'decide_own',
        priority: 'bulk',
      })),
    )
  },
})

export const experimentJobs: readonly Job[] = [readStudies, decideOwnStudies, queueReads]
export const experimentSchedules: readonly Schedule[] = [
  { name: 'experiments.queue_reads', job: queueReads, rule: { dailyAtUtc: '04:10' } },
]
