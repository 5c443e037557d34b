/** Recomputes all credit of a profile in one transaction under its lock, with an event when it is done. */
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../platform/contract/job.ts'
import { type Connection, withConnection } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { recomputeCompleted } from '../../facts/outbox/makers.ts'
import { recordEvent } from '../../facts/outbox/record.ts'
import { recomputeAll } from './full/recompute-all.ts'
import { saveSettingsBefore, markDone, markFailed, markRunning, disableStatementTimeout } from './queries.ts'
import { applySettings, loadAttributionProfile, loadSettings } from './settings.ts'

/** Named again with 0465: a process of the release before claims what it knows by name, and would leave the new columns of the rollups empty. */
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

/** Queued by a process of the previous release. A job that a migration queues has a name that release does not know. */
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
  // The lock may be held for long.
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
  const settled = await markDone(tx, { profileId, id, conversions, now: finishedAt })
  if (settled === undefined) return
  const data = {
    recompute_id: id,
    scope: settled.scope,
    conversions,
    duration_ms: finishedAt.getTime() - startedAt.getTime(),
  }
  await recordEvent(tx, recomputeCompleted(profileId, data, finishedAt), finishedAt)
}
