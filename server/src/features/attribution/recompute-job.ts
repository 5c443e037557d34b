/** All credit of a profile made again, in one transaction under its lock, and told when it is done. */
import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { job } from '../../contract/job.ts'
import type { Tx } from '../../db/database.ts'
import { recordEvent } from '../webhooks/outbox.ts'
import { recomputeAll } from './full.ts'
import { lockProfile } from './lock.ts'
import { loadAttributionProfile } from './settings.ts'

export const recomputeProfile = job({
  name: 'attribution.recompute',
  payload: z.object({ recompute_id: z.uuid() }),
  slow: true,
  async run(context: JobContext, { recompute_id: id }) {
    const profileId = context.profileId!
    await context.db
      .updateTable('recomputes')
      .set({ state: 'running', started_at: context.now, error: null })
      .where('profile_id', '=', profileId)
      .where('id', '=', id)
      .where('state', '<>', 'done')
      .execute()
    try {
      await context.db.transaction().execute((tx) => run(tx, context, profileId, id))
    } catch (error) {
      await context.db
        .updateTable('recomputes')
        .set({ state: 'failed', error: String(error).slice(0, 500) })
        .where('profile_id', '=', profileId)
        .where('id', '=', id)
        .execute()
      throw error
    }
  },
})

async function run(tx: Tx, context: JobContext, profileId: string, id: string): Promise<void> {
  const { clock } = context.service
  const startedAt = clock.now()
  await lockProfile(tx, profileId)
  const profile = await loadAttributionProfile(tx, profileId)
  const { conversions } = await recomputeAll(tx, profile, startedAt)
  const finishedAt = clock.now()
  const settled = await tx
    .updateTable('recomputes')
    .set({ state: 'done', conversions, finished_at: finishedAt })
    .where('profile_id', '=', profileId)
    .where('id', '=', id)
    .where('state', '<>', 'done')
    .returning('scope')
    .executeTakeFirst()
  if (settled === undefined) return
  await recordEvent(
    tx,
    {
      profileId,
      type: 'recompute.completed',
      provider: 'platform',
      occurredAt: finishedAt,
      data: {
        profile_id: profileId,
        recompute_id: id,
        scope: settled.scope,
        conversions,
        duration_ms: finishedAt.getTime() - startedAt.getTime(),
      },
    },
    finishedAt,
  )
}
