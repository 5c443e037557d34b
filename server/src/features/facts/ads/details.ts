/** Ad details besides structure and delivery: creatives, targeting, attention, frequency. Reports show creatives, hence the lock. */
import { sql } from 'kysely'
import type { AdDetailRecord } from '../../../connectors/ad-details.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { entityId } from './entities.ts'

type OfKind<K extends AdDetailRecord['kind']> = Extract<AdDetailRecord, { kind: K }>

/** Idempotent: rows are keyed by the platform's ids. */
export async function saveAdDetails(
  tx: Tx,
  profileId: string,
  records: readonly AdDetailRecord[],
  now: Date,
): Promise<void> {
  await saveCreatives(tx, profileId, latestOfKind(records, 'creative'), now)
  await saveTargetings(tx, profileId, latestOfKind(records, 'targeting'), now)
  await saveAttention(tx, profileId, latestOfKind(records, 'attention'))
  await saveFrequency(tx, profileId, latestOfKind(records, 'frequency'))
}

/** Records of a kind, the last one per key: an upsert statement may not touch a row twice. */
function latestOfKind<K extends AdDetailRecord['kind']>(
  records: readonly AdDetailRecord[],
  kind: K,
): OfKind<K>[] {
  const ofKind = records.filter((record): record is OfKind<K> => record.kind === kind)
  const keyOf = (record: OfKind<K>) =>
    [record.externalId, 'level' in record ? record.level : '', 'day' in record ? record.day : ''].join(' ')
  return [...new Map(ofKind.map((record) => [keyOf(record), record])).values()]
}

async function saveCreatives(tx: Tx, profileId: string, records: readonly OfKind<'creative'>[], now: Date) {
  if (records.length === 0) return
  await lockProfile(tx, profileId)
  const rows = records.map((record) => ({
    ad_id: entityId(profileId, 'ad', record.externalId),
    format: record.format,
    title: record.title,
    body: record.body,
    cta_type: record.ctaType,
    aspect_ratio_milli: record.aspectRatioMilli,
    duration_ms: record.durationMs,
    card_count: record.cardCount,
    thumbnail_url: record.thumbnailUrl,
    video_id: record.videoId,
    landing_host: record.landingHost,
    destination_url: record.destinationUrl ?? null,
    url_tags: record.urlTags ?? null,
  }))
  await sql`
    insert into ad_creatives (profile_id, updated_at, ad_id, format, title, body, cta_type, aspect_ratio_milli, duration_ms,
      card_count, thumbnail_url, video_id, landing_host, destination_url, url_tags)
    select ${profileId}::uuid, ${now}::timestamptz, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(ad_id uuid, format text, title text, body text, cta_type text,
      aspect_ratio_milli integer, duration_ms bigint, card_count integer, thumbnail_url text, video_id text, landing_host text,
      destination_url text, url_tags text)
    on conflict (profile_id, ad_id) do update set format = excluded.format, title = excluded.title, body = excluded.body,
      cta_type = excluded.cta_type, aspect_ratio_milli = excluded.aspect_ratio_milli, duration_ms = excluded.duration_ms,
      card_count = excluded.card_count, thumbnail_url = excluded.thumbnail_url, video_id = excluded.video_id,
      landing_host = excluded.landing_host, destination_url = excluded.destination_url, url_tags = excluded.url_tags,
      updated_at = excluded.updated_at`.execute(tx)
}

async function saveTargetings(tx: Tx, profileId: string, records: readonly OfKind<'targeting'>[], now: Date) {
  if (records.length === 0) return
  const rows = records.map((record) => ({
    entity_id: entityId(profileId, record.level, record.externalId),
    audience_warmth: record.audienceWarmth,
    geo: record.geo,
    placement: record.placement,
  }))
  await sql`
    insert into ad_targetings (profile_id, updated_at, entity_id, audience_warmth, geo, placement)
    select ${profileId}::uuid, ${now}::timestamptz, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(entity_id uuid, audience_warmth text, geo text, placement text)
    on conflict (profile_id, entity_id) do update set audience_warmth = excluded.audience_warmth, geo = excluded.geo,
      placement = excluded.placement, updated_at = excluded.updated_at`.execute(tx)
}

async function saveAttention(tx: Tx, profileId: string, records: readonly OfKind<'attention'>[]) {
  if (records.length === 0) return
  const column = (read: (record: OfKind<'attention'>) => number | null) => records.map(read)
  await sql`
    insert into ad_attention_days (profile_id, ad_id, day, link_clicks, video_views, thruplays, video_p25, video_p50, video_p75,
      video_p100, quality_ranking)
    select ${profileId}::uuid, * from unnest(
      ${records.map((record) => entityId(profileId, 'ad', record.externalId))}::uuid[], ${records.map((record) => record.day)}::date[],
      ${column((record) => record.linkClicks)}::bigint[], ${column((record) => record.videoViews)}::bigint[],
      ${column((record) => record.thruplays)}::bigint[], ${column((record) => record.videoP25)}::bigint[],
      ${column((record) => record.videoP50)}::bigint[], ${column((record) => record.videoP75)}::bigint[],
      ${column((record) => record.videoP100)}::bigint[], ${column((record) => record.qualityRanking)}::smallint[])
    on conflict (profile_id, ad_id, day) do update set link_clicks = excluded.link_clicks, video_views = excluded.video_views,
      thruplays = excluded.thruplays, video_p25 = excluded.video_p25, video_p50 = excluded.video_p50,
      video_p75 = excluded.video_p75,
      video_p100 = excluded.video_p100, quality_ranking = excluded.quality_ranking`.execute(tx)
}

async function saveFrequency(tx: Tx, profileId: string, records: readonly OfKind<'frequency'>[]) {
  if (records.length === 0) return
  await sql`
    insert into ad_frequency_days (profile_id, ad_id, day, frequency_milli, reach)
    select ${profileId}::uuid, * from unnest(
      ${records.map((record) => entityId(profileId, 'ad', record.externalId))}::uuid[], ${records.map((record) => record.day)}::date[],
      ${records.map((record) => record.frequencyMilli)}::bigint[], ${records.map((record) => record.reach)}::bigint[])
    on conflict (profile_id, ad_id, day) do update
    set frequency_milli = excluded.frequency_milli, reach = excluded.reach`.execute(tx)
}
