import { sql } from 'kysely'
import { localDay } from '../../contract/zones.ts'
import type { Tx } from '../../db/database.ts'
import type { StoredTouch } from '../events/stored.ts'

export type TouchRow = StoredTouch & { id: string; identifierId: string; occurredAt: Date; recordedAt: Date }

export async function saveTouches(
  tx: Tx,
  profile: { profileId: string; timezone: string },
  rows: readonly TouchRow[],
): Promise<void> {
  if (rows.length === 0) return
  const { profileId } = profile
  const saved = await sql<PaidTouch>`
    insert into touches (profile_id, identifier_id, occurred_at, id, recorded_at, channel, origin, is_direct, platform,
      campaign_external_id, ad_set_external_id, ad_external_id, click_id_kind, click_id, utm_source, utm_medium,
      utm_campaign, referrer_host, landing_path)
    select ${profileId}::uuid, * from unnest(
      ${rows.map((row) => row.identifierId)}::uuid[], ${rows.map((row) => row.occurredAt)}::timestamptz[],
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.recordedAt)}::timestamptz[],
      ${rows.map((row) => row.channel)}::text[], ${rows.map((row) => row.origin)}::text[],
      ${rows.map((row) => row.is_direct)}::boolean[], ${rows.map((row) => row.platform)}::text[],
      ${rows.map((row) => row.campaign_id)}::text[], ${rows.map((row) => row.ad_set_id)}::text[],
      ${rows.map((row) => row.ad_id)}::text[], ${rows.map((row) => row.click_id_kind)}::text[],
      ${rows.map((row) => row.click_id)}::text[], ${rows.map((row) => row.utm_source)}::text[],
      ${rows.map((row) => row.utm_medium)}::text[], ${rows.map((row) => row.utm_campaign)}::text[],
      ${rows.map((row) => row.referrer_host)}::text[], ${rows.map((row) => row.landing_path)}::text[])
    on conflict do nothing
    returning occurred_at, platform, ad_external_id`.execute(tx)
  await countPaid(tx, profile, saved.rows, 1)
}

export async function removeTouches(
  tx: Tx,
  profile: { profileId: string; timezone: string },
  eventIds: readonly string[],
): Promise<void> {
  const removed = await sql<PaidTouch>`
    delete from touches where profile_id = ${profile.profileId} and id = any(${eventIds}::uuid[])
    returning occurred_at, platform, ad_external_id`.execute(tx)
  await countPaid(tx, profile, removed.rows, -1)
}

type PaidTouch = { occurred_at: Date; platform: string | null; ad_external_id: string | null }

/** Keeps how many paid clicks of a day named their ad, so that no report counts touches. */
async function countPaid(
  tx: Tx,
  profile: { profileId: string; timezone: string },
  touches: readonly PaidTouch[],
  sign: 1 | -1,
): Promise<void> {
  const counts = new Map<string, { day: string; platform: string; named: boolean; touches: number }>()
  for (const touch of touches) {
    if (touch.platform === null) continue
    const day = localDay(touch.occurred_at, profile.timezone)
    const named = touch.ad_external_id !== null
    const key = `${day} ${touch.platform} ${named}`
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { day, platform: touch.platform, named, touches: sign })
    else known.touches += sign
  }
  const rows = [...counts.values()]
  if (rows.length === 0) return
  const days = rows.map((row) => row.day)
  await sql`
    insert into paid_touch_daily as p (profile_id, day, platform, named_ad, touches)
    select ${profile.profileId}::uuid, * from unnest(${days}::date[], ${rows.map((row) => row.platform)}::text[],
      ${rows.map((row) => row.named)}::boolean[], ${rows.map((row) => row.touches)}::bigint[])
    on conflict (profile_id, day, platform, named_ad) do update set touches = p.touches + excluded.touches`.execute(
    tx,
  )
  if (sign < 0)
    await sql`
      delete from paid_touch_daily where profile_id = ${profile.profileId} and day = any(${days}::date[]) and touches = 0`.execute(
      tx,
    )
}
