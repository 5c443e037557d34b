/** Enqueues reports and mails in the transaction that inserts them. */
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueueMany } from '../../../platform/jobs/enqueue.ts'
import { buildReportRef, mailReportRef } from './job-names.ts'
import type { MailRow } from './queries.ts'

/** One row per recipient, inserted with the report. Its id is the Message-ID of every attempt. */
export const toMails = (profileId: string, reportId: string, recipients: readonly string[]) =>
  recipients.map((recipient) => ({
    profile_id: profileId,
    id: uuidv7(),
    report_id: reportId,
    recipient,
    status: 'queued',
  }))

export const enqueueBuilds = (tx: Tx, rows: readonly { profile_id: string; id: string }[]) =>
  enqueueMany(
    tx,
    buildReportRef,
    rows.map(({ profile_id, id }) => ({
      payload: { profile_id, report_id: id },
      profileId: profile_id,
      dedupeKey: id,
    })),
  )

export const enqueueMails = (tx: Tx, mails: readonly MailRow[]) =>
  enqueueMany(
    tx,
    mailReportRef,
    mails
      .filter(({ status }) => status === 'queued')
      .map(({ profile_id, id }) => ({
        payload: { profile_id, mail_id: id },
        profileId: profile_id,
        dedupeKey: id,
      })),
  )
