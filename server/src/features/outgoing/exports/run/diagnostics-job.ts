import { z } from 'zod'
import { exportRules } from '../../../../connectors/export-rules.ts'
import type { JobContext } from '../../../../context.ts'
import { type Job, job } from '../../../../platform/contract/job.ts'
import { enqueue } from '../../../../platform/jobs/enqueue.ts'
import { withSession } from '../../../sources/connections/session.ts'
import { findDestination } from '../destinations/queries.ts'
import { nextPollAt } from './rules.ts'
import { listOpenRequests, type OpenRequest, saveRequestStatus } from './runs.ts'

/** Asks the platform what became of the requests of a run. It is at work for half an hour at least. */
export const readDiagnostics: Job<{ run_id: string }> = job({
  name: 'exports.read_diagnostics',
  payload: z.object({ run_id: z.uuid() }),
  async run(context: JobContext, { run_id: runId }) {
    const profileId = context.profileId!
    const requests = await listOpenRequests(context.db, { profileId, runId })
    const waiting: OpenRequest[] = []
    for (const request of requests)
      if (!(await readStatus(context, profileId, request))) waiting.push(request)
    const polls = Math.max(0, ...waiting.map((request) => request.polls)) + 1
    const runAt =
      waiting.length === 0
        ? null
        : nextPollAt(polls, exportRules.engine.diagnostics!.firstAfterMinutes, context.service.clock.now())
    if (runAt !== null)
      await enqueue(context.db, readDiagnostics, { run_id: runId }, { profileId, dedupeKey: runId, runAt })
  },
})

/** Whether the platform's answer is final. */
async function readStatus(context: JobContext, profileId: string, request: OpenRequest): Promise<boolean> {
  const { db, service } = context
  const destination = await findDestination(db, { profileId, id: request.destination_id })
  if (destination?.connection_id == null) return true
  const ref = { profileId, id: destination.connection_id }
  const target = { id: request.target_id, testEventCode: destination.test_event_code }
  const answer = await withSession(service, ref, null, async (session, { connector }) =>
    connector.exports?.readStatus?.(session, target, request.provider_request_id),
  )
  if (answer === undefined) return true
  await saveRequestStatus(db, { profileId, id: request.id, ...answer, now: service.clock.now() })
  return answer.status !== 'processing'
}
