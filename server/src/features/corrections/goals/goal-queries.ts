/** Goals as the API shows and changes them; the pipeline uses `listGoals` of queries.ts. */
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export type GoalFields = {
  display_name: string
  source_event_names: string[]
  outcome_type: string
  revenue_type: 'cash' | 'pipeline' | 'gross'
  attribution_eligible: boolean
}
export type GoalRow = GoalFields & { id: string; conversion_key: string }

const columns = [
  'id',
  'display_name',
  'conversion_key',
  'source_event_names',
  'outcome_type',
  'revenue_type',
  'attribution_eligible',
] as const

export async function listGoalRows(db: Db | Tx, params: { profileId: string }): Promise<GoalRow[]> {
  const rows = await rowsWhere(db, 'goals', { profile_id: params.profileId }).list({
    columns,
    orderBy: ['created_at', 'id'],
  })
  return rows as GoalRow[]
}

export async function insertDefaultGoals(
  tx: Tx,
  params: { profileId: string; goals: readonly GoalRow[]; now: Date },
): Promise<void> {
  await tx
    .insertInto('goals')
    .values(params.goals.map((goal) => ({ profile_id: params.profileId, ...goal, created_at: params.now })))
    .execute()
}

/** Undefined if the profile already has a goal with this conversion key. */
export async function insertGoal(
  tx: Tx,
  params: { profileId: string; goal: GoalRow; now: Date },
): Promise<GoalRow | undefined> {
  const row = await tx
    .insertInto('goals')
    .values({ profile_id: params.profileId, ...params.goal, created_at: params.now })
    .onConflict((conflict) => conflict.columns(['profile_id', 'conversion_key']).doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row as GoalRow | undefined
}

export async function updateGoalRow(
  tx: Tx,
  params: { profileId: string; id: string; fields: Partial<GoalFields> },
): Promise<GoalRow | undefined> {
  const row = await tx
    .updateTable('goals')
    .set(params.fields)
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returning(columns)
    .executeTakeFirst()
  return row as GoalRow | undefined
}

export async function deleteGoalRow(tx: Tx, params: { profileId: string; id: string }): Promise<void> {
  await rowsWhere(tx, 'goals', { profile_id: params.profileId, id: params.id }).delete()
}
