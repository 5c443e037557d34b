import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job } from '../../../platform/contract/job.ts'
import { runPendingErasures } from './erase.ts'

export const eraseCustomers = job({
  name: 'erasures.erase',
  payload: z.object({}),
  slow: true,
  maxAttempts: 20,
  async run(context: JobContext) {
    const { service, signal } = context
    const { clock, log, keyring, identityPepper } = service
    await runPendingErasures(
      { db: context.db, clock, log, keyring, identityPepper },
      context.profileId!,
      signal,
    )
    signal.throwIfAborted()
    service.processor.wake(context.profileId!)
  },
})

export const erasureJobs: readonly Job[] = [eraseCustomers]
