/** Dead jobs are kept long enough to be inspected and requeued, then deleted. */

import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { DAY_MS } from '../contract/dates.ts'
import { type Job, job, type Schedule } from '../contract/job.ts'
import { discardDeadJobs } from './dead.ts'

const KEEP_DEAD_MS = 30 * DAY_MS

const discardDead = job({
  name: 'jobs.discard_dead',
  payload: z.object({}),
  async run({ db, now }: JobContext) {
    await discardDeadJobs(db, new Date(now.getTime() - KEEP_DEAD_MS))
  },
})

export const upkeepJobs: readonly Job[] = [discardDead]
export const upkeepSchedules: readonly Schedule[] = [
  { name: 'jobs.discard_dead', job: discardDead, rule: { dailyAtUtc: '03:10' } },
]
