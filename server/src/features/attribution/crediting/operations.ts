import type { ProfileContext } from '../../../context.ts'
import { recordInProfile } from '../../../platform/audit/record.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { insertRecompute, lockQueuedRecompute } from './queries.ts'
import { recomputeProfile } from './recompute-job.ts'
import { findSettingsChange, loadSettings, saveGrace, saveSettings } from './settings.ts'

export type SettingsChange = {
  lookback_days?: number | undefined
  first_touch_lookback_days?: number | undefined
  half_life_days?: number | undefined
  grace_hours?: number | undefined
}

export async function getAttributionSettings(db: Db | Tx, profileId: string) {
  const settings = await loadSettings(db, profileId, 'wanted')
  const { grace_hours, updated_at: changedAt } = await findSettingsChange(db, profileId)
  return {
    lookback_days: settings.lookbackDays,
    first_touch_lookback_days: settings.firstTouchLookbackDays,
    half_life_days: settings.halfLifeDays,
    grace_hours,
    updated_at: changedAt ?? null,
  }
}

/** Commits a change and queues its recompute in one transaction. No recompute if nothing changed or only the grace. */
export async function updateAttributionSettings(context: ProfileContext, change: SettingsChange) {
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    const before = await getAttributionSettings(tx, profileId)
    const { updated_at: _, ...values } = before
    const requested = {
      lookback_days: change.lookback_days ?? values.lookback_days,
      first_touch_lookback_days: change.first_touch_lookback_days ?? values.first_touch_lookback_days,
      half_life_days: change.half_life_days ?? values.half_life_days,
      grace_hours: change.grace_hours ?? values.grace_hours,
    }
    const isSame = Object.entries(requested).every(
      ([name, value]) => values[name as keyof typeof values] === value,
    )
    if (isSame) return { ...before, recompute: null }
    const settings = {
      lookbackDays: requested.lookback_days,
      firstTouchLookbackDays: requested.first_touch_lookback_days,
      halfLifeDays: requested.half_life_days,
    }
    await saveSettings(tx, profileId, settings, context.now)
    if (requested.grace_hours !== values.grace_hours)
      await saveGrace(tx, { profileId, before: values.grace_hours, after: requested.grace_hours })
    const changed = Object.entries(requested).filter(
      ([name, value]) => values[name as keyof typeof values] !== value,
    )
    const isGraceOnly = changed.every(([name]) => name === 'grace_hours')
    await recordInProfile(tx, context, {
      action: 'attribution_settings.changed',
      detail: { before: values, after: requested },
    })
    return {
      ...requested,
      updated_at: context.now,
      recompute: isGraceOnly ? null : await queueRecompute(tx, profileId, 'settings', context.now),
    }
  })
}

export function startRecompute(context: ProfileContext) {
  return inTransaction(context.db, (tx) => queueRecompute(tx, context.profile.id, 'full', context.now))
}

/** Reuses a queued recompute: it will see everything committed before it starts, so it covers this request too. */
export async function queueRecompute(tx: Tx, profileId: string, scope: string, now: Date) {
  const queued = await lockQueuedRecompute(tx, { profileId })
  if (queued !== undefined)
    return {
      recompute_id: queued.id,
      scope: queued.scope,
      state: 'queued' as const,
      requested_at: queued.requested_at,
    }
  const id = uuidv7(now)
  await insertRecompute(tx, { profileId, id, scope, now })
  await enqueue(tx, recomputeProfile, { recompute_id: id }, { profileId, dedupeKey: id })
  return { recompute_id: id, scope, state: 'queued' as const, requested_at: now }
}
