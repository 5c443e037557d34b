import { sql } from 'kysely'
import { copyKeys } from '../../../platform/access/key-copies.ts'
import { lockCopiedRow } from '../../../platform/db/copied-row-lock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import type { ExportKind } from '../../facts/export-queue/rules.ts'

export type TrackingSettings = {
  sessionMinutes: number
  consentMode: 'granted' | 'pending' | 'denied'
  forms: 'auto' | 'marked' | 'off'
  spa: 'on' | 'hash' | 'off'
  allowedDomains: string[]
  filterBots: boolean
  enrichCountry: boolean
  browserRevenue: 'count' | 'confirm' | 'ignore'
  consentSignals: 'auto' | 'off'
  gpc: 'honor' | 'explicit_choice_wins'
  excludePaths: string[]
}

export const defaultTracking: TrackingSettings = {
  sessionMinutes: 30,
  consentMode: 'granted',
  forms: 'auto',
  spa: 'on',
  allowedDomains: [],
  filterBots: true,
  enrichCountry: true,
  browserRevenue: 'confirm',
  consentSignals: 'auto',
  gpc: 'honor',
  excludePaths: [],
}

export async function getTrackingSettings(
  db: Db | Tx,
  params: { profileId: string },
): Promise<TrackingSettings> {
  const row = await rowsWhere(db, 'tracking_settings', { profile_id: params.profileId }).find()
  if (row === undefined) return defaultTracking
  return {
    sessionMinutes: row.session_minutes,
    consentMode: row.consent_mode as TrackingSettings['consentMode'],
    forms: row.forms as TrackingSettings['forms'],
    spa: row.spa as TrackingSettings['spa'],
    allowedDomains: row.allowed_domains,
    filterBots: row.filter_bots,
    enrichCountry: row.enrich_country,
    browserRevenue: row.browser_revenue as TrackingSettings['browserRevenue'],
    consentSignals: row.consent_signals as TrackingSettings['consentSignals'],
    gpc: row.gpc as TrackingSettings['gpc'],
    excludePaths: row.exclude_paths,
  }
}

/** Column names, which are also the field names of the API. */
export const toSettings = (settings: TrackingSettings) => ({
  session_minutes: settings.sessionMinutes,
  consent_mode: settings.consentMode,
  forms: settings.forms,
  spa: settings.spa,
  allowed_domains: settings.allowedDomains,
  filter_bots: settings.filterBots,
  enrich_country: settings.enrichCountry,
  browser_revenue: settings.browserRevenue,
  consent_signals: settings.consentSignals,
  gpc: settings.gpc,
  exclude_paths: settings.excludePaths,
})

export async function saveSettings(
  db: Db | Tx,
  params: { profileId: string; settings: TrackingSettings; now: Date },
): Promise<void> {
  const fields = { ...toSettings(params.settings), updated_at: params.now }
  await db
    .insertInto('tracking_settings')
    .values({ profile_id: params.profileId, ...fields })
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(fields))
    .execute()
}

export type KeyRow = { id: string; key: string; created_at: Date; authorization_id: string | null }

