/**
 * Touch sources: platform, entities, source and directness of a touch as one id. The id is a hash, so it needs no lookup.
 * The table `touch_sources` maps ids to their contents; missing rows are rebuilt from the touches.
 */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { BoundedCache } from '../../../platform/bounded-cache.ts'
import { paidChannelOf } from '../../../platform/contract/paid-channels.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { PathTouch } from './credits/paths.ts'
import { type SourcedTouch, sourceOf } from './credits/source-name.ts'

export type TouchSource = PathTouch & { is_direct: boolean }

const BETWEEN = '\x1f'
const NOTHING = '\x1e'
/** Caches of computed ids and of ids known to be stored; evicting entries is harmless. */
const MAX_CACHED = 100_000
const ids = new BoundedCache<string, string>(MAX_CACHED)
const stored = new BoundedCache<string, true>(MAX_CACHED)

export function sourceIdOf(source: TouchSource): string {
  const text = [
    source.is_direct ? 'direct' : '',
    source.platform ?? NOTHING,
    source.campaign_external_id ?? NOTHING,
    source.ad_set_external_id ?? NOTHING,
    source.ad_external_id ?? NOTHING,
    ...(source.source === null ? [] : [source.source]),
  ].join(BETWEEN)
  return ids.recall(text, () => {
    const hex = createHash('sha256').update(text).digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  })
}

/** Caches only ids that existed before: rows that this transaction inserts may still be rolled back. */
export async function saveSources(tx: Tx, profileId: string, sources: Iterable<TouchSource>): Promise<void> {
  const fresh = new Map<string, TouchSource>()
  for (const source of sources) {
    const id = sourceIdOf(source)
    if (!stored.has(`${profileId} ${id}`)) fresh.set(id, source)
  }
  if (fresh.size === 0) return
  const added = await bulkInsert(
    tx,
    { into: 'touch_sources', profileId, rows: [...fresh.values()] },
    {
      id: sourceIdOf,
      is_direct: 'is_direct',
      platform: 'platform',
      campaign_external_id: 'campaign_external_id',
      ad_set_external_id: 'ad_set_external_id',
      ad_external_id: 'ad_external_id',
      source: 'source',
    },
    { conflict: 'ignore', returning: ['id'] },
  )
  for (const { id } of added) fresh.delete(id)
  for (const id of fresh.keys()) stored.set(`${profileId} ${id}`, true)
}

/** Loads sources by id. Missing rows are rebuilt from touches and, unless `isReadOnly`, stored. */
export async function loadSources(
  tx: Tx,
  profileId: string,
  ids: readonly string[],
  isReadOnly = false,
): Promise<Map<string, TouchSource>> {
  const sources = await readSources(tx, profileId, ids)
  const missing = ids.filter((id) => !sources.has(id))
  if (missing.length === 0) return sources
  const rebuilt = (await readFromTouches(tx, profileId, missing)).map(toTouchSource)
  if (!isReadOnly) {
    for (const id of missing) stored.delete(`${profileId} ${id}`)
    await saveSources(tx, profileId, rebuilt)
  }
  for (const source of rebuilt) sources.set(sourceIdOf(source), source)
  return sources
}

type SourceColumns = SourcedTouch & { is_direct: boolean }

function readFromTouches(tx: Tx, profileId: string, sourceIds: readonly string[]): Promise<SourceColumns[]> {
  return sql<SourceColumns>`
    select distinct is_direct, channel, platform, campaign_external_id, ad_set_external_id, ad_external_id, utm_source,
      referrer_host, click_id_kind
    from touches where profile_id = ${profileId} and source_id = any(${uuidList(sourceIds)}::uuid[])`
    .execute(tx)
    .then(({ rows }) => rows)
}

export function toTouchSource(touch: SourceColumns): TouchSource {
  return {
    is_direct: touch.is_direct,
    platform: touch.platform,
    campaign_external_id: touch.campaign_external_id,
    ad_set_external_id: touch.ad_set_external_id,
    ad_external_id: touch.ad_external_id,
    source: sourceOf(touch),
  }
}

/**
 * Rewrites sources of earlier releases, which gave all visits without an ad one source, did not store the utm_source of
 * paid clicks, and counted paid clicks of some recognised platforms as `paid_other`. Costs one query for profiles
 * without such sources. The caller holds the profile's lock.
 */
export async function migrateOldSources(tx: Tx, profileId: string): Promise<void> {
  const ids = await listOldSources(tx, profileId)
  if (ids.length === 0) return
  for (const touch of await readFromTouches(tx, profileId, ids)) {
    const channel = currentChannel(touch)
    const source = toTouchSource({ ...touch, channel })
    await saveSources(tx, profileId, [source])
    await sql`
      update touches set source_id = ${sourceIdOf(source)}, channel = ${channel}
      where profile_id = ${profileId} and source_id = any(${uuidList(ids)}::uuid[]) and is_direct = ${touch.is_direct}
        and channel = ${touch.channel} and platform is not distinct from ${touch.platform}
        and utm_source is not distinct from ${touch.utm_source}
        and referrer_host is not distinct from ${touch.referrer_host}
        and click_id_kind is not distinct from ${touch.click_id_kind}`.execute(tx)
  }
  await sql`
    delete from touch_sources where profile_id = ${profileId} and id = any(${uuidList(ids)}::uuid[])`.execute(
    tx,
  )
  for (const id of ids) stored.delete(`${profileId} ${id}`)
}

export async function listOldSources(tx: Tx, profileId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from touch_sources where profile_id = ${profileId}
      and campaign_external_id is null and ad_set_external_id is null and ad_external_id is null
      and (source is null or (platform is not null and position(chr(9) in source) = 0))`.execute(tx)
  return rows.map((row) => row.id)
}

/** Earlier releases used `paid_other` for some recognised platforms. */
function currentChannel({ channel, platform, click_id_kind }: SourceColumns): string {
  return channel === 'paid_other' && platform !== null && click_id_kind === null
    ? paidChannelOf(platform)
    : channel
}

async function readSources(
  tx: Tx,
  profileId: string,
  ids: readonly string[],
): Promise<Map<string, TouchSource>> {
  const { rows } = await sql<TouchSource & { id: string }>`
    select id, is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id, source from touch_sources
    where profile_id = ${profileId} and id = any(${uuidList(ids)}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, ...source }) => [id, source]))
}
