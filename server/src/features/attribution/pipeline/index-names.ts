import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { inTransaction, isDatabaseUnavailable } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { listProfiles } from '../../facts/events/retention/drop-old.ts'
import { listUnindexed, rebuildNames } from '../../facts/identity/save-names.ts'

/** Identifiers that are indexed in one transaction. */
const AT_ONCE = 500

type Parts = Pick<JobContext, 'service' | 'db' | 'log' | 'signal'>

/**
 * Indexes names that were stored before the index existed or by a process of an older release. Indexed names are
 * skipped, so an interrupted run continues where it stopped.
 */
export async function indexMissingNames(
  { service, db, log, signal }: Parts,
  profileIds?: readonly string[],
  atOnce = AT_ONCE,
): Promise<void> {
  let error: unknown
  for (const profileId of profileIds ?? (await listProfiles(db))) {
    try {
      const node = await service.nodes.of(profileId)
      const scope = { profileId, pepper: service.identityPepper }
      for (let after: string | null = null, isDone = false; !isDone; ) {
        signal.throwIfAborted()
        const ids = await listUnindexed(node.backgroundDb, { profileId, after, limit: atOnce })
        if (ids.length > 0)
          await inTransaction(node.backgroundDb, async (tx) => {
            await lockProfile(tx, profileId)
            await rebuildNames(tx, scope, ids)
          })
        after = ids.at(-1) ?? null
        isDone = ids.length < atOnce
      }
    } catch (caught) {
      signal.throwIfAborted()
      // A profile whose node is unavailable waits for the next run and does not block other profiles.
      if (service.nodes.isDistributed && isDatabaseUnavailable(caught))
        log.warn('names not indexed, node unavailable; retried in the next run', {
          profile_id: profileId,
          error: caught,
        })
      else error ??= caught
    }
  }
  if (error !== undefined) throw error
}

const indexNames: Job<Record<string, never>> = job({
  name: 'identity.index_names',
  payload: z.object({}) as z.ZodType<Record<string, never>>,
  slow: true,
  run: (context) => indexMissingNames(context),
})

export const nameJobs: readonly Job[] = [indexNames]
export const nameSchedules: readonly Schedule[] = [
  { name: 'identity.index_names', job: indexNames, atStart: true, rule: { dailyAtUtc: '04:10' } },
]
