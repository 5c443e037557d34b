import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job } from '../../../platform/contract/job.ts'
import { runRepair } from './run.ts'

export const repairPhones = job({
  name: 'identity.repair_phones',
  payload: z.object({ repairId: z.uuid() }),
  slow: true,
  maxAttempts: 20,
  async run(context: JobContext, { repairId }) {
    await runRepair(context, { profileId: context.profileId!, repairId })
  },
})

export const phoneRepairJobs: readonly Job[] = [repairPhones]
