import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { type Job, job, type Schedule } from '../../contract/job.ts'
import { databaseNow } from '../../db/database.ts'
import { enqueueMany } from '../../jobs/enqueue.ts'
import { sendExports } from '../export-queue/send-job.ts'
import { removeFromLists } from './audiences/removal-job.ts'
import { readDiagnostics } from './run/diagnostics-job.ts'
import { listForgotten } from './run/runs.ts'
import { sendWaiting } from './run/send.ts'

const AT_ONCE = 200

const send = job({
  ...sendExports,
  run: (context: JobContext, payload) => sendWaiting(context, payload.destination_id),
})

/** What waits for a connection that works again, or for a job that died, is taken up. */
const resumeExports = job({
  name: 'exports.resume',
  payload: z.object({}),
  async run({ db }: JobContext) {
    const found = await listForgotten(db, { now: await databaseNow(db), limit: AT_ONCE })
    await enqueueMany(
      db,
      sendExports,
      found.map((row) => ({
        payload: { destination_id: row.id },
        profileId: row.profile_id,
        dedupeKey: row.id,
      })),
    )
  },
})

export const exportJobs: readonly Job[] = [send, readDiagnostics, resumeExports, removeFromLists as Job]

export const exportSchedules: readonly Schedule[] = [
  { name: 'exports.resume', job: resumeExports, rule: { everySeconds: 300 } },
]
