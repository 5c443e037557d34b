import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { addDays, DAY_MS } from '../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { listUnthinned, thinDay } from './thin-queries.ts'

/** Days that changes keep their own time and fact; older ones are summed per day. */
export const DETAILED_DAYS = 60

/** Sums whole local days only, so that no day is summed in two parts. */
const thin = job({
  name: 'restatements.thin',
  payload: z.object({}),
  slow: true,
  async run(context: JobContext) {
    const { service, now, signal } = context
    const before = new Date(now.getTime() - DETAILED_DAYS * DAY_MS)
    let failure: unknown
    await forAllProfiles(context, async (shard) => {
      for (const { profile_id: profileId, timezone, oldest } of await listUnthinned(shard, { before })) {
        try {
          const node = await service.nodes.of(profileId)
          for (
            let day = localDay(oldest, timezone);
            day < localDay(before, timezone);
            day = addDays(day, 1)
          ) {
            if (signal?.aborted) return
            await inTransaction(node.backgroundDb, (tx) =>
              thinDay(tx, { profileId, ...dayBounds(day, timezone) }),
            )
          }
        } catch (error) {
          // A failing profile does not block the others.
          failure ??= error
        }
      }
    })
    if (failure !== undefined) throw failure
  },
})

export const restatementJobs: readonly Job[] = [thin]
export const restatementSchedules: readonly Schedule[] = [
  { name: 'restatements.thin', job: thin, rule: { dailyAtUtc: '03:50' } },
]
