import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { job } from '../../../platform/contract/job.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { replayPast } from './past.ts'
import { readSources } from './queries.ts'
import { markNotificationsRead } from './read-news.ts'
import { demoProviders, seed } from './seed.ts'

const payload = z.object({ profile_id: z.uuid() })
const POLL_INTERVAL_MS = 250
const MAX_PREPARATION_MS = 5 * 60_000
const waiting = { name: 'demo.await_sources', payload }

export const seedDemo = job({
  name: 'demo.seed',
  payload,
  slow: true,
  async run(context, { profile_id: profileId }) {
    await markNotificationsRead(context, profileId, new Date(context.now.getTime() + MAX_PREPARATION_MS))
    await seed(context, profileId)
    await enqueue(context.db, waiting, { profile_id: profileId }, { profileId })
  },
})

const backfillPast = job({
  name: 'demo.past',
  payload,
  slow: true,
  run: (context, { profile_id: profileId }) => replayPast(context, profileId),
})

/** Polls in short jobs, so that it does not occupy a worker slot that the syncs need. */
const awaitSources = job({
  ...waiting,
  async run(context, { profile_id: profileId }) {
    await delay(POLL_INTERVAL_MS, undefined, { signal: context.signal })
    const sources = await readSources(context.db, { profileId })
    const isDone = sources.read + sources.failed >= demoProviders.length && sources.waiting === 0
    const next = isDone ? backfillPast : waiting
    await enqueue(context.db, next, { profile_id: profileId }, { profileId })
  },
})

export const demoJobs = [seedDemo, awaitSources, backfillPast]
