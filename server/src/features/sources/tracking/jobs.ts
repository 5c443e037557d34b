/** Custom domains are checked daily: the snippet must not use one that no longer points to the service. */
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { listDueDomains } from './domain-queries.ts'
import { recheckDomain } from './domains.ts'

const BATCH_SIZE = 500
const CHECK_EVERY_MS = 23 * 3_600_000

const checkDomain = job({
  name: 'tracking.check_domain',
  payload: z.object({ domain_id: z.uuid() }),
  async run(context: JobContext, { domain_id: id }) {
    if (context.profileId !== null) await recheckDomain(context, { profileId: context.profileId, id })
  },
})

/** Runs hourly; each domain is due once a day. A missed run is made up by the next one. */
const checkDueDomains = job({
  name: 'tracking.check_domains',
  payload: z.object({}),
  async run(context: JobContext) {
    const before = new Date(context.service.clock.now().getTime() - CHECK_EVERY_MS)
    await enqueueForAll(context, checkDomain, async (shard) =>
      (await listDueDomains(shard, { before, limit: BATCH_SIZE })).map((row) => ({
        payload: { domain_id: row.id },
        profileId: row.profile_id,
        dedupeKey: row.id,
      })),
    )
  },
})

export const trackingJobs: readonly Job[] = [checkDomain, checkDueDomains]
export const trackingSchedules: readonly Schedule[] = [
  { name: 'tracking.check_domains', job: checkDueDomains, rule: { everySeconds: 3600 } },
]
