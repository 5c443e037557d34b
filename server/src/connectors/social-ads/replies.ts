/** Schemas of Graph API responses. Unknown fields pass; missing ones become null. */
import { z } from 'zod'
import { flag, id, maybeId, text } from '../reply-fields.ts'
import { attentionShape, Targeting } from './creative-fields.ts'

/** Every list of the Graph API; `next` is present only when there is another page. */
export const graphPage = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    data: z.array(item),
    paging: z.looseObject({ cursors: z.looseObject({ after: text }).nullish(), next: text }).nullish(),
  })

export const AdAccount = z.looseObject({ id, name: text, currency: text, timezone_name: text })
export const Campaign = z.looseObject({
  id,
  name: text,
  status: text,
  objective: text,
  daily_budget: maybeId,
  lifetime_budget: maybeId,
})
export const AdSet = z.looseObject({
  id,
  name: text,
  status: text,
  campaign_id: maybeId,
  daily_budget: maybeId,
  lifetime_budget: maybeId,
  targeting: Targeting,
})
export const Creative = z.looseObject({
  id: maybeId,
  thumbnail_url: text,
  video_id: maybeId,
  object_type: text,
  title: text,
  body: text,
  call_to_action_type: text,
  object_story_spec: z
    .looseObject({
      link_data: z.looseObject({ child_attachments: z.array(z.unknown()).nullish() }).nullish(),
    })
    .nullish(),
})
export const Ad = z.looseObject({
  id,
  name: text,
  status: text,
  campaign_id: maybeId,
  adset_id: maybeId,
  creative: Creative.nullish(),
})
const Action = z.looseObject({
  action_type: z.string(),
  value: z.union([z.string(), z.number()]).transform(String),
})
export const Insight = z.looseObject({
  date_start: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  date_stop: text,
  account_currency: text,
  campaign_id: maybeId,
  campaign_name: text,
  adset_id: maybeId,
  adset_name: text,
  ad_id: maybeId,
  ad_name: text,
  spend: z.union([z.string(), z.number()]).transform(String),
  impressions: maybeId,
  clicks: maybeId,
  reach: maybeId,
  actions: z.array(Action).nullish(),
  action_values: z.array(Action).nullish(),
  ...attentionShape,
})
export const GraphPixel = z.looseObject({
  id,
  name: text,
  creation_time: text,
  last_fired_time: text,
  is_unavailable: flag,
  owner_business: z.looseObject({ id, name: z.string() }).nullish(),
})
export const Page = z.looseObject({ id, name: text, category: text, access_token: text })
export const Lead = z.looseObject({
  id,
  created_time: text,
  ad_id: maybeId,
  campaign_id: maybeId,
  form_id: maybeId,
  field_data: z.array(z.looseObject({ name: z.string(), values: z.array(z.coerce.string()) })).nullish(),
})
export const LeadChange = z.looseObject({
  leadgen_id: id,
  page_id: maybeId,
  form_id: maybeId,
  ad_id: maybeId,
  adgroup_id: maybeId,
  campaign_id: maybeId,
  created_time: z.number().nullish(),
})

export type AdAccount = z.infer<typeof AdAccount>
export type Campaign = z.infer<typeof Campaign>
export type AdSet = z.infer<typeof AdSet>
export type Creative = z.infer<typeof Creative>
export type Ad = z.infer<typeof Ad>
export type Insight = z.infer<typeof Insight>
export type GraphPixel = z.infer<typeof GraphPixel>
export type Lead = z.infer<typeof Lead>
export type LeadChange = z.infer<typeof LeadChange>
