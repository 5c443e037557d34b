import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { deliver, startDueBriefs } from './deliver.ts'
import { deliverRef } from './job-names.ts'

const send = job({
  ...deliverRef,
  run: (context, payload) => deliver(context, { profileId: payload.profile_id, id: payload.delivery_id }),
})

const start = job({
  name: 'briefs.start_due',
  payload: z.object({}),
  run: (context: JobContext) => startDueBriefs(context),
})

export const briefJobs: readonly Job[] = [send, start]
export const briefSchedules: readonly Schedule[] = [
  { name: 'briefs.start_due', job: start, rule: { everySeconds: 60 } },
]
