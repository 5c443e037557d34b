import { type AttributionSettings, defaultSettings } from '@whence/engine'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'
import { DEFAULT_GRACE_HOURS } from '../../facts/restatements/closed-days.ts'
import type { ChannelOverride } from './credits/channel-overrides.ts'

export type AttributionProfile = {
  profileId: string
  workspaceId: string
  timezone: string
  currency: string
  settings: AttributionSettings
  browserRevenue: 'count' | 'confirm' | 'ignore'
  /** An export destination exists, enabled or not. */
  hasExports: boolean
  channelOverrides: ChannelOverride[]
  /** Hours that a day stays open after it ends. */
  graceHours: number
}

/**
 * `wanted`: the settings that were requested. `applied`: the settings that the current figures were computed with. A
 * change sets `wanted`, and its recompute applies them. Until then everything uses `applied`, so that figures,
 * explanations and the settings in report metadata agree.
 */
type SettingsVersion = 'applied' | 'wanted'

const settingsColumns = {
  applied: sql`coalesce(s.applied_lookback_days, s.lookback_days) as lookback_days,
    coalesce(s.applied_first_touch_lookback_days, s.first_touch_lookback_days) as first_touch_lookback_days,
    coalesce(s.applied_half_life_days, s.half_life_days) as half_life_days`,
  wanted: sql`s.lookback_days, s.first_touch_lookback_days, s.half_life_days`,
}

/** In order of precedence. */
export async function listChannelOverrides(db: Db | Tx, profileId: string): Promise<ChannelOverride[]> {
  const { rows } = await sql<ChannelOverride>`
    select kind, value, channel from channel_overrides where profile_id = ${profileId} order by position`.execute(
    db,
  )
  return rows
}

export async function loadAttributionProfile(
  db: Db | Tx,
  profileId: string,
  version: SettingsVersion = 'applied',
): Promise<AttributionProfile> {
  const { rows } = await sql<
    {
      workspace_id: string
      timezone: string
      currency: string
      browser_revenue: AttributionProfile['browserRevenue']
      has_exports: boolean
      channel_overrides: ChannelOverride[]
      grace_hours: number | null
    } & Nullable<SettingsRow>
  >`
    select p.workspace_id, p.timezone, p.currency, s.grace_hours, ${settingsColumns[version]},
      coalesce(t.browser_revenue, 'confirm') as browser_revenue,
      exists (select 1 from export_destinations d where d.profile_id = ${profileId}) as has_exports,
      coalesce((select jsonb_agg(jsonb_build_object('kind', o.kind, 'value', o.value, 'channel', o.channel) order by o.position)
        from channel_overrides o where o.profile_id = ${profileId}), '[]'::jsonb) as channel_overrides
    from profiles p left join attribution_settings s on s.profile_id = ${profileId}
      left join tracking_settings t on t.profile_id = ${profileId}
    where p.id = ${profileId}`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error(`Profile ${profileId} does not exist.`)
  return {
    profileId,
    workspaceId: row.workspace_id,
    timezone: row.timezone,
    currency: row.currency,
    browserRevenue: row.browser_revenue,
    hasExports: row.has_exports,
    channelOverrides: row.channel_overrides,
    graceHours: row.grace_hours ?? DEFAULT_GRACE_HOURS,
    settings: row.lookback_days === null ? defaultSettings : toSettings(row as SettingsRow),
  }
}

type SettingsRow = Pick<
  Selectable<DB['attribution_settings']>,
  'lookback_days' | 'first_touch_lookback_days' | 'half_life_days'
>
type Nullable<Row> = { [Name in keyof Row]: Row[Name] | null }

function toSettings(row: SettingsRow): AttributionSettings {
  return {
    lookbackDays: row.lookback_days,
    firstTouchLookbackDays: row.first_touch_lookback_days,
    halfLifeDays: row.half_life_days,
  }
}

export async function loadSettings(
  db: Db | Tx,
  profileId: string,
  version: SettingsVersion = 'applied',
): Promise<AttributionSettings> {
  const { rows } = await sql<SettingsRow>`
    select ${settingsColumns[version]} from attribution_settings s where s.profile_id = ${profileId}`.execute(
    db,
  )
  const [row] = rows
  return row === undefined ? defaultSettings : toSettings(row)
}

/** Time of the last change (null if never changed), and how long a day stays open. */
export async function findSettingsChange(
  db: Db | Tx,
  profileId: string,
): Promise<{ grace_hours: number; updated_at: Date | null }> {
  const row = await rowsWhere(db, 'attribution_settings', { profile_id: profileId }).find([
    'grace_hours',
    'updated_at',
  ])
  return { grace_hours: row?.grace_hours ?? DEFAULT_GRACE_HOURS, updated_at: row?.updated_at ?? null }
}

/** Also keeps the longest grace ever set, which decides which days count as closed for the ledger. */
export async function saveGrace(
  tx: Tx,
  { profileId, before, after }: { profileId: string; before: number; after: number },
): Promise<void> {
  await sql`
    update attribution_settings set grace_hours = ${after}::int,
      longest_grace_hours = greatest(longest_grace_hours, ${before}::int, ${after}::int)
    where profile_id = ${profileId}`.execute(tx)
}

/** Saves the requested settings; they take effect with `applySettings`. */
export async function saveSettings(db: Db | Tx, profileId: string, settings: AttributionSettings, now: Date) {
  const fields = {
    lookback_days: settings.lookbackDays,
    first_touch_lookback_days: settings.firstTouchLookbackDays,
    half_life_days: settings.halfLifeDays,
    updated_at: now,
  }
  await db
    .insertInto('attribution_settings')
    .values({ profile_id: profileId, ...fields, ...toApplied(defaultSettings) })
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet({ ...fields, ...keptApplied }))
    .execute()
}

/** Call it in the transaction that recomputed all figures. A profile that never changed its settings has no row. */
export async function applySettings(tx: Tx, profileId: string, settings: AttributionSettings): Promise<void> {
  await rowsWhere(tx, 'attribution_settings', { profile_id: profileId }).update(toApplied(settings))
}

/** Rows of the previous release have no applied settings: their figures were computed with the requested ones. */
const keptApplied = {
  applied_lookback_days: sql<number>`coalesce(attribution_settings.applied_lookback_days, attribution_settings.lookback_days)`,
  applied_first_touch_lookback_days: sql<number>`coalesce(attribution_settings.applied_first_touch_lookback_days, attribution_settings.first_touch_lookback_days)`,
  applied_half_life_days: sql<number>`coalesce(attribution_settings.applied_half_life_days, attribution_settings.half_life_days)`,
}

function toApplied(settings: AttributionSettings) {
  return {
    applied_lookback_days: settings.lookbackDays,
    applied_first_touch_lookback_days: settings.firstTouchLookbackDays,
    applied_half_life_days: settings.halfLifeDays,
  }
}
