/**
 * Mails a report to one recipient, from the client's mailbox (at most once) or from the sender domain. If a crash makes
 * the latter send twice, both mails have the same Message-ID.
 */
import type { JobContext, ProfileRef, Service } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { loadMailSender } from '../../account/sender-domain/operations.ts'
import { requireMailToPeople } from '../../account/workspaces/plan.ts'
import type { Headline } from './build.ts'
import type { Format } from './contract.ts'
import { sendFromMailbox } from './from-mailbox.ts'
import { MAIL_ATTEMPTS } from './job-names.ts'
import { composeMail } from './mail.ts'
import { notifyOwners } from './owner-notices.ts'
import * as queries from './queries.ts'
import { contentTypes, fileNameOf, finalStatus } from './rules.ts'
import { unsubscribeToken } from './unsubscribe-rules.ts'
import type { Language } from './words.ts'

/** Without SMTP_URL mails are files in the data folder. */
const NO_MAIL_SERVER = 'no_mail_server'

type SendResult = { status: 'sent' | 'unsubscribed' | 'failed'; reason?: string }

export async function sendReportMail(
  { service, attempt, now }: JobContext,
  key: { profileId: string; id: string },
): Promise<void> {
  const mail = await queries.findMail(service.db, key)
  if (mail?.status !== 'queued') return
  const profileIds = [key.profileId]
  const report = await queries.findReport(service.db, { profileIds, id: mail.report_id })
  const profile = await findProfileRef(service.db, { profileId: key.profileId })
  if (report?.status !== 'ready' || profile === undefined) return
  const result = await trySend(service, profile, report, mail, attempt >= MAIL_ATTEMPTS)
  await inTransaction(service.db, async (tx) => {
    const locked = await queries.lockReport(tx, { profileId: key.profileId, id: report.id })
    const sentAt = result.status === 'sent' ? now : null
    const fields = { status: result.status, reason: result.reason ?? null, sent_at: sentAt }
    await queries.updateMail(tx, { ...key, fields })
    const [counts] = await queries.countMails(tx, { profileIds, reportIds: [report.id] })
    const outcome = finalStatus(counts!)
    if (outcome === null || locked?.status !== 'ready') return
    const mails = await queries.listMails(tx, { profileId: key.profileId, reportId: report.id })
    const failures = mails.filter(({ status }) => status === 'failed')
    const isKept = mails.some(({ status, reason }) => status === 'sent' && reason === NO_MAIL_SERVER)
    const detail =
      failures.length === 0
        ? null
        : `Not delivered: ${failures.map(({ recipient, reason }) => `${recipient} (${reason ?? 'no reason given'})`).join(', ')}.`
    await queries.updateReport(tx, {
      profileId: key.profileId,
      id: report.id,
      fields: {
        ...outcome,
        reason: outcome.reason ?? (isKept ? NO_MAIL_SERVER : null),
        detail:
          detail ??
          (isKept ? 'No mail server is configured, so the mail is a file in the data folder.' : null),
        ...(outcome.status === 'sent' && { sent_at: now }),
      },
    })
    if (detail !== null) await notifyOwners(tx, profile, { event: 'failed', why: detail })
    else if (outcome.status === 'skipped')
      await notifyOwners(tx, profile, { event: 'skipped', why: 'Every recipient has unsubscribed.' })
  })
}

/** Returns permanent failures as a result. Other errors are thrown for a retry until the last attempt. */
async function trySend(
  service: Service,
  profile: ProfileRef,
  report: queries.ReportRow,
  mail: queries.MailRow,
  isLast: boolean,
): Promise<SendResult> {
  const { profile_id: profileId, recipient } = mail
  if (await queries.isUnsubscribed(service.db, { profileId, recipient })) return { status: 'unsubscribed' }
  try {
    await requireMailToPeople(service.db, profile.workspaceId)
    const content = await queries.findContent(service.db, { profileId, id: report.id })
    const format = report.format as Format
    const token = unsubscribeToken(service.identityPepper, { profileId, mailId: mail.id })
    const unsubscribeUrl = `${service.config.BASE_URL}/reports/unsubscribe/${token}`
    const message = {
      ...composeMail(report.headline as Headline, report.language as Language, unsubscribeUrl),
      attachments: [
        {
          filename: fileNameOf(report, profile.name),
          contentType: contentTypes[format].split(';')[0]!,
          content: content!,
        },
      ],
      messageId: mail.id,
      unsubscribeUrl,
    }
    const result = await sendFromMailbox(service, profileId, { ...message, to: [recipient] })
    if (result !== null) return result
    const sender = await loadMailSender(service, profile.workspaceId)
    await service.mailer.send({ ...message, to: recipient, sender })
    return service.config.SMTP_URL === undefined
      ? { status: 'sent', reason: NO_MAIL_SERVER }
      : { status: 'sent' }
  } catch (error) {
    if (error instanceof ApiError) return { status: 'failed', reason: error.message }
    const { responseCode, response } = error as { responseCode?: number; response?: string }
    // 5xx: the mail server rejected this address permanently.
    if (responseCode !== undefined && responseCode >= 500)
      return { status: 'failed', reason: (response ?? `rejected with ${responseCode}`).slice(0, 200) }
    if (!isLast) throw error
    service.log.error('report mail not sent', { profile_id: profileId, error })
    return { status: 'failed', reason: 'The mail server did not accept the mail.' }
  }
}
