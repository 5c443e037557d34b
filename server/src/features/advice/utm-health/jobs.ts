import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { type Job, job } from '../../../platform/contract/job.ts'
import { scan } from './operations.ts'

export const scanJob = job({
  name: 'utm_health.scan',
  payload: z.object({}),
  slow: true,
  async run({ service, profileId, db, now }: JobContext) {
    const profile = profileId === null ? undefined : await findProfileRef(db, { profileId })
    if (profile === undefined) return
    await scan(service, { profileId: profile.id, currency: profile.currency, now, seconds: null })
  },
})

export const utmHealthJobs: readonly Job[] = [scanJob]
