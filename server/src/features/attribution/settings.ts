import { type AttributionSettings, defaultSettings } from '@whence/engine'
import type { Db, Tx } from '../../db/database.ts'

export type AttributionProfile = {
  profileId: string
  workspaceId: string
  timezone: string
  currency: string
  settings: AttributionSettings
}

export async function loadAttributionProfile(db: Db | Tx, profileId: string): Promise<AttributionProfile> {
  const profile = await db
    .selectFrom('profiles')
    .select(['workspace_id', 'timezone', 'currency'])
    .where('id', '=', profileId)
    .executeTakeFirstOrThrow()
  return {
    profileId,
    workspaceId: profile.workspace_id,
    timezone: profile.timezone,
    currency: profile.currency,
    settings: await loadSettings(db, profileId),
  }
}

export async function loadSettings(db: Db | Tx, profileId: string): Promise<AttributionSettings> {
  const row = await db
    .selectFrom('attribution_settings')
    .select(['lookback_days', 'first_touch_lookback_days', 'half_life_days'])
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
  if (row === undefined) return defaultSettings
  return {
    lookbackDays: row.lookback_days,
    firstTouchLookbackDays: row.first_touch_lookback_days,
    halfLifeDays: row.half_life_days,
  }
}

export async function saveSettings(
  db: Db | Tx,
  profileId: string,
  settings: AttributionSettings,
  now: Date,
): Promise<void> {
  const fields = {
    lookback_days: settings.lookbackDays,
    first_touch_lookback_days: settings.firstTouchLookbackDays,
    half_life_days: settings.halfLifeDays,
    updated_at: now,
  }
  await db
    .insertInto('attribution_settings')
    .values({ profile_id: profileId, ...fields })
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(fields))
    .execute()
}
