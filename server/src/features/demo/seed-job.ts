import { z } from 'zod'
import { job } from '../../contract/job.ts'

export const seedDemo = job({
  name: 'demo.seed',
  payload: z.object({ profile_id: z.uuid() }),
  slow: true,
  // The operation enqueues this job, so it is looked up when it runs.
  run: async (context, payload) => (await import('./operations.ts')).seed(context, payload.profile_id),
})
