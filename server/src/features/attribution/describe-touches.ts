/** What a touch was, in words that a person reads: its channel, and the campaign, ad set and ad by their names. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../../db/database.ts'
import type { ExplainedTouch } from './contract.ts'
import { type NamedAd, resolvePaths } from './credits/paths.ts'

export type DescribedTouch = NamedAd & {
  id: string
  occurred_at: Date
  channel: string
  origin: string
  is_direct: boolean
  reported_at: Date | null
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
  const ids = [...paths.values()].flatMap((path) =>
    [path.campaignId, path.adSetId, path.adId].filter((id) => id !== null),
  )
  const { rows } = await sql<{ id: string; external_id: string; name: string | null }>`
    select id, external_id, name from ad_entities where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(
    db,
  )
  const entities = new Map(
    rows.map((row) => [row.id, { id: row.id, platform_id: row.external_id, name: row.name }]),
  )
  // What only an uncredited touch names is no entity yet, and is told in the touch's own words.
  const entity = (id: string | null, said: string | null) => {
    if (id === null) return null
    return entities.get(id) ?? (said === null ? null : { id, platform_id: said, name: null })
  }
  return (touch) => {
    const path = paths.get(touch)!
    return {
      touch_id: touch.id,
      occurred_at: touch.occurred_at.toISOString(),
      channel: touch.channel,
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
