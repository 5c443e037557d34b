import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { billingMail, billingNotice, sendNotices } from './notices.ts'
import { checkOpenCheckouts, endTrials, refreshStaleSubscriptions } from './operations.ts'
import { cancelPayment } from './payment-end.ts'

/** Polls for changes that no webhook reported: unfinished checkouts, renewals, expired trials. */
const review = job({
  name: 'billing.review',
  payload: z.object({}),
  async run({ service, now }: JobContext) {
    await checkOpenCheckouts(service, now)
    await refreshStaleSubscriptions(service, now)
    if (service.billing !== undefined) await endTrials(service, now)
    await sendNotices(service, now)
  },
})

export const billingJobs: readonly Job[] = [review, billingMail, billingNotice, cancelPayment]
export const billingSchedules: readonly Schedule[] = [
  { name: 'billing.review', job: review, rule: { everySeconds: 300 } },
]