/** A tracking key is public, so its plain text is stored in addition to its hash and can be shown again. */
export async function listTrackingKeys(db: Db | Tx, params: { profileId: string }): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select id, detail->>'key' as key, created_at, authorization_id from credentials
    where profile_id = ${params.profileId} and kind = 'tracking_key' and revoked_at is null
    order by created_at, id`.execute(db)
  return rows
}

/** Serializes issuing keys of one profile. */
export async function lockKeys(tx: Tx, params: { profileId: string }): Promise<void> {
  await lockCopiedRow(tx, 'profiles', params.profileId)
}

export async function insertKey(
  tx: Tx,
  params: { profileId: string; key: KeyRow; lookupHash: Buffer; hint: string },
): Promise<void> {
  const { key, ...row } = params.key
  await insertRow(tx, 'credentials', {
    ...row,
    kind: 'tracking_key',
    lookup_hash: params.lookupHash,
    hint: params.hint,
    profile_id: params.profileId,
    detail: JSON.stringify({ key }),
  })
}

/** The key then belongs to the profile and is no longer revoked with the app that issued it. */
export async function detachKeyFromApp(tx: Tx, params: { profileId: string; id: string }): Promise<void> {
  await rowsWhere(tx, 'credentials', { id: params.id, profile_id: params.profileId }).update({
    authorization_id: null,
  })
  await copyKeys(tx, [params.id])
}

export async function revokeKey(tx: Tx, params: { profileId: string; id: string; now: Date }) {
  const row = await tx
    .updateTable('credentials')
    .set({ revoked_at: params.now })
    .where('id', '=', params.id)
    .where('profile_id', '=', params.profileId)
    .where('kind', '=', 'tracking_key')
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  await copyKeys(tx, row === undefined ? [] : [row.id])
  return row !== undefined
}

/** False if it is there already. Expired ones of the profile are deleted. */
export async function spendToken(
  db: Db | Tx,
  params: { profileId: string; tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<boolean> {
  await db
    .deleteFrom('used_visit_tokens')
    .where('profile_id', '=', params.profileId)
    .where('expires_at', '<', params.now)
    .execute()
  const inserted = await db
    .insertInto('used_visit_tokens')
    .values({ profile_id: params.profileId, token_hash: params.tokenHash, expires_at: params.expiresAt })
    .onConflict((conflict) => conflict.columns(['profile_id', 'token_hash']).doNothing())
    .returning('profile_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function markSeen(
  db: Db | Tx,
  params: { profileId: string; token: string; url: string; now: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('tracking_verifications')
    .set({ status: 'seen', seen_at: params.now, seen_url: params.url })
    .where('profile_id', '=', params.profileId)
    .where('token', '=', params.token)
    .where('expires_at', '>', params.now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type EventRow = {
  id: string
  name: string
  source: string
  occurred_at: Date
  received_at: Date
  anonymous_id: string | null
  session_id: string | null
  is_bot: boolean
  channel: string | null
  page_url: string | null
  referrer: string | null
  device: Record<string, string | null> | null
  utm: Record<string, string> | null
  click_ids: Record<string, string> | null
}

/** Newest first; the cursor is the last row's (time, id). Contains no personal data and no amounts. */
export async function listEvents(
  db: Db | Tx,
  params: { profileId: string; limit: number; before: { at: Date; id: string } | null; name: string | null },
): Promise<EventRow[]> {
  const before = params.before ?? { at: new Date('9999-01-01'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
  const { rows } = await sql<EventRow>`
    select id, name, source, occurred_at, received_at, anonymous_id, session_id, is_bot,
           body->'touch'->>'channel' as channel, body->'page'->>'url' as page_url, body->'page'->>'referrer' as referrer,
           body->'device' as device, body->'utm' as utm, body->'click_ids' as click_ids
    from events
    where profile_id = ${params.profileId} and occurred_at <= ${before.at}
      and (occurred_at, id) < (${before.at}, ${before.id}::uuid)
      and (${params.name}::text is null or name = ${params.name})
    order by occurred_at desc, id desc limit ${params.limit}`.execute(db)
  return rows
}

export type Quality = {
  events: number
  bots: number
  page_views: number
  sessions: number
  visitors: number
  identified: number
  with_click_id: number
  with_ad: number
  gpc_events: number
  unread_banner_events: number
  ads_denied_events: number
  last_event_at: Date | null
}

/** Reads only the events since `since`, never the whole history. */
export async function readQuality(db: Db | Tx, params: { profileId: string; since: Date }): Promise<Quality> {
  const { rows } = await sql<Quality>`
    select count(*)::int as events, count(*) filter (where is_bot)::int as bots,
      count(*) filter (where name = 'page_view')::int as page_views,
      count(distinct session_id)::int as sessions, count(distinct anonymous_id)::int as visitors,
      count(distinct anonymous_id) filter (where body ? 'traits')::int as identified,
      count(*) filter (where body->'touch'->>'click_id_kind' is not null)::int as with_click_id,
      count(*) filter (where body->'touch'->>'click_id_kind' is not null and body->'touch'->>'ad_id' is not null)::int as with_ad,
      count(*) filter (where body->'consent_signals' ? 'gpc')::int as gpc_events,
      count(*) filter (where body->'consent_signals' ? 'unread')::int as unread_banner_events,
      count(*) filter (where body->'consent_signals' ? 'gpc'
        or body->'properties'->'consent'->>'ad_user_data' in ('denied', 'false'))::int as ads_denied_events,
      max(occurred_at) as last_event_at
    from events where profile_id = ${params.profileId}
      and occurred_at >= ${params.since} and source = 'tracker'`.execute(db)
  return rows[0]!
}

/** Smaller than every id of this time and later. */
function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Conversions that were not sent because of a refusal. Ids begin with the time, so only recent rows are read. */
export async function listWithheld(db: Db | Tx, params: { profileId: string; since: Date; until?: Date }) {
  const { profileId } = params
  const until = params.until ?? new Date('9999-01-01')
  const { rows } = await sql<{ platform: ExportKind; conversions: number; value_minor: number | null }>`
    select d.kind as platform, count(*)::int as conversions, sum(c.report_value_minor)::bigint as value_minor
    from conversion_exports x
    join export_destinations d on d.profile_id = ${profileId} and d.id = x.destination_id
    left join conversions c on c.profile_id = ${profileId} and c.id = x.conversion_id
    where x.profile_id = ${profileId} and x.id >= ${firstIdOf(params.since)}::uuid and x.id < ${firstIdOf(until)}::uuid
      and x.reason = 'consent_denied' and x.adjustment = 'none'
    group by d.kind order by d.kind`.execute(db)
  return rows
}

export type NamedEvents = { name: string; events: number; with_money: number }

/** Recent server and browser events by name, excluding names that goals count. */
export async function listUncountedNames(
  db: Db | Tx,
  params: { profileId: string; since: Date; counted: readonly string[] },
): Promise<NamedEvents[]> {
  const { rows } = await sql<NamedEvents>`
    select name, count(*)::int as events, count(*) filter (where body ? 'money')::int as with_money
    from events
    where profile_id = ${params.profileId} and occurred_at >= ${params.since} and source in ('tracker', 'api')
      and name <> all(${params.counted}::text[])
    group by name order by with_money desc, events desc, name limit 200`.execute(db)
  return rows
}

export type Ops = {
  waiting: number
  oldest_waiting_at: Date | null
  events: number
  touches: number
  conversions: number
}

export async function readOps(db: Db | Tx, params: { profileId: string; since: Date }): Promise<Ops> {
  const { rows } = await sql<Ops>`
    select (select coalesce(sum(cardinality(event_ids)), 0)::int from event_queue where profile_id = ${params.profileId}) as waiting,
      (select min(e.received_at) from event_queue q cross join unnest(q.event_ids, q.event_times) as w(id, occurred_at)
         join events e on e.profile_id = ${params.profileId} and e.occurred_at = w.occurred_at and e.id = w.id
         where q.profile_id = ${params.profileId}) as oldest_waiting_at,
      (select count(*)::int from events where profile_id = ${params.profileId} and occurred_at >= ${params.since}) as events,
      (select count(*)::int from touches where profile_id = ${params.profileId} and occurred_at >= ${params.since}) as touches,
      (select count(*)::int from conversions where profile_id = ${params.profileId} and occurred_at >= ${params.since}) as conversions`.execute(
    db,
  )
  return rows[0]!
}

export async function findLastRecompute(db: Db | Tx, params: { profileId: string }) {
  return db
    .selectFrom('recomputes')
    .select(['id', 'scope', 'state', 'conversions', 'requested_at', 'started_at', 'finished_at', 'error'])
    .where('profile_id', '=', params.profileId)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export type PaidArrivals = { platform: string; with_ad_id: number; clicks: number; last_day: string }

/** Paid clicks since a day, by platform, and how many of them carried an ad id. */
export async function listPaidArrivals(db: Db | Tx, params: { profileId: string; since: string }) {
  const { rows } = await sql<PaidArrivals>`
    select platform, coalesce(sum(touches) filter (where named_ad), 0)::int as with_ad_id, sum(touches)::int as clicks,
      max(day)::text as last_day
    from paid_touch_daily
    where profile_id = ${params.profileId} and day >= ${params.since}::date and touches > 0
    group by platform`.execute(db)
  return rows
}
