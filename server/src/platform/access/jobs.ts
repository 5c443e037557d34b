/** Expired credentials are kept for a while for inquiries, then deleted. */

import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { DAY_MS } from '../contract/dates.ts'
import { type Job, job, type Schedule } from '../contract/job.ts'
import { deleteExpired } from './delete-expired.ts'
import { mailAccount } from './mail-job.ts'
import { ownerMail } from './owner-mail.ts'

const KEEP_LAPSED_MS = 7 * DAY_MS

const removeExpired = job({
  name: 'access.remove_lapsed',
  payload: z.object({}),
  async run({ db, now, service }: JobContext) {
    const machineNow = service.clock.machineNow()
    const credentialsBefore = new Date(machineNow.getTime() - KEEP_LAPSED_MS)
    await deleteExpired(db, { now, machineNow, credentialsBefore })
  },
})

export const accessJobs: readonly Job[] = [removeExpired, mailAccount, ownerMail]
export const accessSchedules: readonly Schedule[] = [
  { name: 'access.remove_lapsed', job: removeExpired, rule: { everySeconds: 3600 } },
]
