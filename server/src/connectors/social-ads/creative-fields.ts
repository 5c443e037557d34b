/**
 * Creative, targeting and attention fields of the Graph API. Field names as in the platform's own
 * client facebook-nodejs-business-sdk (objects ad-creative, ad-image, targeting, custom-audience,
 * ads-insights); read on 2026-11-16.
 */
import { z } from 'zod'
import {
  type AdAttentionDetail,
  type AdCreativeDetail,
  type AdFrequencyDetail,
  type AdTargetingDetail,
  type AudienceWarmth,
  aspectRatioMilli,
  hostOf,
} from '../ad-details.ts'
import { id, maybeId, text } from '../reply-fields.ts'

const CallToAction = z.looseObject({ type: text, value: z.looseObject({ link: text }).nullish() }).nullish()

/** `object_story_spec`, which contains the texts of manually created ads; their top-level fields are empty. */
const Story = z.looseObject({
  link_data: z
    .looseObject({
      link: text,
      message: text,
      name: text,
      call_to_action: CallToAction,
      child_attachments: z.array(z.looseObject({ link: text })).nullish(),
    })
    .nullish(),
  video_data: z
    .looseObject({ video_id: maybeId, title: text, message: text, call_to_action: CallToAction })
    .nullish(),
})

const CreativeResponse = z.looseObject({
  thumbnail_url: text,
  image_url: text,
  image_hash: text,
  video_id: maybeId,
  object_type: text,
  title: text,
  body: text,
  call_to_action_type: text,
  link_url: text,
  url_tags: text,
  object_story_spec: Story.nullish(),
})

export const creativeFields =
  'id,thumbnail_url,image_url,image_hash,video_id,object_type,title,body,call_to_action_type,link_url,url_tags,object_story_spec'

/** Sizes of images and videos, and durations of videos. */
export type Media = { images: Map<string, Size>; videos: Map<string, Size & { durationMs: number | null }> }
type Size = { width: number | null; height: number | null }

export const Video = z.looseObject({
  length: z.number().nullish(),
  format: z.array(z.looseObject({ width: z.number().nullish(), height: z.number().nullish() })).nullish(),
})
export const Image = z.looseObject({
  hash: z.string(),
  width: z.number().nullish(),
  height: z.number().nullish(),
})

export type AdItem = { id: string; creative?: unknown }

export const parseCreative = (ad: AdItem) => CreativeResponse.safeParse(ad.creative).data ?? null
const storyOf = (ad: AdItem) => parseCreative(ad)?.object_story_spec ?? null
export const videoIdOf = (ad: AdItem) =>
  parseCreative(ad)?.video_id ?? storyOf(ad)?.video_data?.video_id ?? null

export function toCreativeDetail(ad: AdItem, format: string | null, media: Media): AdCreativeDetail[] {
  const creative = parseCreative(ad)
  if (creative === null) return []
  const { link_data: link, video_data: video } = creative.object_story_spec ?? {}
  const cards = link?.child_attachments ?? null
  const videoId = videoIdOf(ad)
  const size =
    (videoId ? media.videos.get(videoId) : undefined) ?? media.images.get(creative.image_hash ?? '')
  const action = link?.call_to_action ?? video?.call_to_action
  const destination = link?.link ?? action?.value?.link ?? cards?.[0]?.link ?? creative.link_url ?? null
  return [
    {
      type: 'ad_detail',
      kind: 'creative',
      externalId: ad.id,
      format,
      title: creative.title ?? link?.name ?? video?.title ?? null,
      body: creative.body ?? link?.message ?? video?.message ?? null,
      ctaType: creative.call_to_action_type ?? action?.type ?? null,
      aspectRatioMilli: aspectRatioMilli(size?.width ?? null, size?.height ?? null),
      durationMs: videoId ? (media.videos.get(videoId)?.durationMs ?? null) : null,
      cardCount: cards?.length || null,
      thumbnailUrl: creative.image_url ?? creative.thumbnail_url,
      videoId,
      landingHost: hostOf(destination),
      destinationUrl: destination,
      urlTags: creative.url_tags,
    },
  ]
}

const AudienceRefs = z.array(z.looseObject({ id })).nullish()
export const Targeting = z
  .looseObject({
    geo_locations: z.looseObject({ countries: z.array(z.string()).nullish() }).nullish(),
    custom_audiences: AudienceRefs,
    publisher_platforms: z.array(z.string()).nullish(),
  })
  .nullish()

export type AdSetItem = { id: string; targeting?: z.infer<typeof Targeting> }
export const Audience = z.looseObject({ id, subtype: text })

