/** Recomputes all credit of a profile in one transaction under its lock, and records an event when it is done. */
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../platform/contract/job.ts'
import { type Connection, withConnection } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { recomputeCompleted } from '../../facts/outbox/event-factories.ts'
import { recordEvent } from '../../facts/outbox/record.ts'
import { recomputeAll } from './full/recompute-all.ts'
import { disableStatementTimeout, markDone, markFailed, markRunning, saveSettingsBefore } from './queries.ts'
import { applySettings, loadAttributionProfile, loadSettings } from './settings.ts'

/**
 * Renamed with migration 0465: a process of the previous release claims only job names it knows, and would leave the new
 * rollup columns empty.
 */
export const recomputeProfile = job({
  name: 'attribution.recompute_credit',
  payload: z.object({ recompute_id: z.uuid() }),
  slow: true,
  async run(context: JobContext, { recompute_id: id }) {
    const profileId = context.profileId!
    const scope = await markRunning(context.db, { profileId, id, now: context.now })
    try {
      await withConnection(context.db, (tx, client) => run({ tx, client }, context, profileId, { id, scope }))
    } catch (error) {
      await markFailed(context.db, { profileId, id, error: String(error).slice(0, 500) })
      throw error
    }
  },
})

/** Runs jobs that a process of the previous release queued. Migrations queue under the new name, which that release ignores. */
export const recomputeOfPreviousRelease = job({ ...recomputeProfile, name: 'attribution.recompute_profile' })

async function run(
  connection: Connection,
  context: JobContext,
  profileId: string,
  { id, scope }: { id: string; scope: string | undefined },
): Promise<void> {
  const { tx } = connection
  const { clock } = context.service
  const startedAt = clock.now()
  // Another process may hold the lock for a long time.
  await disableStatementTimeout(tx)
  await lockProfile(tx, profileId)
  const lockedAt = clock.now()
  const profile = await loadAttributionProfile(tx, profileId, 'wanted')
  const applied = await loadSettings(tx, profileId)
  const isChanged = Object.entries(applied).some(
    ([name, value]) => profile.settings[name as keyof typeof applied] !== value,
  )
  const { conversions } = await recomputeAll(context.db, connection, profile, lockedAt, {
    cause: isChanged || scope === 'settings' ? 'settings_changed' : 'repair',
    fact: { type: 'recompute', id },
  })
  await applySettings(tx, profileId, profile.settings)
  if (isChanged) await saveSettingsBefore(tx, { profileId, id, settings: applied })
  const finishedAt = clock.now()
  const done = await markDone(tx, { profileId, id, conversions, now: finishedAt })
  if (done === undefined) return
  const data = {
    recompute_id: id,
    scope: done.scope,
    conversions,
    duration_ms: finishedAt.getTime() - startedAt.getTime(),
  }
  await recordEvent(tx, recomputeCompleted(profileId, data, finishedAt), finishedAt)
}
