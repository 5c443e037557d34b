import { isHealthcare, type ProfileContext } from '../../../context.ts'
import { requireHealthcareDecider } from '../../../platform/access/decisions.ts'
import { clearShortCache } from '../../../platform/access/short-cache.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { enqueueEventsNamed } from '../../facts/events/queue.ts'
import { loadExportPolicy } from '../../facts/export-queue/policy.ts'
import { readSums } from '../../figures/rollups/sums.ts'
import type { GoalTarget } from './contract.ts'
import {
  deleteGoalRow,
  type GoalFields,
  type GoalRow,
  insertDefaultGoals,
  insertGoal,
  listGoalRows,
  updateGoalRow,
} from './goal-queries.ts'
import { deleteTarget } from './target-queries.ts'
import { loadTargets } from './targets.ts'

const defaultGoals: [key: string, name: string, revenue: GoalFields['revenue_type']][] = [
  ['payment_received', 'Payment received', 'cash'],
  ['lead_created', 'Lead', 'pipeline'],
  ['dm_started', 'Conversation started', 'pipeline'],
  ['appointment_booked', 'Appointment booked', 'pipeline'],
  ['appointment_attended', 'Appointment attended', 'pipeline'],
  ['quote_presented', 'Quote presented', 'pipeline'],
  ['closed_won', 'Deal won', 'pipeline'],
  ['order_placed', 'Order placed', 'gross'],
]

export async function createDefaultGoals(tx: Tx, profile: { id: string; createdAt: Date }): Promise<void> {
  const goals = defaultGoals.map(([key, name, revenue]) => ({
    id: uuidv7(profile.createdAt),
    display_name: name,
    conversion_key: key,
    source_event_names: [key],
    outcome_type: key,
    revenue_type: revenue,
    attribution_eligible: true,
  }))
  await insertDefaultGoals(tx, { profileId: profile.id, goals, now: profile.createdAt })
}

const RECENT_DAYS = 28

export async function listGoals({ db, profile, now, caller, scopes }: ProfileContext) {
  const since = addDays(localDay(now, profile.timezone), 1 - RECENT_DAYS)
  const goals = await listGoalRows(db, { profileId: profile.id })
  const outcomes = await readSums(db, {
    profileId: profile.id,
    measures: { recent: { of: 'conversions', from: since }, last_day: 'last_conversion_day' },
    by: ['outcome_type', 'revenue_type'],
  })
  // Targets and spend require a user with campaigns:read.
  const seesTargets = caller.kind === 'user' && scopes.includes('campaigns:read')
  const targets = seesTargets ? await loadTargets({ db, profile, now }, goals) : new Map<string, GoalTarget>()
  return goals.map((goal) => ({
    ...goal,
    fired: firedOf(goal, goals, outcomes),
    target: targets.get(goal.id) ?? null,
  }))
}

type OutcomeCount = { outcome_type: string; revenue_type: string; recent: number; last_day: string | null }

/** From the daily totals, which contain conversions that may be credited, and all cash. */
function firedOf(goal: GoalRow, goals: readonly GoalRow[], outcomes: readonly OutcomeCount[]) {
  if (!goal.attribution_eligible && goal.revenue_type !== 'cash') return null
  const isSame = (other: Pick<GoalRow, 'outcome_type'> & { revenue_type: string }) =>
    other.outcome_type === goal.outcome_type && other.revenue_type === goal.revenue_type
  const outcome = outcomes.find(isSame)
  return {
    last_28_days: outcome?.recent ?? 0,
    last_day: outcome?.last_day ?? null,
    shared: goals.filter(isSame).length > 1,
  }
}

export async function createGoal(
  context: ProfileContext,
  fields: GoalFields & { conversion_key: string },
): Promise<GoalRow> {
  const profileId = context.profile.id
  await requireGoalDecider(context, fields.conversion_key)
  return changeAndReprocess(context, fields.source_event_names, async (tx) => {
    await requireBelowLimit(
      tx,
      'goals',
      profileId,
      async () => (await listGoalRows(tx, { profileId })).length,
    )
    await requireSingleCashGoal(tx, profileId, { ...fields, id: null })
    const goal = { id: uuidv7(context.now), ...fields }
    const row = await insertGoal(tx, { profileId, goal, now: context.now })
    if (row === undefined)
      throw new ApiError('invalid_state', `A goal with the key ${fields.conversion_key} already exists.`, {
        reason: 'conversion_key_taken',
      })
    await recordSetting(tx, context, { action: 'goal.created', subject: row.id, before: null, after: row })
    return row
  })
}

