import { sql } from 'kysely'
import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { type Job, job, type Schedule } from '../../contract/job.ts'
import { compareFreshness } from './freshness.ts'

const nothing = z.object({}) as z.ZodType<Record<string, never>>
const KEEP_MS = 90 * 86_400_000

const watchFreshness = job({
  name: 'webhooks.watch_freshness',
  payload: nothing,
  run: (context: JobContext) => compareFreshness(context.db, context.now),
})

/** Outcomes stay: that they were told is what keeps a later sync from telling them again. They hold no person. */
const dropOld = job({
  name: 'webhooks.drop_old',
  payload: nothing,
  slow: true,
  async run({ db, now }: JobContext) {
    const before = new Date(now.getTime() - KEEP_MS)
    const profiles = await db.selectFrom('outbox_counters').select('profile_id').execute()
    for (const { profile_id: profileId } of profiles) {
      await sql`delete from webhook_deliveries
        where profile_id = ${profileId} and status <> 'pending' and settled_at < ${before}`.execute(db)
      await sql`delete from outbox_events
        where profile_id = ${profileId} and type <> 'outcome.recorded' and type <> 'leadgen.received'
          and recorded_at < ${before}`.execute(db)
    }
  },
})

export const webhookJobs: readonly Job[] = [watchFreshness, dropOld]

export const webhookSchedules: readonly Schedule[] = [
  { name: 'webhooks.watch_freshness', job: watchFreshness, rule: { everySeconds: 60 } },
  { name: 'webhooks.drop_old', job: dropOld, rule: { dailyAtUtc: '03:40' } },
]
