/** The (campaign, ad set, ad) that a touch stands on, numbered once per profile and never renumbered. */
import { NO_ENTITY } from '@whence/engine'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type AdLevel, type EntityRef, ensureEntities, entityId, loadParents } from '../ads/entities.ts'
import type { PathEntities } from './packed.ts'

export type AdPath = { campaignId: string | null; adSetId: string | null; adId: string | null }
export type NamedAd = {
  campaign_external_id: string | null
  ad_set_external_id: string | null
  ad_external_id: string | null
}

/** A path's number, its entities as indexes for the engine, and back to ids. */
export type PathBook = {
  numberOf(named: NamedAd): number
  entitiesOf(path: number): PathEntities
  entityIdAt(index: number): string
}

const keyOfPath = (path: AdPath): string =>
  `${path.campaignId ?? ''} ${path.adSetId ?? ''} ${path.adId ?? ''}`
const keyOfNamed = (named: NamedAd): string =>
  JSON.stringify([named.campaign_external_id, named.ad_set_external_id, named.ad_external_id])

export async function openPathBook(
  tx: Tx,
  profileId: string,
  touches: Iterable<NamedAd>,
  oldPaths: Iterable<number>,
  now: Date,
): Promise<PathBook> {
  const named = new Map<string, NamedAd>()
  for (const touch of touches) {
    const key = keyOfNamed(touch)
    if (!named.has(key)) named.set(key, touch)
  }
  const resolved = await resolveNamed(tx, profileId, [...named.values()], now)
  const numbers = await numberPaths(tx, profileId, [...resolved.values()])
  const byNumber = await loadPaths(tx, profileId, [...new Set([...numbers.values(), ...oldPaths])])
  const indexes = new Map<string, number>()
  const ids: string[] = []
  const indexOf = (id: string | null): number => {
    if (id === null) return NO_ENTITY
    const known = indexes.get(id)
    if (known !== undefined) return known
    indexes.set(id, ids.length)
    return ids.push(id) - 1
  }
  const entities = new Map<number, PathEntities>()
  for (const [number, path] of byNumber)
    entities.set(number, {
      campaign: indexOf(path.campaignId),
      adSet: indexOf(path.adSetId),
      ad: indexOf(path.adId),
    })
  const numberByNamed = new Map([...resolved].map(([key, path]) => [key, numbers.get(keyOfPath(path))!]))
  return {
    numberOf: (touch) => numberByNamed.get(keyOfNamed(touch))!,
    entitiesOf: (path) => entities.get(path)!,
    entityIdAt: (index) => ids[index]!,
  }
}

/** The platform's structure knows an ad's parents best; where it is silent, the touch's own words count. */
async function resolveNamed(
  tx: Tx,
  profileId: string,
  named: readonly NamedAd[],
  now: Date,
): Promise<Map<string, AdPath>> {
  const refs = new Map<string, EntityRef>()
  const idOf = (level: AdLevel, externalId: string | null): string | null => {
    if (externalId === null) return null
    const id = entityId(profileId, level, externalId)
    refs.set(id, { level, externalId })
    return id
  }
  const own = named.map((touch) => ({
    key: keyOfNamed(touch),
    campaignId: idOf('campaign', touch.campaign_external_id),
    adSetId: idOf('ad_set', touch.ad_set_external_id),
    adId: idOf('ad', touch.ad_external_id),
  }))
  await ensureEntities(tx, profileId, [...refs.values()], now)
  const parents = await loadParents(tx, profileId, [...refs.keys()])
  return new Map(
    own.map(({ key, ...path }) => {
      const ofAd = path.adId === null ? undefined : parents.get(path.adId)
      const adSetId = ofAd?.adSetId ?? path.adSetId
      const ofAdSet = adSetId === null ? undefined : parents.get(adSetId)
      const campaignId = ofAd?.campaignId ?? ofAdSet?.campaignId ?? path.campaignId
      return [key, { campaignId, adSetId, adId: path.adId }]
    }),
  )
}

async function numberPaths(
  tx: Tx,
  profileId: string,
  paths: readonly AdPath[],
): Promise<Map<string, number>> {
  const wanted = new Map(paths.map((path) => [keyOfPath(path), path]))
  const rows = [...wanted.values()]
  const ids = (pick: (path: AdPath) => string | null) => rows.map(pick)
  const known = await sql<{
    number: number
    campaign_id: string | null
    ad_set_id: string | null
    ad_id: string | null
  }>`
    select p.number, p.campaign_id, p.ad_set_id, p.ad_id from ad_paths p
    join unnest(${ids((path) => path.campaignId)}::uuid[], ${ids((path) => path.adSetId)}::uuid[], ${ids((path) => path.adId)}::uuid[])
      as w(campaign_id, ad_set_id, ad_id)
      on p.campaign_id is not distinct from w.campaign_id and p.ad_set_id is not distinct from w.ad_set_id
        and p.ad_id is not distinct from w.ad_id
    where p.profile_id = ${profileId}`.execute(tx)
  const numbers = new Map<string, number>()
  for (const row of known.rows)
    numbers.set(
      keyOfPath({ campaignId: row.campaign_id, adSetId: row.ad_set_id, adId: row.ad_id }),
      row.number,
    )
  const fresh = [...wanted].filter(([key]) => !numbers.has(key)).map(([, path]) => path)
  if (fresh.length === 0) return numbers
  const last = await sql<{ last: number }>`
    select coalesce(max(number), 0) as last from ad_paths where profile_id = ${profileId}`.execute(tx)
  const first = last.rows[0]!.last + 1
  await sql`
    insert into ad_paths (profile_id, number, campaign_id, ad_set_id, ad_id)
    select ${profileId}::uuid, * from unnest(${fresh.map((_, index) => first + index)}::integer[],
      ${fresh.map((path) => path.campaignId)}::uuid[], ${fresh.map((path) => path.adSetId)}::uuid[], ${fresh.map((path) => path.adId)}::uuid[])`.execute(
    tx,
  )
  for (const [index, path] of fresh.entries()) numbers.set(keyOfPath(path), first + index)
  return numbers
}

async function loadPaths(
  tx: Tx,
  profileId: string,
  numbers: readonly number[],
): Promise<Map<number, AdPath>> {
  const { rows } = await sql<{
    number: number
    campaign_id: string | null
    ad_set_id: string | null
    ad_id: string | null
  }>`
    select number, campaign_id, ad_set_id, ad_id from ad_paths
    where profile_id = ${profileId} and number = any(${numbers}::integer[])`.execute(tx)
  return new Map(
    rows.map((row) => [row.number, { campaignId: row.campaign_id, adSetId: row.ad_set_id, adId: row.ad_id }]),
  )
}
