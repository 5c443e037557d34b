/** Paths (campaign, ad set, ad) of touches, numbered per profile. A number never changes. */
import { NO_ENTITY } from '@whence/engine'
import { sql } from 'kysely'
import { platformOf } from '../../../../platform/contract/ad-providers.ts'
import { paidChannelOf } from '../../../../platform/contract/paid-channels.ts'
import { uuidList } from '../../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../../platform/db/bulk/insert.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import {
  type AdLevel,
  type EntityParents,
  type EntityRef,
  ensureEntities,
  entityId,
  loadHierarchy,
} from '../../../facts/ads/entities.ts'
import { type ChannelOverride, overrideSource } from './channel-overrides.ts'
import type { PathEntities } from './packed.ts'
import type { PathClassification } from './platform-counts.ts'
import { readSource } from './source-name.ts'
import { reasonOfPath } from './unattributed-reasons.ts'

/** `platform`: set for a paid click without an ad. `source`: set for a visit that names no campaign, ad set or ad. */
export type AdPath = {
  campaignId: string | null
  adSetId: string | null
  adId: string | null
  platform: string | null
  source: string | null
}
export type NamedAd = {
  platform: string | null
  campaign_external_id: string | null
  ad_set_external_id: string | null
  ad_external_id: string | null
}

/** What gets a touch's credit: the ad that it names, or its source (`sourceOf`). */
export type PathTouch = NamedAd & { source: string | null }

/** Maps touches to path numbers, path numbers to entity indexes for the engine, and indexes back to ids. */
export type PathBook = {
  /** Numbers the new paths of these touches and loads `oldPaths`, which earlier credits refer to. */
  add(touches: Iterable<PathTouch>, oldPaths: Iterable<number>): Promise<void>
  numberOf(named: PathTouch): number
  entitiesOf(path: number): PathEntities
  entityIdAt(index: number): string
  /** Whether any path has credit that no entity of a level gets. */
  hasUnassigned(): boolean
  /**
   * Keys (as indexes) that unassigned credit is grouped by (`held_daily.holder`). `ad`: the platform of a click without
   * an ad. `campaign`: the ad set or ad without a known campaign. `adSet` is used for the source of a visit without
   * any entity.
   */
  unassignedKeysOf(path: number): PathEntities
  unassignedKeyAt(index: number): string
  platforms: ReadonlyMap<number, PathClassification>
}

/** A path with its current platform and channel. */
export type ClassifiedPath = AdPath & PathClassification

const keyOfPath = (path: AdPath): string =>
  `${path.campaignId ?? ''} ${path.adSetId ?? ''} ${path.adId ?? ''} ${path.platform ?? ''} ${path.source ?? ''}`
const keyOfNamed = (touch: PathTouch): string =>
  JSON.stringify([
    touch.campaign_external_id,
    touch.ad_set_external_id,
    touch.ad_external_id,
    platformOfClick(touch),
    touch.source,
  ])
const platformOfClick = (touch: NamedAd): string | null =>
  touch.ad_external_id === null ? touch.platform : null

/** Touches are passed as stored; the profile's channel overrides are applied here. */
export function openPathBook(
  tx: Tx,
  { profileId, channelOverrides }: { profileId: string; channelOverrides: readonly ChannelOverride[] },
  now: Date,
): PathBook {
  const withOverride = <T extends PathTouch>(touch: T): T =>
    touch.source === null ? touch : { ...touch, source: overrideSource(touch.source, channelOverrides) }
  const numbers = new Map<string, number>()
  const index = new PathIndex()

  async function addPaths(touches: Iterable<PathTouch>, oldPaths: Iterable<number>): Promise<void> {
    const newTouches = new Map<string, PathTouch>()
    for (const stored of touches) {
      const touch = withOverride(stored)
      const key = keyOfNamed(touch)
      if (!numbers.has(key) && !newTouches.has(key)) newTouches.set(key, touch)
    }
    if (newTouches.size > 0) {
      const resolved = await resolveNamed(tx, profileId, [...newTouches.values()], now)
      const numbered = await numberPaths(tx, profileId, [...resolved.values()])
      for (const [key, path] of resolved) numbers.set(key, numbered.get(keyOfPath(path))!)
    }
    const pathNumbers = new Set([...[...newTouches.keys()].map((key) => numbers.get(key)!), ...oldPaths])
    const missing = [...pathNumbers].filter((number) => !index.has(number))
    if (missing.length > 0) index.add(await loadPaths(tx, profileId, missing))
  }

  // Serialized: each call must see the paths that the previous call numbered.
  let queue: Promise<void> = Promise.resolve()
  return {
    add(touches, oldPaths) {
      queue = queue.then(() => addPaths(touches, oldPaths))
      return queue
    },
    numberOf: (touch) => numbers.get(keyOfNamed(withOverride(touch)))!,
    entitiesOf: (path) => index.entities.get(path)!,
    entityIdAt: (at) => index.entityIds.names[at]!,
    hasUnassigned: () => index.unassignedKeys.names.length > 0,
    unassignedKeysOf: (path) => index.unassigned.get(path)!,
    unassignedKeyAt: (at) => index.unassignedKeys.names[at]!,
    platforms: index.platforms,
  }
}

