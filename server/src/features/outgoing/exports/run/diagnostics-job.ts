import { z } from 'zod'
import { exportRules } from '../../../../connectors/export-rules.ts'
import type { JobContext } from '../../../../context.ts'
import { type Job, job } from '../../../../platform/contract/job.ts'
import { enqueue } from '../../../../platform/jobs/enqueue.ts'
import { withSession } from '../../../sources/connections/session.ts'
import { findDestination } from '../destinations/queries.ts'
import { nextPollAt } from './rules.ts'
import { listOpenRequests, type OpenRequest, saveRequestStatus } from './runs.ts'

/** Polls the platform for the results of a run's requests, which take at least half an hour to process. */
export const readDiagnostics: Job<{ run_id: string }> = job({
  name: 'exports.read_diagnostics',
  payload: z.object({ run_id: z.uuid() }),
  async run(context: JobContext, { run_id: runId }) {
    const profileId = context.profileId!
    const requests = await listOpenRequests(context.db, { profileId, runId })
    const unfinished: OpenRequest[] = []
    for (const request of requests)
      if (!(await readStatus(context, profileId, request))) unfinished.push(request)
    const polls = Math.max(0, ...unfinished.map((request) => request.polls)) + 1
    const runAt =
      unfinished.length === 0
        ? null
        : nextPollAt(polls, exportRules.engine.diagnostics!.firstAfterMinutes, context.service.clock.now())
    if (runAt !== null)
      await enqueue(context.db, readDiagnostics, { run_id: runId }, { profileId, dedupeKey: runId, runAt })
  },
})

/** True if the platform's status is final. */
async function readStatus(context: JobContext, profileId: string, request: OpenRequest): Promise<boolean> {
  const { db, service } = context
  const destination = await findDestination(db, { profileId, id: request.destination_id })
  if (destination?.connection_id == null) return true
  const ref = { profileId, id: destination.connection_id }
  const target = { id: request.target_id, testEventCode: destination.test_event_code }
  const result = await withSession(service, ref, null, async (session, { connector }) =>
    connector.exports?.readStatus?.(session, target, request.provider_request_id),
  )
  if (result === undefined) return true
  await saveRequestStatus(db, { profileId, id: request.id, ...result, now: service.clock.now() })
  return result.status !== 'processing'
}
