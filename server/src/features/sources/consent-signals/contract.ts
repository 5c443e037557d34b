import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

const tag = 'tracking'

export const getTrackingConsent = endpoint({
  name: 'getTrackingConsent',
  method: 'GET',
  path: '/tracking/consent',
  summary: 'Count what visitors stated about consent, by source and day',
  description:
    'The last 30 days unless `date_from` and `date_to` are given. Visitors who refuse statistics send nothing and are not counted. `pending_share` comes from visitors who agreed later, so it is a lower bound.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:read'] },
  query: z.object({
    date_from: z.iso.date().optional().describe('First day; 30 days before the last one if omitted'),
    date_to: z.iso.date().optional().describe('Last day; today if omitted'),
  }),
  reply: z.object({
    days: z
      .array(
        z.object({
          day: z.iso.date().describe('Day in the time zone of the profile'),
          source: z.string().describe('What stated it: a signal, or the kind of event'),
          purpose: z.enum(['statistics', 'ad_user_data', 'ad_personalization']).describe('What it is about'),
          state: z.enum(['granted', 'denied']).describe('What was stated'),
          events: z.int().describe('Number of events with it'),
          sessions: z.int().describe('Sessions that began with it'),
        }),
      )
      .describe('By day, source, purpose and state'),
    withheld: z
      .array(
        z.object({
          platform: z
            .enum(['social', 'engine', 'shortvideo', 'microsoft', 'linkedin'])
            .describe('Platform that did not receive them'),
          conversions: z.int().describe('Number of conversions'),
          value: z.number().nullable().describe('In the reporting currency; null if no amount is known'),
        }),
      )
      .describe('Conversions queued in these days that were not sent because of a refusal'),
    pending_share: z
      .number()
      .nullable()
      .describe('Share of sessions that began before the visitor answered a banner; null without sessions'),
    conflicts: z.int().describe('Events on pages whose banners contradict each other; the refusal applies'),
    excluded: z
      .array(
        z.object({
          day: z.iso.date().describe('Day in the time zone of the profile'),
          reason: z.enum(['own', 'path']).describe('A browser of your own, or an excluded path'),
          page_views: z.int().describe('Number of page views that do not count'),
        }),
      )
      .describe('Page views of own browsers and excluded paths, by day'),
  }),
  meta: {
    date_from: z.iso.date().describe('First day of the counts'),
    date_to: z.iso.date().describe('Last day of the counts'),
  },
  errors: ['invalid_date_range'],
})

export const createOwnBrowserLink = endpoint({
  name: 'createOwnBrowserLink',
  method: 'POST',
  path: '/tracking/own-browser',
  summary: 'Create a link that excludes the browser it is opened in',
  description:
    'Open the link in the browser whose visits should not count; `is_own: false` counts them again. The browser remembers it for the site of the link; no address is stored. The link works for 30 minutes.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .describe('A page with the tracker'),
    is_own: z.boolean().describe('True to exclude the browser, false to count it again'),
  }),
  reply: z.object({
    url: z.string().describe('The page, with a token of this profile'),
    expires_at: Instant.describe('When the link stops working'),
  }),
  statuses: [201],
})
