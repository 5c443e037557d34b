/** Work over all profiles. If a database node is down, only its profiles are skipped. */
import type { JobContext } from '../../context.ts'
import type { Db } from '../db/database.ts'
import { onEveryShard } from '../db/shards/every-shard.ts'
import { type EnqueueOptions, enqueueMany, type JobRef } from './enqueue.ts'

/** `work` may be called several times, each with a database that has a part of the profiles. */
export function forAllProfiles(
  { service, log }: Pick<JobContext, 'service' | 'log'>,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  return onEveryShard(service.nodes, work, (error, node) =>
    log.warn('database node unavailable: its profiles were skipped', { node: node.name, error }),
  )
}

/** Enqueues a job for each item that `find` returns. */
export function enqueueForAll<P>(
  context: Pick<JobContext, 'service' | 'log' | 'db'>,
  job: JobRef<P>,
  find: (db: Db) => Promise<readonly ({ payload: NoInfer<P> } & EnqueueOptions)[]>,
): Promise<void> {
  return forAllProfiles(context, async (shard) => {
    await enqueueMany(context.db, job, await find(shard))
  })
}
