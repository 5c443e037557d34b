/**
 * Schemas of responses of TikTok's Business API v1.3. Field names as in TikTok's own client (tiktok/tiktok-business-api-sdk,
 * yml_files, 2026-02-28) and in recorded responses; read on 2026-11-17.
 */
import { z } from 'zod'
import { id, maybeId, text } from '../reply-fields.ts'

/** Ids are used in later requests, so only digits are accepted. */
const entityId = id.refine((value) => /^\d{1,25}$/.test(value), 'not an id')
/** Reports contain a hyphen if there is no value. */
const reportText = text.transform((value) => (value === '-' ? null : value))
const texts = z
  .array(z.union([z.string(), z.number()]).transform(String))
  .nullish()
  .transform((list) => list ?? [])

const budget = { budget: z.number().nullish(), budget_mode: text }
const status = { operation_status: text, secondary_status: text }

export const Advertiser = z.looseObject({
  advertiser_id: entityId,
  name: text,
  currency: text,
  timezone: text,
  display_timezone: text,
})
export type Advertiser = z.infer<typeof Advertiser>

export const Campaign = z.looseObject({
  campaign_id: entityId,
  campaign_name: text,
  objective_type: text,
  ...status,
  ...budget,
})
export type Campaign = z.infer<typeof Campaign>

export const AdGroup = z.looseObject({
  adgroup_id: entityId,
  adgroup_name: text,
  campaign_id: entityId,
  ...status,
  ...budget,
  location_ids: texts,
  placement_type: text,
  placements: texts,
  audience_ids: texts,
})
export type AdGroup = z.infer<typeof AdGroup>

/** Smart+ ad groups have their targeting in a nested object. */
export const SmartAdGroup = z
  .looseObject({
    ...AdGroup.shape,
    targeting_spec: z.looseObject({ location_ids: texts, audience_ids: texts }).nullish(),
  })
  .transform(
    ({ targeting_spec: spec, ...group }): AdGroup => ({
      ...group,
      location_ids: spec?.location_ids ?? group.location_ids,
      audience_ids: spec?.audience_ids ?? group.audience_ids,
    }),
  )

const UtmParams = z
  .array(z.looseObject({ key: z.string(), value: z.union([z.string(), z.number()]).transform(String) }))
  .nullish()

export const Ad = z.looseObject({
  ad_id: entityId,
  ad_name: text,
  adgroup_id: entityId,
  campaign_id: entityId,
  ...status,
  ad_format: text,
  ad_text: text,
  video_id: maybeId,
  image_ids: texts,
  landing_page_url: text,
  call_to_action: text,
  utm_params: UtmParams,
})
export type Ad = z.infer<typeof Ad>

const Creative = z.looseObject({
  creative_info: z
    .looseObject({
      ad_format: text,
      video_info: z.looseObject({ video_id: maybeId }).nullish(),
      image_info: z.array(z.looseObject({ web_uri: text })).nullish(),
    })
    .nullish(),
})

/** A Smart+ ad has lists instead of single values; the first of each is used, which the platform initially shows most. */
export const SmartAd = z
  .looseObject({
    smart_plus_ad_id: entityId,
    ad_name: text,
    adgroup_id: entityId,
    campaign_id: entityId,
    ...status,
    ad_text_list: z.array(z.looseObject({ ad_text: text })).nullish(),
    landing_page_url_list: z.array(z.looseObject({ landing_page_url: text })).nullish(),
    call_to_action_list: z.array(z.looseObject({ call_to_action: text })).nullish(),
    creative_list: z.array(Creative).nullish(),
    ad_configuration: z.looseObject({ utm_params: UtmParams }).nullish(),
  })
  .transform((ad): Ad => {
    const creative = ad.creative_list?.[0]?.creative_info
    return {
      ...ad,
      ad_id: ad.smart_plus_ad_id,
      ad_format: creative?.ad_format ?? null,
      ad_text: ad.ad_text_list?.[0]?.ad_text ?? null,
      video_id: creative?.video_info?.video_id ?? null,
      image_ids: (creative?.image_info ?? []).flatMap(({ web_uri: uri }) => uri ?? []),
      landing_page_url: ad.landing_page_url_list?.[0]?.landing_page_url ?? null,
      call_to_action: ad.call_to_action_list?.[0]?.call_to_action ?? null,
      utm_params: ad.ad_configuration?.utm_params,
    }
  })

const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d( 00:00:00)?$/)
  .refine((value) => !Number.isNaN(Date.parse(value.slice(0, 10))), 'not a day')
  .transform((value) => value.slice(0, 10))

export const Metrics = z.looseObject({
  spend: id,
  impressions: maybeId,
  clicks: maybeId,
  reach: maybeId,
  conversion: maybeId,
  total_complete_payment_rate: maybeId,
  total_onsite_shopping_value: maybeId,
  total_purchase_value: maybeId,
  currency: reportText,
  campaign_id: maybeId,
  campaign_name: reportText,
  adgroup_id: maybeId,
  adgroup_name: reportText,
  ad_name: reportText,
  video_watched_2s: maybeId,
  video_views_p25: maybeId,
  video_views_p50: maybeId,
  video_views_p75: maybeId,
  video_views_p100: maybeId,
})

export const ReportRow = z.looseObject({
  dimensions: z.looseObject({
    stat_time_day: day,
    campaign_id: entityId.optional(),
    adgroup_id: entityId.optional(),
    ad_id: entityId.optional(),
  }),
  metrics: Metrics,
})
export type ReportRow = z.infer<typeof ReportRow>

export const GmvMaxMetrics = z.looseObject({
  cost: id,
  orders: maybeId,
  gross_revenue: maybeId,
  currency: reportText,
})
export const GmvMaxRow = z.looseObject({
  dimensions: z.looseObject({ stat_time_day: day, campaign_id: entityId }),
  metrics: GmvMaxMetrics,
})
export type GmvMaxRow = z.infer<typeof GmvMaxRow>

export const Store = z.looseObject({ store_id: entityId, store_name: text })

export const Video = z.looseObject({
  video_id: id,
  video_cover_url: text,
  width: z.number().nullish(),
  height: z.number().nullish(),
  /** Seconds. */
  duration: z.number().nullish(),
})
export const Image = z.looseObject({
  image_id: id,
  image_url: text,
  width: z.number().nullish(),
  height: z.number().nullish(),
})
