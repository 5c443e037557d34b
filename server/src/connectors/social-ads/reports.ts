/**
 * Insights that the platform makes in its own time: the last resort where even a single day is too much for an answer.
 * `POST …/insights` names a report run, which is polled until it is done and then read like a list
 * (fields of `AdReportRun` in the official client 24.0.1; the words of `async_status` in integrators' public code,
 * read 2026-11-16).
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import { id, text } from '../reply-fields.ts'
import { callGraph } from './calls.ts'

const Started = z.looseObject({ report_run_id: id })
const Run = z.looseObject({
  async_status: text,
  async_percent_completion: z.number().nullish(),
  error_code: z.number().nullish(),
})

/** A small report is done at once; a large one is polled again when the sync comes back. */
const waitsMs = [1000, 2000, 4000, 8000]
const COME_BACK_SECONDS = 60

export type ReportQuery = Record<string, string | number>

export async function startReport(session: Session, query: ReportQuery): Promise<string> {
  const form = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { report_run_id: run } = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: `/${session.accountId}/insights`,
    form,
    schema: Started,
  })
  return run
}

/** Whether the report can be read; false where there will be none. Throws while it is being made. */
export async function isReportDone(session: Session, run: string): Promise<boolean> {
  for (const waitMs of [...waitsMs, null]) {
    const status = await statusOf(session, run)
    if (status !== 'running') return status === 'done'
    if (waitMs !== null) await delay(waitMs)
  }
  throw new ProviderError('rate_limited', 'The platform is still making the report', {
    retryAfterSeconds: COME_BACK_SECONDS,
  })
}

async function statusOf(session: Session, run: string): Promise<'running' | 'done' | 'failed'> {
  try {
    const found = await callGraph(session.http, session.app, session.token.accessToken, {
      path: `/${run}`,
      query: { fields: 'async_status,async_percent_completion,error_code' },
      schema: Run,
    })
    if (found.async_status === 'Job Completed' && found.async_percent_completion === 100) return 'done'
    return /failed|skipped/i.test(found.async_status ?? '') ? 'failed' : 'running'
  } catch (error) {
    // Runs are kept for a while only; one that is gone is requested again.
    if (error instanceof ProviderError && error.reason === 'not_found') return 'failed'
    throw error
  }
}
