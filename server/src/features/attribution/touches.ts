import type { TouchEvidence } from '@whence/engine'
import { sql } from 'kysely'
import { localDay } from '../../contract/zones.ts'
import { bigints, booleans, days, instants, texts, uuids } from '../../db/bulk/columns.ts'
import type { Tx } from '../../db/database.ts'
import { touchesOf } from '../events/derived-rows.ts'
import type { StoredTouch } from '../events/stored.ts'
import { saveSources, sourceIdOf, type TouchSource, toTouchSource } from './touch-sources.ts'

export type TouchRow = StoredTouch & {
  id: string
  identifierId: string
  occurredAt: Date
  recordedAt: Date
  /** When the record happened that named it; null for a touch that was seen. */
  reportedAt: Date | null
}

/** What decides whether a touch is an echo of another, from its row. */
export function toTold(row: {
  occurred_at: Date
  reported_at: Date | null
  click_id_kind: string | null
  click_id: string | null
  ad_external_id: string | null
}): TouchEvidence {
  return {
    occurredAt: row.occurred_at.getTime(),
    reportedAt: row.reported_at === null ? null : row.reported_at.getTime(),
    click: row.click_id === null ? null : `${row.click_id_kind}:${row.click_id}`,
    ad: row.ad_external_id,
  }
}

/** Adds those that are not stored yet, and returns them. The caller holds the profile's lock. */
export async function addTouches(tx: Tx, profileId: string, given: readonly TouchRow[]): Promise<TouchRow[]> {
  const stored = await storedTouches(tx, profileId, given)
  const rows = given.filter((row) => !stored.has(row.id))
  if (rows.length === 0) return []
  await sql`
    insert into touches (profile_id, identifier_id, occurred_at, source_id, id, recorded_at, channel, origin, is_direct, platform,
      campaign_external_id, ad_set_external_id, ad_external_id, click_id_kind, click_id, utm_source, utm_medium,
      utm_campaign, referrer_host, landing_path, reported_at)
    select ${profileId}::uuid, unnest(${uuids(rows, (row) => row.identifierId)}::uuid[]),
      unnest(${instants(rows, (row) => row.occurredAt)}::timestamptz[]),
      unnest(${uuids(rows, (row) => sourceIdOf(toSource(row)))}::uuid[]),
      unnest(${uuids(rows, (row) => row.id)}::uuid[]),
      unnest(${instants(rows, (row) => row.recordedAt)}::timestamptz[]),
      unnest(${texts(rows, (row) => row.channel)}::text[]), unnest(${texts(rows, (row) => row.origin)}::text[]),
      unnest(${booleans(rows, (row) => row.is_direct)}::boolean[]),
      unnest(${texts(rows, (row) => row.platform)}::text[]),
      unnest(${texts(rows, (row) => row.campaign_id)}::text[]),
      unnest(${texts(rows, (row) => row.ad_set_id)}::text[]),
      unnest(${texts(rows, (row) => row.ad_id)}::text[]),
      unnest(${texts(rows, (row) => row.click_id_kind)}::text[]),
      unnest(${texts(rows, (row) => row.click_id)}::text[]),
      unnest(${texts(rows, (row) => row.utm_source)}::text[]),
      unnest(${texts(rows, (row) => row.utm_medium)}::text[]),
      unnest(${texts(rows, (row) => row.utm_campaign)}::text[]),
      unnest(${texts(rows, (row) => row.referrer_host)}::text[]),
      unnest(${texts(rows, (row) => row.landing_path)}::text[]),
      unnest(${instants(rows, (row) => row.reportedAt)}::timestamptz[])`.execute(tx)
  return rows
}

/** Once for all touches that a transaction adds: a source that it found stored must be another's. */
export async function countTouches(
  tx: Tx,
  profile: { profileId: string; timezone: string },
  rows: readonly TouchRow[],
): Promise<void> {
  await saveSources(tx, profile.profileId, rows.map(toSource))
  await countPaid(tx, profile, rows.map(toPaid), 1)
}

function toPaid(row: TouchRow): PaidTouch {
  return {
    occurred_at: row.occurredAt,
    platform: row.platform,
    ad_external_id: row.ad_id,
    reported_at: row.reportedAt,
  }
}

/** Which of them are there: rarely any, and looking costs half of what the database spends to be ready for a conflict. */
async function storedTouches(
  tx: Tx,
  profileId: string,
  rows: readonly TouchRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const { rows: stored } = await sql<{ id: string }>`
    select found.id from unnest(${uuids(rows, (row) => row.identifierId)}::uuid[], ${instants(rows, (row) => row.occurredAt)}::timestamptz[],
      ${uuids(rows, (row) => row.id)}::uuid[]) as asked(identifier_id, occurred_at, id)
    cross join lateral (
      select id from touches where profile_id = ${profileId} and identifier_id = asked.identifier_id
        and occurred_at = asked.occurred_at and id = asked.id offset 0) as found`.execute(tx)
  return new Set(stored.map((row) => row.id))
}

export function toSource(row: TouchRow): TouchSource {
  return toTouchSource({
    ...row,
    campaign_external_id: row.campaign_id,
    ad_set_external_id: row.ad_set_id,
    ad_external_id: row.ad_id,
  })
}

export async function removeTouches(
  tx: Tx,
  profile: { profileId: string; timezone: string },
  eventIds: readonly string[],
): Promise<void> {
  const removed = await sql<PaidTouch>`
    delete from touches t using ${touchesOf(profile.profileId, eventIds)} as made
    where t.profile_id = ${profile.profileId} and t.identifier_id = made.identifier_id
      and t.occurred_at = made.occurred_at and t.id = made.id
    returning t.occurred_at, t.platform, t.ad_external_id, t.reported_at`.execute(tx)
  await countPaid(tx, profile, removed.rows, -1)
}

type PaidTouch = {
  occurred_at: Date
  platform: string | null
  ad_external_id: string | null
  reported_at: Date | null
}

/** Keeps how many paid clicks of a day named their ad, so that no report counts touches. */
async function countPaid(
  tx: Tx,
  profile: { profileId: string; timezone: string },
  touches: readonly PaidTouch[],
  sign: 1 | -1,
): Promise<void> {
  const counts = new Map<string, { day: string; platform: string; named: boolean; touches: number }>()
  for (const touch of touches) {
    // A record is no click that the site saw, and may be the echo of one.
    if (touch.platform === null || touch.reported_at !== null) continue
    const day = localDay(touch.occurred_at, profile.timezone)
    const named = touch.ad_external_id !== null
    const key = `${day} ${touch.platform} ${named}`
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { day, platform: touch.platform, named, touches: sign })
    else known.touches += sign
  }
  const rows = [...counts.values()]
  if (rows.length === 0) return
  await sql`
    insert into paid_touch_daily as p (profile_id, day, platform, named_ad, touches)
    select ${profile.profileId}::uuid, unnest(${days(rows, (row) => row.day)}::date[]), unnest(${texts(rows, (row) => row.platform)}::text[]),
      unnest(${booleans(rows, (row) => row.named)}::boolean[]),
      unnest(${bigints(rows, (row) => row.touches)}::bigint[])
    on conflict (profile_id, day, platform, named_ad) do update set touches = p.touches + excluded.touches`.execute(
    tx,
  )
  if (sign < 0)
    await sql`
      delete from paid_touch_daily where profile_id = ${profile.profileId} and day = any(${days(rows, (row) => row.day)}::date[]) and touches = 0`.execute(
      tx,
    )
}
