/** Rechecks sender domains: hourly while they are pending, daily once verified. */
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { checkSender } from './operations.ts'
import { listDueSenders } from './queries.ts'

const HOUR_MS = 3_600_000
const BATCH_SIZE = 200

const checkSenders = job({
  name: 'sender_domains.check',
  payload: z.object({}),
  slow: true,
  async run({ service }: JobContext) {
    const now = service.clock.now()
    const before = (ms: number) => new Date(now.getTime() - ms)
    const criteria = {
      verifiedBefore: before(23 * HOUR_MS),
      openBefore: before(50 * 60_000),
      limit: BATCH_SIZE,
    }
    for (const workspaceId of await listDueSenders(service.db, criteria))
      await checkSender(service, service.db, { workspaceId, now })
  },
})

export const senderDomainJobs: readonly Job[] = [checkSenders]
export const senderDomainSchedules: readonly Schedule[] = [
  { name: 'sender_domains.check', job: checkSenders, rule: { everySeconds: 3600 } },
]
