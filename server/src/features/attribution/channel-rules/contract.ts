import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { Recompute } from '../crediting/contract.ts'

const tag = 'attribution'

export const OverrideChannel = z.enum([
  'organic_search',
  'organic_social',
  'email',
  'messaging',
  'referral',
  'affiliate',
  'campaign',
  'display',
  'paid_search',
  'paid_social',
  'paid_other',
])

export const ChannelOverride = z.strictObject({
  kind: z
    .enum(['host', 'source'])
    .describe('`host`: a site and its subdomains; `source`: a complete utm_source'),
  value: z
    .string()
    .transform((value) => value.trim().toLowerCase())
    .pipe(z.string().min(1).max(100).regex(/^\S+$/, 'must be one word without spaces'))
    .describe('The host, or the complete utm_source, in lower case'),
  channel: OverrideChannel.describe('Channel of the visits that the rule matches'),
})
export type ChannelOverride = z.output<typeof ChannelOverride>

const ChannelRules = z.object({
  overrides: z.array(ChannelOverride).describe('In order of precedence; the first match decides'),
  list_version: z
    .string()
    .describe('Version of the built-in list of search, social, mail, shopping and AI-assistant sites'),
  updated_at: Instant.nullable().describe('When it was last changed; null if it never was'),
})

export const getChannelRules = endpoint({
  name: 'getChannelRules',
  method: 'GET',
  path: '/quality/channel-rules',
  summary: 'Channel overrides of the profile',
  description:
    'Precedence: click id, named ad, override, UTM medium (paid ones included), built-in list of sites.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:read'] },
  reply: ChannelRules,
})

export const saveChannelRules = endpoint({
  name: 'saveChannelRules',
  method: 'PUT',
  path: '/quality/channel-rules',
  summary: 'Replace the overrides and recompute credit by channel',
  description: 'Returns the recompute that was queued, or null if nothing changed.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({
    overrides: z
      .array(ChannelOverride)
      .max(200)
      .refine(
        (all) => new Set(all.map(({ kind, value }) => `${kind} ${value}`)).size === all.length,
        'must not contain the same host or source twice',
      )
      .describe('Rules set for the profile'),
  }),
  reply: ChannelRules.extend({
    recompute: Recompute.nullable().describe('The resulting recompute; null if none is needed'),
  }),
})

const Address = z
  .string()
  .max(4000)
  .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be an http or https URL')

export const testChannelRules = endpoint({
  name: 'testChannelRules',
  method: 'GET',
  path: '/quality/channel-rules/test',
  summary: 'Test which rule decides the channel of a visit',
  description:
    'Evaluates a new session that starts at `url` and comes from `referrer`. Payment and login pages are never a source: a visitor who returns from one continues the earlier visit.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:read'] },
  query: z.object({
    url: Address.describe('URL of the page on which the visit starts'),
    referrer: Address.optional().describe('Address of the page that linked here'),
  }),
  reply: z.object({
    channel: z.string().nullable().describe('Null if the visit continues an earlier one'),
    source: z
      .string()
      .nullable()
      .describe('Source of the visit, for example a site or utm_source; null if there is none'),
    platform: z.string().nullable().describe('Ad platform, for example social_ads; null if it is none'),
    rule: z
      .enum([
        'click_id',
        'named_ad',
        'utm',
        'override',
        'site_list',
        'other_site',
        'payment_or_login_page',
        'direct',
      ])
      .describe('The rule that applied'),
    decided_by: z
      .string()
      .nullable()
      .describe('The parameter, host or source that the rule used; null if it used none'),
    list: z
      .enum(['search', 'social', 'mail', 'shopping', 'ai_assistant'])
      .nullable()
      .describe('Built-in list of sites that decided; null if none did'),
    list_version: z.string().describe('Version of that list'),
  }),
  example: { query: { url: 'https://shop.example/?utm_source=newsletter&utm_medium=email' } },
})
