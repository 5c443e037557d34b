/** Mails to the owners about the state of their plan: trial ending, unpaid, ended, paid again. */
import { z } from 'zod'
import type { JobContext, Service } from '../../../context.ts'
import { listMailedOwners } from '../../../platform/access/user-queries.ts'
import { job } from '../../../platform/contract/job.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueueMany } from '../../../platform/jobs/enqueue.ts'
import * as queries from './queries.ts'
import { type Notice, noticeFor, notices, TRIAL_NOTICE_MS } from './rules.ts'
import { isStoreSubscription } from './store-plans.ts'

const NoticeContent = z.object({
  notice: z.enum(notices),
  plan: z.string(),
  trial_ends_at: z.iso.datetime().nullable(),
})
type NoticeContent = z.infer<typeof NoticeContent>

export const billingMail = job({
  name: 'billing.mail',
  payload: NoticeContent.extend({ to: z.string() }),
  async run({ service, jobId }: JobContext, { to, ...payload }) {
    const { subject, text } = write(payload, service.config.BASE_URL)
    await service.mailer.send({ to, subject, text, messageId: jobId })
  },
})

/** Handles jobs queued by earlier releases: one job for all owners. */
export const billingNotice = job({
  name: 'billing.notice',
  payload: NoticeContent.extend({ workspace_id: z.uuid() }),
  async run({ service }: JobContext, { workspace_id: workspaceId, ...content }) {
    await service.db.transaction().execute((tx) => mailEachOwner(tx, workspaceId, content))
  },
})

/** Queues one mail per state and owner, in the transaction that records it: a crash repeats at most the mail being sent. */
export async function sendNotices(service: Service, now: Date): Promise<void> {
  const trialEndsBefore = new Date(now.getTime() + TRIAL_NOTICE_MS)
  for (const workspaceId of await queries.listToNotify(service.db, { trialEndsBefore }))
    await service.db.transaction().execute(async (tx) => {
      const row = await queries.lockSubscription(tx, { workspaceId })
      // Without billing, plans are managed by the operator of the deployment.
      if (row === undefined || (service.billing === undefined && row.billing_subscription === null)) return
      const notice = noticeFor(row, now)
      if (notice === null || notice === row.last_notice) return
      await queries.updateSubscription(tx, { workspaceId, fields: { last_notice: notice } })
      const trialEndsAt = row.trial_ends_at?.toISOString() ?? null
      await mailEachOwner(tx, workspaceId, { notice, plan: row.plan, trial_ends_at: trialEndsAt })
    })
}

/** Called before an archived workspace loses its owners: the store platform's billing only ends when the store removes the app. */
export async function warnOfStorePayment(tx: Tx, workspaceId: string): Promise<void> {
  const payer = await queries.findPayer(tx, { workspaceId })
  if (payer === undefined || payer.status === 'canceled') return
  if (!isStoreSubscription(payer.billing_subscription ?? undefined)) return
  await mailEachOwner(tx, workspaceId, { notice: 'store_bills_on', plan: payer.plan, trial_ends_at: null })
}

async function mailEachOwner(tx: Tx, workspaceId: string, content: NoticeContent): Promise<void> {
  const owners = await listMailedOwners(tx, { workspaceId })
  await enqueueMany(
    tx,
    billingMail,
    owners.map((to) => ({ payload: { to, ...content } })),
  )
}

function write(
  { notice, plan, trial_ends_at: trialEndsAt }: NoticeContent,
  baseUrl: string,
): { subject: string; text: string } {
  const day = trialEndsAt?.slice(0, 10)
  const dataIsKept = 'Profiles and their data stay; new profiles, schedules and live links need a paid plan.'
  const mails: Record<Notice, [subject: string, ...lines: string[]]> = {
    trial_ending: [
      `Your trial of the ${plan} plan ends on ${day}`,
      `The trial of the ${plan} plan ends on ${day}. Choose a plan to continue without a break.`,
    ],
    payment_due: [
      `Your ${plan} plan is not paid`,
      `No payment for the ${plan} plan has arrived. Everything keeps working for now; please check your payment method.`,
    ],
    payment_reminder: [
      `Reminder: your ${plan} plan is not paid`,
      `The ${plan} plan has been unpaid for a week. Without a payment it ends.`,
      dataIsKept,
    ],
    last_reminder: [
      `Last reminder: your ${plan} plan ends in three days`,
      `The ${plan} plan ends in three days unless it is paid.`,
      dataIsKept,
    ],
    ended: [`Your ${plan} plan has ended`, `The ${plan} plan has ended.`, dataIsKept],
    recovered: [`Your ${plan} plan is paid`, `The payment for the ${plan} plan has arrived. Thank you.`],
    store_bills_on: [
      `Your store still pays for the ${plan} plan`,
      `Your workspace is archived. Its ${plan} plan is paid through your store, which charges until the app is removed: in the store’s admin, open Settings, Apps, and uninstall it.`,
    ],
  }
  const [subject, ...lines] = mails[notice]
  const link = notice === 'store_bills_on' ? [] : [`Plan and payment: ${baseUrl}/ (Settings, Workspace)`]
  return { subject, text: `${[...lines, ...link].join('\n\n')}\n` }
}
