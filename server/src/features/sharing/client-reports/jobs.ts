import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { listMailedOwners } from '../../../platform/access/user-queries.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { mailEach } from '../../../platform/mail/mail-each.ts'
import { buildReport } from './build.ts'
import { buildReportRef, mailReportRef, notifyOwnersRef } from './job-names.ts'
import { startDueReports } from './schedules.ts'
import { sendReportMail } from './send.ts'

const build = job({
  ...buildReportRef,
  run: (context, payload) => buildReport(context, { profileId: payload.profile_id, id: payload.report_id }),
})

const mail = job({
  ...mailReportRef,
  run: (context, payload) => sendReportMail(context, { profileId: payload.profile_id, id: payload.mail_id }),
})

const owners = job({
  ...notifyOwnersRef,
  async run({ service, db, jobId }, payload) {
    const owners = await listMailedOwners(db, { workspaceId: payload.workspace_id })
    const { subject, text } = payload
    await mailEach(service, owners, { subject, text, messageId: jobId })
  },
})

const start = job({
  name: 'client_reports.start_due',
  payload: z.object({}),
  run: (context: JobContext) => startDueReports(context),
})

export const clientReportJobs: readonly Job[] = [build, mail, owners, start]
export const clientReportSchedules: readonly Schedule[] = [
  { name: 'client_reports.start_due', job: start, rule: { everySeconds: 60 } },
]
