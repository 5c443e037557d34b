import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { findWebhook, markWebhookProcessed } from '../../sources/connections/queries.ts'
import { runPrivacyRequest } from './operations.ts'

export const answerPrivacyRequest = job({
  name: 'privacy_requests.answer',
  payload: z.object({ id: z.uuid() }),
  slow: true,
  maxAttempts: 20,
  async run(context: JobContext, { id }) {
    const row = await findWebhook(context.db, { id })
    if (row === undefined || row.processed_at !== null) return
    const connector = context.service.providers.get(row.provider)?.connector
    const request = connector?.webhooks?.readPrivacyRequest?.({
      rawBody: row.body,
      headers: row.headers as Record<string, string>,
      query: row.query as Record<string, string>,
    })
    if (request) await runPrivacyRequest(context, row.provider, request)
    const now = await databaseNow(context.db)
    await markWebhookProcessed(context.db, { id, receivedAt: row.received_at, now })
  },
})

export const privacyRequestJobs: readonly Job[] = [answerPrivacyRequest]
