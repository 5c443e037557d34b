import { z } from 'zod'
import { job } from '../../../platform/contract/job.ts'
import { seed } from './seed.ts'

export const seedDemo = job({
  name: 'demo.seed',
  payload: z.object({ profile_id: z.uuid() }),
  slow: true,
  run: (context, payload) => seed(context, payload.profile_id),
})
