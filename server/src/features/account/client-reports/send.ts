/**
 * Sends a report's mail to one recipient: once from the client's own mailbox, otherwise from the sender domain, where a
 * mail that goes out twice after a crash has the same Message-ID.
 */
import type { JobContext, ProfileRef, Service } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { senderOf } from '../sender-domain/operations.ts'
import { requireMailToPeople } from '../workspaces/plan.ts'
import type { Headline } from './build.ts'
import type { Format } from './contract.ts'
import { sendFromMailbox } from './from-mailbox.ts'
import { MAIL_ATTEMPTS } from './job-names.ts'
import { composeMail } from './mail.ts'
import { notifyOwners } from './owner-notices.ts'
import * as queries from './queries.ts'
import { contentTypes, fileNameOf, outcomeOf } from './rules.ts'
import { unsubscribeToken } from './unsubscribe-rules.ts'
import type { Language } from './words.ts'

type Verdict = { status: 'sent' | 'unsubscribed' | 'failed'; reason?: string }

export async function sendReportMail(
  { service, attempt, now }: JobContext,
  place: { profileId: string; id: string },
): Promise<void> {
  const mail = await queries.findMail(service.db, place)
  if (mail?.status !== 'queued') return
  const profileIds = [place.profileId]
  const report = await queries.findReport(service.db, { profileIds, id: mail.report_id })
  const profile = await findProfileRef(service.db, { profileId: place.profileId })
  if (report?.status !== 'ready' || profile === undefined) return
  const verdict = await trySend(service, profile, report, mail, attempt >= MAIL_ATTEMPTS)
  await inTransaction(service.db, async (tx) => {
    const locked = await queries.lockReport(tx, { profileId: place.profileId, id: report.id })
    const sentAt = verdict.status === 'sent' ? now : null
    const fields = { status: verdict.status, reason: verdict.reason ?? null, sent_at: sentAt }
    await queries.updateMail(tx, { ...place, fields })
    const [counts] = await queries.countMails(tx, { profileIds, reportIds: [report.id] })
    const outcome = outcomeOf(counts!)
    if (outcome === null || locked?.status !== 'ready') return
    const failures = (
      await queries.listMails(tx, { profileId: place.profileId, reportId: report.id })
    ).filter(({ status }) => status === 'failed')
    const detail =
      failures.length === 0
        ? null
        : `Not delivered: ${failures.map(({ recipient, reason }) => `${recipient} (${reason ?? 'no reason given'})`).join(', ')}.`
    await queries.updateReport(tx, {
      profileId: place.profileId,
      id: report.id,
      fields: { ...outcome, detail, ...(outcome.status === 'sent' && { sent_at: now }) },
    })
    if (detail !== null) await notifyOwners(tx, profile, { what: 'failed', why: detail })
    else if (outcome.status === 'skipped')
      await notifyOwners(tx, profile, { what: 'skipped', why: 'Every recipient has unsubscribed.' })
  })
}

/** A refusal that no further try can change is a verdict; anything else is thrown until the last attempt. */
async function trySend(
  service: Service,
  profile: ProfileRef,
  report: queries.ReportRow,
  mail: queries.MailRow,
  isLast: boolean,
): Promise<Verdict> {
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
    const verdict = await sendFromMailbox(service, profileId, { ...message, to: [recipient] })
    if (verdict !== null) return verdict
    const sender = await senderOf(service, profile.workspaceId)
    await service.mailer.send({ ...message, to: recipient, sender })
    return { status: 'sent' }
  } catch (error) {
    if (error instanceof ApiError) return { status: 'failed', reason: error.message }
    const { responseCode, response } = error as { responseCode?: number; response?: string }
    // The mail server refused this address for good.
    if (responseCode !== undefined && responseCode >= 500)
      return { status: 'failed', reason: (response ?? `refused with ${responseCode}`).slice(0, 200) }
    if (!isLast) throw error
    service.log.error('report mail not sent', { profile_id: profileId, error })
    return { status: 'failed', reason: 'The mail server did not accept it.' }
  }
}
