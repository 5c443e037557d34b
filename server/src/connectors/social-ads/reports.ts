/**
 * Asynchronous insights: the last resort if even a single day is too large for one response.
 * `POST …/insights` returns a report run, which is polled until it is done and then read like a list
 * (fields of `AdReportRun` in the official client 24.0.1; values of `async_status` from integrators' public code,
 * read 2026-11-16).
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import { id, text } from '../reply-fields.ts'
import { callGraph } from './calls.ts'

const StartedRun = z.looseObject({ report_run_id: id })
const Run = z.looseObject({
  async_status: text,
  async_percent_completion: z.number().nullish(),
  error_code: z.number().nullish(),
})

/** A small report is done within these polls; for a large one the sync is rescheduled. */
const pollDelaysMs = [1000, 2000, 4000, 8000]
const RESCHEDULE_SECONDS = 60

export type ReportQuery = Record<string, string | number>

export async function startReport(session: Session, query: ReportQuery): Promise<string> {
  const form = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { report_run_id: run } = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: `/${session.accountId}/insights`,
    form,
    schema: StartedRun,
  })
  return run
}

/** True if the report can be read, false if it failed or no longer exists. Throws `rate_limited` while it is running. */
export async function isReportDone(session: Session, run: string): Promise<boolean> {
  for (const delayMs of [...pollDelaysMs, null]) {
    const status = await statusOf(session, run)
    if (status !== 'running') return status === 'done'
    if (delayMs !== null) await delay(delayMs)
  }
  throw new ProviderError('rate_limited', 'The platform is still generating the report', {
    retryAfterSeconds: RESCHEDULE_SECONDS,
  })
}

async function statusOf(session: Session, run: string): Promise<'running' | 'done' | 'failed'> {
  try {
    const runInfo = await callGraph(session.http, session.app, session.token.accessToken, {
      path: `/${run}`,
      query: { fields: 'async_status,async_percent_completion,error_code' },
      schema: Run,
    })
    if (runInfo.async_status === 'Job Completed' && runInfo.async_percent_completion === 100) return 'done'
    return /failed|skipped/i.test(runInfo.async_status ?? '') ? 'failed' : 'running'
  } catch (error) {
    // Runs are stored only for a while; one that no longer exists is requested again.
    if (error instanceof ProviderError && error.reason === 'not_found') return 'failed'
    throw error
  }
}
