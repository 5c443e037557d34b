/** Job names and payloads for enqueueing; the handlers are in `jobs.ts`. */
import { z } from 'zod'

export const MAIL_ATTEMPTS = 5

export const buildReportRef = {
  name: 'client_reports.build',
  payload: z.object({ profile_id: z.uuid(), report_id: z.uuid() }),
  slow: true,
}
export const mailReportRef = {
  name: 'client_reports.mail',
  payload: z.object({ profile_id: z.uuid(), mail_id: z.uuid() }),
  maxAttempts: MAIL_ATTEMPTS,
}
export const notifyOwnersRef = {
  name: 'client_reports.tell_owners',
  payload: z.object({ workspace_id: z.uuid(), subject: z.string(), text: z.string() }),
}
