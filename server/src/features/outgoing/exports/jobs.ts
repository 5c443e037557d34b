import { z } from 'zod'
import { exportRules } from '../../../connectors/export-rules.ts'
import type { JobContext } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { enqueueForAll, forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { deleteOldUserAgents } from '../../facts/events/user-agents.ts'
import { sendExports } from '../../facts/export-queue/send-job.ts'
import { removeErased } from './audiences/erased-job.ts'
import { listListsToClear, listRemovals } from './audiences/queries.ts'
import { removeFromLists } from './audiences/removal-job.ts'
import { listProfilesWithDestinations } from './destinations/queries.ts'
import { readDiagnostics } from './run/diagnostics-job.ts'
import { listUnsentDestinations } from './run/runs.ts'
import { sendWaiting } from './run/send.ts'

const MAX_QUEUED = 200
/** After this a removal without a queued job has lost it. */
const REMOVAL_JOB_MS = DAY_MS

const send = job({
  ...sendExports,
  run: (context: JobContext, payload) => sendWaiting(context, payload.destination_id),
})

/** Queues destinations whose connection works again or whose job was lost. */
const resumeExports = job({
  name: 'exports.resume',
  payload: z.object({}),
  async run(context: JobContext) {
    const now = await databaseNow(context.db)
    await enqueueForAll(context, sendExports, async (shard) =>
      (await listUnsentDestinations(shard, { now, limit: MAX_QUEUED })).map((row) => ({
        payload: { destination_id: row.id },
        profileId: row.profile_id,
        dedupeKey: row.id,
      })),
    )
    await queueRemovals(context, now)
  },
})

/** Queues removals of excluded or erased people who are still on a list, because of a lost job or a merge. */
async function queueRemovals(context: JobContext, now: Date): Promise<void> {
  await enqueueForAll(context, removeFromLists, async (shard) =>
    (await listListsToClear(shard, { limit: MAX_QUEUED })).map((row) => ({
      payload: { list_id: row.list_id },
      profileId: row.profile_id,
      dedupeKey: row.list_id,
    })),
  )
  const before = new Date(now.getTime() - REMOVAL_JOB_MS)
  await enqueueForAll(context, removeErased, async (shard) =>
    (await listRemovals(shard, { before, limit: MAX_QUEUED })).map((row) => ({
      payload: { removal_id: row.id },
      profileId: row.profile_id,
      dedupeKey: row.id,
    })),
  )
}

/** Deletes user agents that are older than the events that a platform accepts. */
const forgetBrowsers = job({
  name: 'exports.forget_browsers',
  payload: z.object({}),
  async run(context: JobContext) {
    const now = context.service.clock.now()
    const before = new Date(now.getTime() - exportRules.social.maxAgeDays * DAY_MS)
    await forAllProfiles(context, async (shard) => {
      for (const profileId of await listProfilesWithDestinations(shard))
        await deleteOldUserAgents(shard, { profileId, before })
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