/** Assigns the small integers that the engine uses to entities and unassigned keys. */
class PathIndex {
  readonly entityIds = new Numbering()
  readonly unassignedKeys = new Numbering()
  readonly platforms = new Map<number, PathClassification>()
  readonly entities = new Map<number, PathEntities>()
  readonly unassigned = new Map<number, PathEntities>()
  has(number: number): boolean {
    return this.entities.has(number)
  }
  add(byNumber: ReadonlyMap<number, ClassifiedPath>): void {
    for (const [number, path] of byNumber) {
      this.entities.set(number, {
        campaign: this.entityIds.of(path.campaignId),
        adSet: this.entityIds.of(path.adSetId),
        ad: this.entityIds.of(path.adId),
      })
      this.unassigned.set(number, {
        campaign: this.unassignedKeys.of(path.campaignId === null ? (path.adSetId ?? path.adId) : null),
        adSet: this.unassignedKeys.of(path.source),
        ad: this.unassignedKeys.of(path.platform),
      })
      this.platforms.set(number, path)
    }
  }
}

class Numbering {
  readonly names: string[] = []
  private readonly indexes = new Map<string, number>()
  of(name: string | null): number {
    if (name === null) return NO_ENTITY
    const index = this.indexes.get(name)
    if (index !== undefined) return index
    this.indexes.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}

/** The path of each touch and the platform of its entities. Read-only. */
export async function resolvePaths<T extends NamedAd>(
  db: Db | Tx,
  profileId: string,
  touches: readonly T[],
): Promise<Map<T, AdPath & { entityPlatform: string | null }>> {
  const namedPaths = touches.map((touch) => namePath(profileId, touch, null))
  const hierarchy = await loadHierarchy(db, profileId, [...new Set(namedPaths.flatMap(idsOf))])
  const paths = namedPaths.map((path) => withParents(path, hierarchy))
  const parents = [...new Set(paths.flatMap(idsOf))].filter((id) => !hierarchy.has(id))
  for (const [id, entityParents] of await loadHierarchy(db, profileId, parents))
    hierarchy.set(id, entityParents)
  const platformOfEntity = (id: string) => hierarchy.get(id)?.platform ?? platformOf(null)
  return new Map(
    touches.map((touch, index) => {
      const path = paths[index]!
      return [touch, { ...path, entityPlatform: entityPlatformOf(path, platformOfEntity) }]
    }),
  )
}

/** Like `resolvePaths`, and inserts rows for entities that no platform has listed. */
async function resolveNamed(
  tx: Tx,
  profileId: string,
  touches: readonly PathTouch[],
  now: Date,
): Promise<Map<string, AdPath>> {
  const refs = new Map<string, EntityRef>()
  for (const touch of touches) {
    const path = namePath(profileId, touch, touch.source)
    const add = (level: AdLevel, id: string | null, externalId: string | null) => {
      if (id !== null && externalId !== null) refs.set(id, { level, externalId })
    }
    add('campaign', path.campaignId, touch.campaign_external_id)
    add('ad_set', path.adSetId, touch.ad_set_external_id)
    add('ad', path.adId, touch.ad_external_id)
  }
  await ensureEntities(tx, profileId, [...refs.values()], now)
  const paths = await resolvePaths(tx, profileId, touches)
  return new Map(touches.map((touch) => [keyOfNamed(touch), { ...paths.get(touch)!, source: touch.source }]))
}

/** The entity ids that the touch itself contains. */
function namePath(profileId: string, touch: NamedAd, source: string | null): AdPath {
  const idOf = (level: AdLevel, externalId: string | null) =>
    externalId === null ? null : entityId(profileId, level, externalId)
  return {
    campaignId: idOf('campaign', touch.campaign_external_id),
    adSetId: idOf('ad_set', touch.ad_set_external_id),
    adId: idOf('ad', touch.ad_external_id),
    platform: platformOfClick(touch),
    source,
  }
}

function idsOf(path: AdPath): string[] {
  return [path.campaignId, path.adSetId, path.adId].filter((id) => id !== null)
}

/** An ad's parents come from the platform's structure; what it lacks comes from the touch. */
function withParents(path: AdPath, parents: ReadonlyMap<string, EntityParents>): AdPath {
  const adParents = path.adId === null ? undefined : parents.get(path.adId)
  const adSetId = adParents?.adSetId ?? path.adSetId
  const adSetParents = adSetId === null ? undefined : parents.get(adSetId)
  return {
    ...path,
    adSetId,
    campaignId: adSetParents?.campaignId ?? adParents?.campaignId ?? path.campaignId,
  }
}

/**
 * Path numbers start where they take three bytes in a packed credit (until two million), so a search for the bytes of a
 * path has few false positives. A one-byte number would match nearly every credit.
 */
const FIRST_PATH = 128 ** 2

/** Equality that a hash join can use; `is not distinct from` would compare every pair. */
const NIL = sql`'00000000-0000-0000-0000-000000000000'::uuid`

async function numberPaths(
  tx: Tx,
  profileId: string,
  paths: readonly AdPath[],
): Promise<Map<string, number>> {
  const pathByKey = new Map(paths.map((path) => [keyOfPath(path), path]))
  const rows = [...pathByKey.values()]
  const ids = (pick: (path: AdPath) => string | null) => rows.map(pick)
  const existing = await sql<PathRow>`
    select p.number, p.campaign_id, p.ad_set_id, p.ad_id, p.platform, p.source from ad_paths p
    join unnest(${ids((path) => path.campaignId)}::uuid[], ${ids((path) => path.adSetId)}::uuid[], ${ids((path) => path.adId)}::uuid[],
      ${ids((path) => path.platform)}::text[], ${ids((path) => path.source)}::text[])
      as w(campaign_id, ad_set_id, ad_id, platform, source)
      on coalesce(p.campaign_id, ${NIL}) = coalesce(w.campaign_id, ${NIL})
        and coalesce(p.ad_set_id, ${NIL}) = coalesce(w.ad_set_id, ${NIL})
        and coalesce(p.ad_id, ${NIL}) = coalesce(w.ad_id, ${NIL}) and coalesce(p.platform, '') = coalesce(w.platform, '')
        and coalesce(p.source, '') = coalesce(w.source, '')
    where p.profile_id = ${profileId}`.execute(tx)
  const numbers = new Map<string, number>()
  for (const row of existing.rows) numbers.set(keyOfPath(toPath(row)), row.number)
  const fresh = [...pathByKey].filter(([key]) => !numbers.has(key)).map(([, path]) => path)
  if (fresh.length === 0) return numbers
  const last = await sql<{ last: number }>`
    select coalesce(max(number), ${FIRST_PATH - 1}) as last from ad_paths where profile_id = ${profileId}`.execute(
    tx,
  )
  const first = last.rows[0]!.last + 1
  for (const [index, path] of fresh.entries()) numbers.set(keyOfPath(path), first + index)
  await bulkInsert(
    tx,
    { into: 'ad_paths', profileId, rows: fresh.map((path, index) => ({ ...path, number: first + index })) },
    ['number', 'campaign_id', 'ad_set_id', 'ad_id', 'platform', 'source'],
  )
  return numbers
}

type PathRow = {
  number: number
  campaign_id: string | null
  ad_set_id: string | null
  ad_id: string | null
  platform: string | null
  source: string | null
}

function toPath(row: PathRow): AdPath {
  return {
    campaignId: row.campaign_id,
    adSetId: row.ad_set_id,
    adId: row.ad_id,
    platform: row.platform,
    source: row.source,
  }
}

/** Loads the paths with these numbers, or all paths of the profile. */
export async function loadPaths(
  tx: Tx,
  profileId: string,
  numbers?: readonly number[],
): Promise<Map<number, ClassifiedPath>> {
  const filter = numbers === undefined ? sql`` : sql`and p.number = any(${numbers}::integer[])`
  const { rows } = await sql<PathRow>`
    select p.number, p.campaign_id, p.ad_set_id, p.ad_id, p.platform, p.source from ad_paths p
    where p.profile_id = ${profileId} ${filter}`.execute(tx)
  const paths = rows.map((row) => ({ number: row.number, path: toPath(row) }))
  const sources = await loadSources(tx, profileId, [...new Set(paths.flatMap(({ path }) => idsOf(path)))])
  return new Map(
    paths.map(({ number, path }) => [
      number,
      { ...path, ...classifyPath(path, (id) => platformOf(sources.get(id) ?? null)) },
    ]),
  )
}

/** The platform of a path's highest entity: the campaign if it has one. */
function entityPlatformOf(path: AdPath, platformOfEntity: (id: string) => string): string | null {
  const highest = path.campaignId ?? path.adSetId ?? path.adId
  return highest === null ? null : platformOfEntity(highest)
}

export function classifyPath(path: AdPath, platformOfEntity: (id: string) => string): PathClassification {
  const entityPlatform = entityPlatformOf(path, platformOfEntity)
  return {
    entityPlatform,
    reason: reasonOfPath(path),
    channel:
      entityPlatform !== null
        ? paidChannelOf(entityPlatform)
        : path.source === null
          ? null
          : readSource(path.source).channel,
    isNamed: [path.campaignId !== null, path.adSetId !== null, path.adId !== null],
  }
}

/** One query for all paths: a join per path would read the entities of the whole profile each time. */
async function loadSources(
  tx: Tx,
  profileId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; source: string | null }>`
    select id, source from ad_entities where profile_id = ${profileId} and id = any(${uuidList(ids)}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.id, row.source]))
}
