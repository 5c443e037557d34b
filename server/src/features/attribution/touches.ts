import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { StoredTouch } from '../events/stored.ts'

export type TouchRow = StoredTouch & { id: string; identifierId: string; occurredAt: Date; recordedAt: Date }

export async function saveTouches(tx: Tx, profileId: string, rows: readonly TouchRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
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
    on conflict do nothing`.execute(tx)
}

export async function removeTouches(tx: Tx, profileId: string, eventIds: readonly string[]): Promise<void> {
  await sql`delete from touches where profile_id = ${profileId} and id = any(${eventIds}::uuid[])`.execute(tx)
}
