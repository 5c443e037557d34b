/** Records a recompute that ran inside another transaction: stored and announced like one that a job ran. */
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { insertRow } from '../../../platform/db/rows.ts'
import { recomputeCompleted } from '../../facts/outbox/event-factories.ts'
import { recordEvent } from '../../facts/outbox/record.ts'

export async function recordRecompute(
  tx: Tx,
  params: { profileId: string; scope: string; conversions: number; startedAt: Date; finishedAt: Date },
): Promise<void> {
  const { profileId, scope, conversions, startedAt, finishedAt } = params
  const id = uuidv7(finishedAt)
  await insertRow(tx, 'recomputes', {
    profile_id: profileId,
    id,
    scope,
    state: 'done',
    conversions,
    requested_at: startedAt,
    started_at: startedAt,
    finished_at: finishedAt,
  })
  const duration_ms = Math.max(0, finishedAt.getTime() - startedAt.getTime())
  const data = { recompute_id: id, scope, conversions, duration_ms }
  await recordEvent(tx, recomputeCompleted(profileId, data, finishedAt), finishedAt)
}
