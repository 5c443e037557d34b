/** Wire format of the browser tracker, documented in docs/tracker.md. */
import { z } from 'zod'
import { clickIdPlatforms } from '../../../platform/contract/click-ids.ts'

const optionalTexts = <K extends string>(keys: readonly K[], max: number) =>
  z.object(
    Object.fromEntries(keys.map((key) => [key, z.string().max(max).optional()])) as Record<
      K,
      z.ZodOptional<z.ZodString>
    >,
  )

export const WireEvent = z.object({
  key: z.string().max(200).optional(),
  event_id: z.uuid(),
  type: z.enum(['page_view', 'identify', 'track', 'purchase', 'form_lead', 'outbound_click', 'chat_click']),
  event_name: z.string().min(1).max(100),
  occurred_at: z.iso.datetime(),
  sent_at: z.iso.datetime(),
  anonymous_id: z.string().min(1).max(200),
  session_id: z.string().min(1).max(200),
  session_start: z.boolean(),
  url: z.string().max(2048),
  referrer: z.string().max(2048),
  title: z.string().max(512),
  utm: optionalTexts(['source', 'medium', 'campaign', 'term', 'content'], 512),
  click_ids: optionalTexts(Object.keys(clickIdPlatforms), 512),
  ad: optionalTexts(['ad_id', 'ad_set_id', 'campaign_id'], 128),
  properties: z.record(z.string(), z.unknown()),
  user_traits: optionalTexts(
    ['email', 'phone', 'country', 'external_id', 'first_name', 'last_name', 'city', 'region', 'postal_code'],
    320,
  ),
  cookies: optionalTexts(['fbp', 'fbc', 'ttp'], 512).optional(),
  signals: z.array(z.string()).max(8).optional(),
  consent: z.literal('granted'),
  screen: z.object({ w: z.number(), h: z.number() }),
  language: z.string().max(35),
  tz: z.string().max(64),
  context: z.record(z.string(), z.unknown()).optional(),
  link_token: z.string().max(200).optional(),
})
export type WireEvent = z.output<typeof WireEvent>

export const WireBatch = z.object({
  key: z.string().max(200),
  events: z.array(z.unknown()).min(1).max(50),
})
