/** Describes touches for people: channel, and the names of campaign, ad set and ad. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { ExplainedTouch } from './contract.ts'
import { countedChannel } from './credits/channel-overrides.ts'
import { type AdPath, type NamedAd, resolvePaths } from './credits/paths.ts'
import { listChannelOverrides } from './settings.ts'

export type DescribedTouch = NamedAd & {
  id: string
  occurred_at: Date
  channel: string
  origin: string
  is_direct: boolean
  reported_at: Date | null
  click_id_kind: string | null
  utm_source: string | null
  referrer_host: string | null
}

type Description = Omit<
  z.input<typeof ExplainedTouch>,
  'status' | 'weight' | 'credited_value' | 'refunds' | 'reason'
>

export async function describeTouches(
  db: Db | Tx,
  profileId: string,
  touches: readonly DescribedTouch[],
): Promise<(touch: DescribedTouch) => Description> {
  const paths = await resolvePaths(db, profileId, touches)
  const entities = await listEntityNames(db, profileId, [...paths.values()])
  const overrides = await listChannelOverrides(db, profileId)
  // An entity that only uncredited touches name has no row yet; it is described by the touch's external id.
  const entity = (id: string | null, externalId: string | null) => {
    if (id === null) return null
    return entities.get(id) ?? (externalId === null ? null : { id, platform_id: externalId, name: null })
  }
  return (touch) => {
    const path = paths.get(touch)!
    return {
      touch_id: touch.id,
      occurred_at: touch.occurred_at,
      channel: countedChannel(touch, path.entityPlatform, overrides),
      origin: touch.origin,
      platform: touch.platform,
      is_direct: touch.is_direct,
      reported: touch.reported_at !== null,
      campaign: entity(path.campaignId, touch.campaign_external_id),
      ad_set: entity(path.adSetId, touch.ad_set_external_id),
      ad: entity(path.adId, touch.ad_external_id),
    }
  }
}

type EntityName = { id: string; platform_id: string; name: string | null }

/** Entities of the paths by id; the name is null until the platform or an import provides one. */
export async function listEntityNames(
  db: Db | Tx,
  profileId: string,
  paths: readonly AdPath[],
): Promise<Map<string, EntityName>> {
  const ids = paths.flatMap((path) => [path.campaignId, path.adSetId, path.adId]).filter((id) => id !== null)
  const { rows } = await sql<EntityName>`
    select id, external_id as platform_id, name from ad_entities
    where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
