/** Daily figures, a rule and a chat channel, and the resulting deliveries and events. */
import { createBriefWebhook } from '../src/features/sharing/briefs/contract.ts'
import type { TestApp } from './app.ts'
import type { OwnProfile } from './make.ts'

/** Sets the daily totals of payments. */
export async function setDailyRevenue(
  app: TestApp,
  profileId: string,
  {
    days,
    valueMinor,
    payments = 5,
  }: { days: readonly string[]; valueMinor: number; payments?: number | undefined },
): Promise<void> {
  await app.pool.query(
    `insert into conversion_daily (profile_id, day, outcome_type, revenue_type, conversions, value_minor, fx_missing)
     select $1, d::date, 'payment_received', 'cash', $4, $3, 0 from unnest($2::text[]) d
     on conflict (profile_id, day, outcome_type, revenue_type) do update
       set value_minor = excluded.value_minor, conversions = excluded.conversions`,
    [profileId, days, valueMinor, payments],
  )
}

export const belowDaily = {
  kind: 'threshold',
  metric: 'revenue',
  campaign_id: null,
  direction: 'below',
  comparison: 'value',
  threshold: 300,
  window_days: 1,
  min_conversions: 3,
} as const

/** A chat channel of the profile that gets alerts and no briefs. */
export const makeAlertHook = (profile: OwnProfile, url: string, overrides: object = {}) =>
  profile.owner.call(createBriefWebhook, {
    params: { workspaceId: profile.workspaceId },
    body: {
      profile_id: profile.profileId,
      kind: 'slack',
      name: '#ads',
      cadence: 'never',
      alerts: true,
      url,
      ...overrides,
    },
  })

export async function briefDeliveriesOf(app: TestApp, profileId: string) {
  const { rows } = await app.pool.query('select status, reason from brief_deliveries where profile_id = $1', [
    profileId,
  ])
  return rows
}

export async function alertEventsOf(app: TestApp, profileId: string) {
  const { rows } = await app.pool.query(
    `select type, data from outbox_events where profile_id = $1 and type like 'alert.%' order by number`,
    [profileId],
  )
  return rows
}
