/** Custom domains are looked up again every day: one that no longer leads here is not the snippet's origin. */
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { listDueDomains } from './domain-queries.ts'
import { checkDomainAgain } from './domains.ts'

const AT_ONCE = 500
const CHECK_EVERY_MS = 23 * 3_600_000

const checkDomain = job({
  name: 'tracking.check_domain',
  payload: z.object({ domain_id: z.uuid() }),
  async run(context: JobContext, { domain_id: id }) {
    if (context.profileId !== null) await checkDomainAgain(context, { profileId: context.profileId, id })
  },
})

/** Hourly, so that each domain is due once a day and a missed hour is made up by the next. */
const checkDueDomains = job({
  name: 'tracking.check_domains',
  payload: z.object({}),
  async run(context: JobContext) {
    const before = new Date(context.service.clock.now().getTime() - CHECK_EVERY_MS)
    await enqueueForAll(context, checkDomain, async (shard) =>
      (await listDueDomains(shard, { before, limit: AT_ONCE })).map((row) => ({
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
