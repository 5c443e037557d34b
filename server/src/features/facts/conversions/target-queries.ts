import { sql } from 'kysely'
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

export type OutcomeDay = {
  day: string
  outcome_type: string
  revenue_type: string
  count: number
  value_minor: number
  unrated: number
}

export async function listOutcomeDays(db: Db | Tx, params: { profileId: string; from: string; to: string }) {
  const { rows } = await sql<OutcomeDay>`
    select day, outcome_type, revenue_type, conversions as count, value_minor, fx_missing as unrated
    from conversion_daily
    where profile_id = ${params.profileId}
      and day between ${params.from}::date and ${params.to}::date`.execute(db)
  return rows
}

export async function listSpendDays(db: Db | Tx, params: { profileId: string; from: string; to: string }) {
  const { rows } = await sql<{ day: string; spend_minor: number; unrated: number }>`
    select day, sum(spend_minor)::bigint as spend_minor, sum(fx_missing)::bigint as unrated
    from delivery_daily
    where profile_id = ${params.profileId} and level = 'campaign'
      and day between ${params.from}::date and ${params.to}::date
    group by day`.execute(db)
  return rows
}
