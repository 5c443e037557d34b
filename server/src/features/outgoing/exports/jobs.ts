import { z } from 'zod'
import { exportRules } from '../../../connectors/export-rules.ts'
import type { JobContext } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { enqueueForAll, forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { forgetOldAgents } from '../../facts/events/user-agents.ts'
import { sendExports } from '../../facts/export-queue/send-job.ts'
import { removeErased } from './audiences/erased-job.ts'
import { listListsToClear, listRemovals } from './audiences/queries.ts'
import { removeFromLists } from './audiences/removal-job.ts'
import { listProfilesWithDestinations } from './destinations/queries.ts'
import { readDiagnostics } from './run/diagnostics-job.ts'
import { listForgotten } from './run/runs.ts'
import { sendWaiting } from './run/send.ts'

const AT_ONCE = 200
/** By then the job of a removal has run, or waits for its time, or died. */
const REMOVAL_JOB_MS = DAY_MS

const send = job({
  ...sendExports,
  run: (context: JobContext, payload) => sendWaiting(context, payload.destination_id),
})

/** What waits for a connection that works again, or for a job that died, is taken up. */
const resumeExports = job({
  name: 'exports.resume',
  payload: z.object({}),
  async run(context: JobContext) {
    const now = await databaseNow(context.db)
    await enqueueForAll(context, sendExports, async (shard) =>
      (await listForgotten(shard, { now, limit: AT_ONCE })).map((row) => ({
        payload: { destination_id: row.id },
        profileId: row.profile_id,
        dedupeKey: row.id,
      })),
    )
    await queueRemovals(context, now)
  },
})

/** People who should be on no list and are still on one: a job died, or a merge excluded them. */
async function queueRemovals(context: JobContext, now: Date): Promise<void> {
  await enqueueForAll(context, removeFromLists, async (shard) =>
    (await listListsToClear(shard, { limit: AT_ONCE })).map((row) => ({
      payload: { list_id: row.list_id },
      profileId: row.profile_id,
      dedupeKey: row.list_id,
    })),
  )
  const before = new Date(now.getTime() - REMOVAL_JOB_MS)
  await enqueueForAll(context, removeErased, async (shard) =>
    (await listRemovals(shard, { before, limit: AT_ONCE })).map((row) => ({
      payload: { removal_id: row.id },
      profileId: row.profile_id,
      dedupeKey: row.id,
    })),
  )
}

/** A browser is kept as long as a platform takes the event that it belongs to. */
const forgetBrowsers = job({
  name: 'exports.forget_browsers',
  payload: z.object({}),
  async run(context: JobContext) {
    const now = context.service.clock.now()
    const before = new Date(now.getTime() - exportRules.social.maxAgeDays * DAY_MS)
    await forAllProfiles(context, async (shard) => {
      for (const profileId of await listProfilesWithDestinations(shard))
        await forgetOldAgents(shard, { profileId, before })
    })
  },
})

export const exportJobs: readonly Job[] = [
  send,
  readDiagnostics,
  resumeExports,
  forgetBrowsers,
  removeFromLists,
  removeErased,
]

export const exportSchedules: readonly Schedule[] = [
  { name: 'exports.resume', job: resumeExports, rule: { everySeconds: 300 } },
  { name: 'exports.forget_browsers', job: forgetBrowsers, rule: { dailyAtUtc: '03:50' } },
]