export function toTargetingDetail(
  adSet: AdSetItem,
  audiences: ReadonlyMap<string, string | null>,
): AdTargetingDetail[] {
  const { targeting } = adSet
  if (!targeting) return []
  const platforms = [...(targeting.publisher_platforms ?? [])].sort()
  return [
    {
      type: 'ad_detail',
      kind: 'targeting',
      level: 'ad_set',
      externalId: adSet.id,
      audienceWarmth: warmthOf(targeting.custom_audiences ?? [], audiences),
      geo: [...(targeting.geo_locations?.countries ?? [])].sort().join('+') || null,
      // Without a list the platform chooses placements automatically.
      placement: platforms.length === 0 ? 'automatic' : platforms.join('+'),
    },
  ]
}

/** An ad set is warm if it targets any audience of known people. Null if an audience's kind could not be read. */
function warmthOf(
  targeted: readonly { id: string }[],
  audiences: ReadonlyMap<string, string | null>,
): AudienceWarmth | null {
  if (targeted.length === 0) return 'cold'
  const kinds = targeted.map((audience) => audiences.get(audience.id) ?? null)
  if (kinds.some((kind) => kind !== null && kind !== 'LOOKALIKE')) return 'warm'
  return kinds.every((kind) => kind === 'LOOKALIKE') ? 'lookalike' : null
}

const VideoActions = z
  .array(
    z.looseObject({ action_type: z.string(), value: z.union([z.string(), z.number()]).transform(Number) }),
  )
  .nullish()

/** Requested at the ad level only: the other levels are sums of it. */
export const attentionFields =
  'inline_link_clicks,video_thruplay_watched_actions,video_p25_watched_actions,video_p50_watched_actions,video_p75_watched_actions,video_p100_watched_actions,quality_ranking'
export const attentionShape = {
  inline_link_clicks: maybeId,
  video_thruplay_watched_actions: VideoActions,
  video_p25_watched_actions: VideoActions,
  video_p50_watched_actions: VideoActions,
  video_p75_watched_actions: VideoActions,
  video_p100_watched_actions: VideoActions,
  quality_ranking: text,
}
const AttentionRow = z.looseObject({ ...attentionShape, actions: VideoActions })

export function toAttentionDetail(source: {
  ad_id: string | null
  date_start: string
  actions?: unknown
}): AdAttentionDetail[] {
  const row = AttentionRow.safeParse(source).data
  if (row === undefined || source.ad_id === null) return []
  const viewsIn = (list: z.infer<typeof VideoActions>) => {
    const views = list?.find(({ action_type: type }) => type === 'video_view')
    return views ? Math.round(views.value) : null
  }
  const clicks = row.actions?.find(({ action_type: type }) => type === 'link_click')
  return [
    {
      type: 'ad_detail',
      kind: 'attention',
      externalId: source.ad_id,
      day: source.date_start,
      linkClicks: row.inline_link_clicks === null ? (clicks?.value ?? null) : Number(row.inline_link_clicks),
      // The action `video_view` is a play of three seconds.
      videoViews: viewsIn(row.actions),
      thruplays: viewsIn(row.video_thruplay_watched_actions),
      videoP25: viewsIn(row.video_p25_watched_actions),
      videoP50: viewsIn(row.video_p50_watched_actions),
      videoP75: viewsIn(row.video_p75_watched_actions),
      videoP100: viewsIn(row.video_p100_watched_actions),
      qualityRanking: rankingOf(row.quality_ranking),
    },
  ]
}

/** `BELOW_AVERAGE_35`, `_20` and `_10` are the bottom 35, 20 and 10 percent; `UNKNOWN` means too few impressions. */
function rankingOf(ranking: string | null): number | null {
  if (ranking === null) return null
  if (ranking.startsWith('BELOW_AVERAGE')) return -1
  return { AVERAGE: 0, ABOVE_AVERAGE: 1 }[ranking] ?? null
}

export const FrequencyRow = z.looseObject({
  ad_id: maybeId,
  date_stop: text,
  frequency: maybeId,
  reach: maybeId,
})

export function toFrequencyDetail(row: z.infer<typeof FrequencyRow>): AdFrequencyDetail[] {
  const frequency = Number(row.frequency)
  if (row.ad_id === null || row.date_stop === null || !(frequency > 0)) return []
  return [
    {
      type: 'ad_detail',
      kind: 'frequency',
      externalId: row.ad_id,
      day: row.date_stop,
      frequencyMilli: Math.round(frequency * 1000),
      reach: row.reach === null ? null : Number(row.reach),
    },
  ]
}
