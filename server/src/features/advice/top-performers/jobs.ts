import { z } from 'zod'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { startDueScorings } from './operations.ts'
import { scoreProfile } from './score-profile.ts'

export const scoreTopPerformers = job({
  name: 'top_performers.score',
  payload: z.object({ profile_id: z.uuid() }),
  slow: true,
  run: (context, payload) => scoreProfile(context, payload.profile_id),
})

const startDue = job({
  name: 'top_performers.start_due',
  payload: z.object({}),
  run: (context) => startDueScorings(context, scoreTopPerformers),
})

export const topPerformerJobs: readonly Job[] = [scoreTopPerformers, startDue]
export const topPerformerSchedules: readonly Schedule[] = [
  { name: 'top_performers.start_due', job: startDue, atStart: true, rule: { everySeconds: 600 } },
]
