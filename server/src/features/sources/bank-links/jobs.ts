import { z } from 'zod'
import { readFinishedSession } from '../../../connectors/banklink/webhook.ts'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { findWebhook, markWebhookProcessed } from '../connections/queries.ts'
import { finishBankLink } from './operations.ts'
import { deleteBankLinksBefore, findBankLink } from './queries.ts'

/** Finishes a link session reported by a webhook. The caller may have finished it before. */
export const finishReportedLink = job({
  name: 'integrations.finish_told_link',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 10,
  async run(context: JobContext, { id }) {
    const { db, service } = context
    const row = await findWebhook(db, { id })
    if (row === undefined || row.processed_at !== null) return
    const session = readFinishedSession({ rawBody: row.body })
    if (session !== null && session.status.toUpperCase() === 'SUCCESS')
      await finishLink(context, session.link_token)
    await markWebhookProcessed(db, { id, receivedAt: row.received_at, now: await databaseNow(service.db) })
  },
})

async function finishLink({ db, service }: JobContext, linkToken: string): Promise<void> {
  const link = await findBankLink(db, { linkToken })
  const profile = link && (await findProfileRef(db, { profileId: link.profile_id }))
  if (profile === undefined || service.banklink === undefined) return
  const result = await finishBankLink(db, service, service.banklink, { profile, linkToken })
  // Retried: a concurrent attempt may fail, and the provider may report a session before its API shows it.
  if (result.type === 'busy' || result.type === 'open')
    throw new Error(`The bank link is ${result.type}; its webhook is retried`)
}

/** Longer than the provider retries webhooks (a day) and keeps sessions (six hours). */
const KEEP_LINKS_MS = 7 * DAY_MS

const dropOldLinks = job({
  name: 'integrations.drop_old_links',
  payload: z.object({}),
  async run(context: JobContext) {
    const now = await databaseNow(context.db)
    await deleteBankLinksBefore(context.db, { before: new Date(now.getTime() - KEEP_LINKS_MS) })
  },
})

export const bankLinkJobs: readonly Job[] = [finishReportedLink, dropOldLinks]

export const bankLinkSchedules: readonly Schedule[] = [
  { name: 'integrations.drop_old_links', job: dropOldLinks, rule: { dailyAtUtc: '03:25' } },
]
