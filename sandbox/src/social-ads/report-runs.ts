/** Report runs of the social sandbox: request, number of polls, and result. */

import { readJson } from '../routes.ts'
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { refuseFields } from './field-check.ts'
import { graphError, readForm } from './replies.ts'

type Run = { accountId: string; query: URLSearchParams; asked: number; fate: 'done' | 'failed' }

export function createReportRuns(seed: string) {
  const runs = new Map<string, Run>()
  /** Number of polls until a run is complete, and of next runs that fail. */
  let speed = { polls: 0, failures: 0 }

  return {
    start(request: SandboxRequest, accountId: string): SandboxReply {
      // The official client sends the query as JSON, including lists and objects.
      const asJson = Object.entries(readJson(request)).map(([name, value]) => {
        if (name === 'fields' && Array.isArray(value)) return [name, value.join(',')]
        return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]
      })
      const parameters = {
        ...Object.fromEntries(request.query),
        ...readForm(request),
        ...Object.fromEntries(asJson),
      }
      const query = new URLSearchParams(parameters)
      const refusal = refuseFields({ ...request, query }, 'AdsInsights')
      if (refusal) return refusal
      const run = seededDigits(15, seed, 'report run', runs.size)
      const fate = speed.failures > 0 ? 'failed' : 'done'
      speed = { ...speed, failures: Math.max(0, speed.failures - 1) }
      runs.set(run, { accountId, query, asked: 0, fate })
      return { status: 200, body: { report_run_id: run } }
    },
    /** Null if the id is no run that the grant may read. */
    answer(
      request: SandboxRequest,
      accountIds: readonly string[],
      id: string,
      edge: string,
      insights: (request: SandboxRequest, accountId: string) => SandboxReply,
    ): SandboxReply | null {
      const run = runs.get(id)
      if (run === undefined || !accountIds.includes(run.accountId)) return null
      const isMade = run.asked > speed.polls
      if (edge === 'insights') {
        if (!isMade || run.fate === 'failed')
          return graphError(400, 2601, '(#2601) Error accessing adreport job.')
        const query = new URLSearchParams(run.query)
        for (const name of ['limit', 'after']) {
          query.delete(name)
          const value = request.query.get(name)
          if (value !== null) query.set(name, value)
        }
        return insights({ ...request, query }, run.accountId)
      }
      const refusal = refuseFields(request, 'AdReportRun')
      if (refusal) return refusal
      run.asked += 1
      const isOver = run.asked > speed.polls
      const finalStatus = run.fate === 'done' ? 'Job Completed' : 'Job Failed'
      return {
        status: 200,
        body: {
          id,
          account_id: run.accountId.slice('act_'.length),
          async_status: isOver ? finalStatus : 'Job Running',
          async_percent_completion: isOver && run.fate === 'done' ? 100 : 40,
          ...(isOver && run.fate === 'failed' ? { error_code: 2 } : {}),
        },
      }
    },
    forget: () => runs.clear(),
    setSpeed(settings: { polls?: unknown; failures?: unknown }) {
      speed = { polls: Number(settings.polls ?? 0), failures: Number(settings.failures ?? 0) }
    },
  }
}
