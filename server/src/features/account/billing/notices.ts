/** Mails to the owners about a plan: its trial ends, it is not paid, it ended, it is paid again. */
import { z } from 'zod'
import type { JobContext, Service } from '../../../context.ts'
import { listMailedOwners } from '../../../platform/access/user-queries.ts'
import { job } from '../../../platform/contract/job.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import * as queries from './queries.ts'
import { type Notice, noticeFor, notices, TRIAL_NOTICE_MS } from './rules.ts'

export const billingNotice = job({
  name: 'billing.notice',
  payload: z.object({
    workspace_id: z.uuid(),
    notice: z.enum(notices),
    plan: z.string(),
    trial_ends_at: z.iso.datetime().nullable(),
  }),
  async run({ service, db }: JobContext, { workspace_id: workspaceId, ...payload }) {
    const { subject, text } = write(payload, service.config.BASE_URL)
    for (const to of await listMailedOwners(db, { workspaceId }))
      await service.mailer.send({ to, subject, text })
  },
})

/** One mail for each state, from the transaction that records it. */
export async function sendNotices(service: Service, now: Date): Promise<void> {
  const trialEndsBefore = new Date(now.getTime() + TRIAL_NOTICE_MS)
  for (const workspaceId of await queries.listToNotify(service.db, { trialEndsBefore }))
    await service.db.transaction().execute(async (tx) => {
      const row = await queries.lockSubscription(tx, { workspaceId })
      // Without billing a plan is the deployment's own affair.
      if (row === undefined || (service.billing === undefined && row.billing_subscription === null)) return
      const notice = noticeFor(row, now)
      if (notice === null || notice === row.last_notice) return
      await queries.updateSubscription(tx, { workspaceId, fields: { last_notice: notice } })
      await enqueue(tx, billingNotice, {
        workspace_id: workspaceId,
        notice,
        plan: row.plan,
        trial_ends_at: row.trial_ends_at?.toISOString() ?? null,
      })
    })
}

function write(
  {
    notice,
    plan,
    trial_ends_at: trialEndsAt,
  }: { notice: Notice; plan: string; trial_ends_at: string | null },
  baseUrl: string,
): { subject: string; text: string } {
  const day = trialEndsAt?.slice(0, 10)
  const keep = 'Profiles and their data stay; new profiles, schedules and live links need a paid plan.'
  const mails: Record<Notice, [subject: string, ...lines: string[]]> = {
    trial_ending: [
      `Your trial of the ${plan} plan ends on ${day}`,
      `The trial of the ${plan} plan ends on ${day}. Choose a plan to continue without a break.`,
    ],
    payment_due: [
      `Your ${plan} plan is not paid`,
      `No payment for the ${plan} plan has arrived. Everything works as before for now; please check the means of payment.`,
    ],
    payment_reminder: [
      `Reminder: your ${plan} plan is not paid`,
      `The ${plan} plan has been unpaid for a week. Without a payment it ends.`,
      keep,
    ],
    last_reminder: [
      `Last reminder: your ${plan} plan ends in three days`,
      `The ${plan} plan ends in three days unless it is paid.`,
      keep,
    ],
    ended: [`Your ${plan} plan has ended`, `The ${plan} plan has ended.`, keep],
    recovered: [`Your ${plan} plan is paid`, `The payment for the ${plan} plan has arrived. Thank you.`],
  }
  const [subject, ...lines] = mails[notice]
  return {
    subject,
    text: `${[...lines, `Plan and payment: ${baseUrl}/ (Settings, Workspace)`].join('\n\n')}\n`,
  }
}
