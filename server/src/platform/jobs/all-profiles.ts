/** Work over all profiles: where a node of the database is away, its profiles are left out and the others are not. */
import type { JobContext } from '../../context.ts'
import type { Db } from '../db/database.ts'
import { onEveryShard } from '../db/shards/every-shard.ts'
import { type EnqueueOptions, enqueueMany, type JobRef } from './enqueue.ts'

/** `work` may be called several times, each for some of the profiles, with the database that these are in. */
export function forAllProfiles(
  { service, log }: Pick<JobContext, 'service' | 'log'>,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  return onEveryShard(service.nodes, work, (error, node) =>
    log.warn('the profiles of a node were left out', { node: node.name, error }),
  )
}

/** Queues a job for each of what `find` finds among the profiles. */
export function enqueueForAll<P>(
  context: Pick<JobContext, 'service' | 'log' | 'db'>,
  job: JobRef<P>,
  find: (db: Db) => Promise<readonly ({ payload: NoInfer<P> } & EnqueueOptions)[]>,
): Promise<void> {
  return forAllProfiles(context, async (shard) => {
    await enqueueMany(context.db, job, await find(shard))
  })
}
