/** Additions of creatives to ad set nodes and insight rows. */
import type { WorldAccount, WorldAdSet } from '../ads.ts'
import { type WorldAttention, worldTargeting } from '../creatives.ts'

export function targetingNode(account: WorldAccount, adSet: WorldAdSet) {
  const { audience, country, platforms } = worldTargeting(account, adSet)
  return {
    age_min: 25,
    geo_locations: { countries: [country], location_types: ['home', 'recent'] },
    ...(audience ? { custom_audiences: [{ id: audience.id, name: audience.name }] } : {}),
    ...(platforms ? { publisher_platforms: platforms } : {}),
  }
}

export function withAttention<Row extends Record<string, unknown>>(row: Row, attention: WorldAttention) {
  const watched = (count: number | null | undefined) =>
    count ? [{ action_type: 'video_view', value: String(count) }] : undefined
  const [p25, p50, p75, p100] = attention.quartiles ?? []
  const actions = [...((row.actions as unknown[] | undefined) ?? []), ...(watched(attention.views) ?? [])]
  return {
    ...row,
    actions: actions.length === 0 ? undefined : actions,
    inline_link_clicks: String(attention.linkClicks),
    video_thruplay_watched_actions: watched(attention.thruplays),
    video_p25_watched_actions: watched(p25),
    video_p50_watched_actions: watched(p50),
    video_p75_watched_actions: watched(p75),
    video_p100_watched_actions: watched(p100),
    quality_ranking: attention.ranking,
  }
}