export async function updateGoal(
  context: ProfileContext,
  id: string,
  fields: Partial<GoalFields>,
): Promise<GoalRow> {
  const before = await getGoal(context.db, context.profile.id, id)
  const names = [...before.source_event_names, ...(fields.source_event_names ?? [])]
  if (Object.keys(fields).length === 0) return before
  if (fields.source_event_names?.some((name) => !before.source_event_names.includes(name)) === true)
    await requireGoalDecider(context, before.conversion_key)
  return changeAndReprocess(context, names, async (tx) => {
    await requireSingleCashGoal(tx, context.profile.id, { ...before, ...fields })
    const row = await updateGoalRow(tx, { profileId: context.profile.id, id, fields })
    if (row === undefined) throw goalNotFound()
    await recordSetting(tx, context, { action: 'goal.changed', subject: id, before, after: row })
    return row
  })
}

export async function deleteGoal(context: ProfileContext, id: string): Promise<void> {
  const goal = await getGoal(context.db, context.profile.id, id)
  await changeAndReprocess(context, goal.source_event_names, async (tx) => {
    await deleteGoalRow(tx, { profileId: context.profile.id, id })
    await deleteTarget(tx, { profileId: context.profile.id, goalId: id })
    await recordSetting(tx, context, { action: 'goal.deleted', subject: id, before: goal, after: null })
  })
}

/** The events of a goal that a healthcare profile sends decide which conversions leave. */
async function requireGoalDecider(context: ProfileContext, key: string): Promise<void> {
  if (!isHealthcare(context.profile)) return
  const { destinations, healthcareAllowlist } = await loadExportPolicy(context.db, context.profile.id)
  const isMapped = destinations.some(({ eventMap }) => eventMap.some((entry) => entry.conversion_key === key))
  if (isMapped || healthcareAllowlist.includes(key))
    await requireHealthcareDecider(context, 'Choosing the events of a goal that is sent to ad platforms')
}

async function getGoal(db: Db | Tx, profileId: string, id: string): Promise<GoalRow> {
  const goal = (await listGoalRows(db, { profileId })).find((row) => row.id === id)
  if (goal === undefined) throw goalNotFound()
  return goal
}

/** Two cash goals with a common event name would count its money twice. */
async function requireSingleCashGoal(
  tx: Tx,
  profileId: string,
  goal: Pick<GoalFields, 'source_event_names' | 'revenue_type'> & { id: string | null },
): Promise<void> {
  await lockProfile(tx, profileId)
  if (goal.revenue_type !== 'cash') return
  const names = new Set(goal.source_event_names)
  for (const other of await listGoalRows(tx, { profileId })) {
    if (other.id === goal.id || other.revenue_type !== 'cash') continue
    const shared = other.source_event_names.find((name) => names.has(name))
    if (shared !== undefined)
      throw new ApiError(
        'invalid_state',
        `The goal ${other.conversion_key} already counts ${shared} as cash; an event's money can be counted only once.`,
        { reason: 'cash_counted_by_other_goal' },
      )
  }
}

function goalNotFound(): ApiError {
  return new ApiError('not_found', 'No such goal.')
}

/** Changes goals and queues the past events with these names for reprocessing. */
async function changeAndReprocess<T>(
  context: ProfileContext,
  names: readonly string[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const profileId = context.profile.id
  const result = await inTransaction(context.db, async (tx) => {
    const changed = await work(tx)
    await enqueueEventsNamed(tx, { profileId, names: [...new Set(names)], cause: 'goal_changed' })
    return changed
  })
  clearShortCache(context.service)
  context.service.processor.wake(profileId)
  return result
}
