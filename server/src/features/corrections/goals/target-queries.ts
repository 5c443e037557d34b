import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { Target } from './target-rules.ts'

export type TargetRow = Target & { goal_id: string }

export async function listTargets(db: Db | Tx, params: { profileId: string }): Promise<TargetRow[]> {
  const rows = await rowsWhere(db, 'goal_targets', { profile_id: params.profileId }).list({
    columns: ['goal_id', 'metric', 'period', 'target'],
  })
  return rows as TargetRow[]
}

export async function saveTarget(
  tx: Tx,
  params: { profileId: string; goalId: string; target: Target; now: Date },
): Promise<void> {
  const fields = { ...params.target, updated_at: params.now }
  await tx
    .insertInto('goal_targets')
    .values({ profile_id: params.profileId, goal_id: params.goalId, ...fields })
    .onConflict((conflict) => conflict.columns(['profile_id', 'goal_id']).doUpdateSet(fields))
    .execute()
}

export async function deleteTarget(tx: Tx, params: { profileId: string; goalId: string }): Promise<void> {
  await rowsWhere(tx, 'goal_targets', { profile_id: params.profileId, goal_id: params.goalId }).delete()
}
