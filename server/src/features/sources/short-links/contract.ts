import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt, Instant, UpdatedAt } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'short-links'
const read = { kind: 'profile', scopes: ['tracking:read'] } as const
const write = { kind: 'profile', scopes: ['tracking:write'] } as const
const id = z.object({ id: z.uuid().describe('Id of the short link') })
const MAX_URL = 2048

const slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    'must be 1 to 40 lower-case letters, digits and hyphens, without a hyphen at either end',
  )
const value = z.string().trim().min(1).max(200)
const Utm = z.strictObject({
  source: value.optional().describe('Value of `utm_source`'),
  medium: value
    .optional()
    .describe('Such as `flyer`; some values decide the channel, see the guide on channels'),
  campaign: value.optional().describe('Value of `utm_campaign`'),
  term: value.optional().describe('Only added to the address'),
  content: value.optional().describe('Only added to the address'),
})
const adId = z.string().regex(/^[\w-]{1,64}$/, 'must be the id of the ad platform')
const Ad = z.strictObject({
  campaign_id: adId.optional().describe('Id of the campaign'),
  ad_set_id: adId.optional().describe('Id of the ad set'),
  ad_id: adId.optional().describe('The platform’s id of the ad'),
})
const Chat = z.strictObject({
  app: z.enum(['chatapp', 'pagechat', 'photoapp']).describe('Messaging channel that the link opens'),
  account: z
    .string()
    .min(1)
    .max(50)
    .describe('Number with country code (chatapp), page name (pagechat) or user name (photoapp)'),
  text: z.string().trim().max(500).optional().describe('First message; the person may change it'),
})

const fields = {
  slug: slug.describe('Last part of the address; `api` and `share` are reserved'),
  target_url: z
    .string()
    .max(MAX_URL)
    .optional()
    .describe('An https address on a domain of the tracking settings (`allowed_domains`), or of a chat'),
  chat: Chat.optional().describe('Opens a chat with a code, so that the conversation has its source'),
  title: z.string().trim().max(120).optional().describe('Name of the link, as people see it'),
  utm: Utm.optional().describe('Campaign parameters of the link, for example `utm_source`'),
  ad: Ad.optional().describe('The ad that the link is printed in or used by'),
  enabled: z.boolean().optional().describe('Whether the link works'),
}

export const ShortLink = z.object({
  id: z.uuid().describe('Id of the short link'),
  slug: z.string().describe('Last part of the address'),
  url: z.string().describe('On the verified tracking domain, otherwise on the service’s host'),
  on_own_domain: z.boolean().describe('False: print it only after a tracking domain is verified'),
  target_url: z.string().nullable().describe('Null for a chat'),
  chat: z
    .object({
      app: z.enum(['chatapp', 'pagechat', 'photoapp']).describe('Messaging channel that the link opens'),
      account: z.string().describe('Number, page name or user name'),
      text: z.string().nullable().describe('First message that is filled in; null if there is none'),
    })
    .nullable()
    .describe('Null for a page'),
  title: z.string().nullable().describe('Name of the link, as people see it; null if it has none'),
  utm: z.record(z.string(), z.string()).describe('Campaign parameters of the link, for example `utm_source`'),
  ad: z
    .record(z.string(), z.string())
    .nullable()
    .describe('Ids of the ad that the link belongs to; null if it belongs to none'),
  enabled: z.boolean().describe('Whether the link works'),
  clicks: z.int().describe('All days, without bots'),
  bots: z.int().describe('Requests of crawlers and link previews'),
  last_clicked_at: Instant.nullable().describe('Last click of a person; null without one'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const listShortLinks = endpoint({
  name: 'listShortLinks',
  method: 'GET',
  path: '/short-links',
  summary: 'List the short links, newest first',
  description: 'Each with its clicks of all days.',
  tag,
  access: read,
  query: z.object(pageQuery),
  reply: z.array(ShortLink),
  extra: { pagination: Pagination },
})

export const createShortLink = endpoint({
  name: 'createShortLink',
  method: 'POST',
  path: '/short-links',
  summary: 'Create a short link to a page or a chat',
  description:
    'Send exactly one of `target_url` and `chat`. UTM parameters that neither you nor the address set are filled in: `utm_campaign` is the slug and, unless `ad` is given, `utm_source` is `short_link` and `utm_medium` is `link`.',
  tag,
  access: write,
  body: z
    .strictObject(fields)
    .refine((body) => (body.target_url === undefined) !== (body.chat === undefined), {
      message: 'pass exactly one of target_url and chat',
    }),
  reply: ShortLink,
  statuses: [201],
  errors: ['invalid_state'],
  example: {
    body: { slug: 'spring-flyer', chat: { app: 'chatapp', account: '34600111222', text: 'Hello!' } },
  },
})

export const updateShortLink = endpoint({
  name: 'updateShortLink',
  method: 'PATCH',
  path: '/short-links/{id}',
  summary: 'Change a short link',
  description:
    'Only the fields that are sent change. The address stays. Earlier targets are kept, so that past clicks can be explained.',
  tag,
  access: write,
  params: id,
  body: z
    .strictObject({ ...fields, slug: z.undefined().optional() })
    .omit({ slug: true })
    .refine((body) => body.target_url === undefined || body.chat === undefined, {
      message: 'pass at most one of target_url and chat',
    }),
  reply: ShortLink,
})

export const deleteShortLink = endpoint({
  name: 'deleteShortLink',
  method: 'DELETE',
  path: '/short-links/{id}',
  summary: 'Delete a short link',
  description: 'Its address answers 404 from then on and is not given to another link for 90 days.',
  tag,
  access: write,
  params: id,
  reply: z.null(),
  statuses: [204],
})

export const getShortLinkCode = endpoint({
  name: 'getShortLinkCode',
  method: 'GET',
  path: '/short-links/{id}/qr.svg',
  summary: 'Read the QR code of a short link',
  description: 'An SVG image. A higher level of error correction stays readable under more dirt or a logo.',
  tag,
  access: read,
  params: id,
  query: z.object({
    size: z
      .string()
      .regex(/^\d{2,4}$/)
      .transform(Number)
      .refine((size) => size >= 64 && size <= 4096, 'must be from 64 to 4096')
      .optional()
      .describe('Width in pixels; 512 by default'),
    margin: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .refine((margin) => margin <= 16, 'must be from 0 to 16')
      .optional()
      .describe('Quiet zone in modules; 4 by default, as the standard asks'),
    ecc: z.enum(['L', 'M', 'Q', 'H']).default('M').describe('Level of error correction'),
  }),
  reply: z.string(),
  file: 'image/svg+xml',
})
