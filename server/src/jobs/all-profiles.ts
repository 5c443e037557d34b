/** Work over all profiles: where a node of the database is away, its profiles are left out and the others are not. */
import type { JobContext } from '../context.ts'
import type { Db } from '../db/database.ts'
import { onEveryShard } from '../db/shards/every-shard.ts'

/** `work` may be called several times, each for some of the profiles, with the database that these are in. */
export function forAllProfiles(
  { service, log }: Pick<JobContext, 'service' | 'log'>,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  return onEveryShard(service.nodes, work, (error, node) =>
    log.warn('the profiles of a node were left out', { node: node.name, error }),
  )
}
