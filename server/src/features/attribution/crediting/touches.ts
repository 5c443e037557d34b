import type { TouchEvidence } from '@whence/engine'
import { sql } from 'kysely'
import { localDay } from '../../../platform/contract/zones.ts'
import { instants, uuids } from '../../../platform/db/bulk/columns.ts'
import { applyDeltas } from '../../../platform/db/bulk/counters.ts'
import { bulkInsert, type Columns } from '../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { type Receipt, receiptRows, touchesReceived } from '../../facts/events/derived-rows.ts'
import type { StoredTouch } from '../../facts/events/stored.ts'
import type { Cause } from '../../facts/restatements/causes.ts'
import type { Restatements } from '../../facts/restatements/save-restatements.ts'
import { saveSources, sourceIdOf, type TouchSource, toTouchSource } from './touch-sources.ts'

export type TouchRow = StoredTouch & {
  id: string
  identifierId: string
  occurredAt: Date
  recordedAt: Date
  /** Time of the provider's record that reported the touch; null if the tracker saw it. */
  reportedAt: Date | null
}

/** The fields of a touch row that decide whether it is an echo. */
export function toEvidence(row: {
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

/** Inserts touches of new events, none of which is stored. */
export async function addTouches(
  tx: Tx,
  profileId: string,
  rows: readonly TouchRow[],
): Promise<readonly TouchRow[]> {
  await insertTouches(tx, profileId, rows)
  return rows
}

/** Inserts the touches that are not stored yet and returns them. The caller holds the profile's lock. */
export async function addMissingTouches(
  tx: Tx,
  profileId: string,
  touches: readonly TouchRow[],
): Promise<TouchRow[]> {
  const stored = await storedTouches(tx, profileId, touches)
  const rows = touches.filter((row) => !stored.has(row.id))
  await insertTouches(tx, profileId, rows)
  return rows
}

/** Replaces stored touches by later versions. */
export async function replaceTouches(
  tx: Tx,
  profileId: string,
  change: { stored: readonly TouchRow[]; later: readonly TouchRow[] },
): Promise<void> {
  const keyOf = (row: TouchRow) => `${row.identifierId} ${row.occurredAt.getTime()} ${row.id}`
  const laterKeys = new Set(change.later.map(keyOf))
  await deleteTouches(
    tx,
    profileId,
    change.stored.filter((row) => !laterKeys.has(keyOf(row))),
  )
  await insertTouches(tx, profileId, change.later, 'replaced')
}

const columns: Columns<'touches', TouchRow> = {
  identifier_id: (row) => row.identifierId,
  occurred_at: (row) => row.occurredAt,
  source_id: (row) => sourceIdOf(toSource(row)),
  id: (row) => row.id,
  recorded_at: (row) => row.recordedAt,
  channel: (row) => row.channel,
  origin: (row) => row.origin,
  is_direct: (row) => row.is_direct,
  platform: (row) => row.platform,
  campaign_external_id: (row) => row.campaign_id,
  ad_set_external_id: (row) => row.ad_set_id,
  ad_external_id: (row) => row.ad_id,
  click_id_kind: (row) => row.click_id_kind,
  click_id: (row) => row.click_id,
  utm_source: (row) => row.utm_source,
  utm_medium: (row) => row.utm_medium,
  utm_campaign: (row) => row.utm_campaign,
  referrer_host: (row) => row.referrer_host,
  landing_path: (row) => row.landing_path,
  reported_at: (row) => row.reportedAt,
}

async function insertTouches(
  tx: Tx,
  profileId: string,
  rows: readonly TouchRow[],
  stored: 'absent' | 'replaced' = 'absent',
): Promise<void> {
  const conflict = { on: ['profile_id', 'identifier_id', 'occurred_at', 'id'] } as const
  await bulkInsert(tx, { into: 'touches', profileId, rows }, columns, stored === 'absent' ? {} : { conflict })
}

/** Stored touches of these events. */
export async function loadTouchesOf(tx: Tx, profileId: string, receipts: readonly Receipt[]) {
  const { rows } = await sql<TouchRow>`
    select id, identifier_id as "identifierId", occurred_at as "occurredAt", recorded_at as "recordedAt",
      reported_at as "reportedAt", channel, origin, is_direct, platform, campaign_external_id as campaign_id,
      ad_set_external_id as ad_set_id, ad_external_id as ad_id, click_id_kind, click_id, utm_source, utm_medium, utm_campaign,
      referrer_host, landing_path
    from ${touchesReceived(profileId, receiptRows(receipts))} as received`.execute(tx)
  return rows
}

async function deleteTouches(tx: Tx, profileId: string, rows: readonly TouchRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    delete from touches t using (
      select stored.identifier_id, stored.occurred_at, stored.id
      from unnest(${uuids(rows, (row) => row.identifierId)}::uuid[], ${instants(rows, (row) => row.occurredAt)}::timestamptz[],
        ${uuids(rows, (row) => row.id)}::uuid[]) as input(identifier_id, occurred_at, id)
      cross join lateral (
        select identifier_id, occurred_at, id from touches where profile_id = ${profileId}
          and identifier_id = input.identifier_id and occurred_at = input.occurred_at and id = input.id offset 0) as stored) as removed
    where t.profile_id = ${profileId} and t.identifier_id = removed.identifier_id and t.occurred_at = removed.occurred_at
      and t.id = removed.id`.execute(tx)
}

/**
 * Call it once per transaction, for all touches it adds and removes: `saveSources` caches the sources that it finds
 * stored, so it must not find uncommitted rows of this transaction.
 */
export async function countTouches(
  tx: Tx,
  profile: { profileId: string; timezone: string },
  { added, removed }: { added: readonly TouchRow[]; removed: readonly TouchRow[] },
  restated: RestatedTouches,
): Promise<void> {
  await saveSources(tx, profile.profileId, added.map(toSource))
  const clicks = [
    ...added.flatMap((touch) => toPaidClick(touch, 1, profile.timezone)),
    ...removed.flatMap((touch) => toPaidClick(touch, -1, profile.timezone)),
  ]
  restateClicks(clicks, restated)
  await countPaid(tx, profile.profileId, clicks)
}

/** Ids of the touches that are stored, rarely any. This query costs half as much as `on conflict` on the insert. */
async function storedTouches(
  tx: Tx,
  profileId: string,
  rows: readonly TouchRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const { rows: stored } = await sql<{ id: string }>`
    select stored.id from unnest(${uuids(rows, (row) => row.identifierId)}::uuid[], ${instants(rows, (row) => row.occurredAt)}::timestamptz[],
      ${uuids(rows, (row) => row.id)}::uuid[]) as input(identifier_id, occurred_at, id)
    cross join lateral (
      select id from touches where profile_id = ${profileId} and identifier_id = input.identifier_id
        and occurred_at = input.occurred_at and id = input.id offset 0) as stored`.execute(tx)
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

type RestatedTouches = { causeOf: (eventId: string) => Cause; restatements: Restatements }

type PaidClick = { eventId: string; day: string; platform: string; namedAd: boolean; touches: number }

/** Reported touches are excluded: the site did not see a click, and they may be the echo of one. */
function toPaidClick(touch: TouchRow, sign: 1 | -1, timezone: string): PaidClick[] {
  if (touch.platform === null || touch.reportedAt !== null) return []
  const day = localDay(touch.occurredAt, timezone)
  return [{ eventId: touch.id, day, platform: touch.platform, namedAd: touch.ad_id !== null, touches: sign }]
}

/** Sums clicks by day, platform and whether they name an ad. */
function sumClicks(clicks: readonly PaidClick[]): Omit<PaidClick, 'eventId'>[] {
  const sums = new Map<string, Omit<PaidClick, 'eventId'>>()
  for (const { eventId: _, ...click } of clicks) {
    const key = `${click.day} ${click.platform} ${click.namedAd}`
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, click)
    else sum.touches += click.touches
  }
  return [...sums.values()].filter((row) => row.touches !== 0)
}

function restateClicks(clicks: readonly PaidClick[], { causeOf, restatements }: RestatedTouches): void {
  const closedClicks = clicks.filter((click) => click.day <= restatements.closedThrough)
  for (const [cause, causeClicks] of Map.groupBy(closedClicks, (click) => causeOf(click.eventId)))
    restatements.add(
      { cause, fact: null },
      sumClicks(causeClicks).map(({ day, platform: entity, namedAd, touches }) => ({
        rollup: 'click',
        level: namedAd ? NAMED_AD : '',
        entity,
        day,
        outcomeType: '',
        revenueType: '',
        measures: [touches],
      })),
    )
}

/** Level of restatements of clicks that name their ad. */
export const NAMED_AD = 'named_ad'

/** Maintains the daily counts of paid clicks with and without an ad, so that reports need not count touches. */
async function countPaid(tx: Tx, profileId: string, clicks: readonly PaidClick[]): Promise<void> {
  await applyDeltas(
    tx,
    { into: 'paid_touch_daily', profileId, rows: sumClicks(clicks) },
    { keys: ['day', 'platform', 'named_ad'], measures: ['touches'], mayVanish: (row) => row.touches < 0 },
  )
}
