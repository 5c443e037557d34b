import { z } from 'zod'
import { CreatedAt, CreatingApp, EventId, ExpiresAt, Instant } from '../../../platform/contract/fields.ts'

export const TrackingKey = z.object({
  id: z.uuid().describe('Id of the tracking key'),
  key: z.string().describe('Public key of the tracker'),
  created_at: CreatedAt,
})
export const TrackingDomain = z.object({
  id: z.uuid().describe('Id of the tracking domain'),
  domain: z.string().describe('Domain that serves the tracker’s script'),
  status: z.enum(['pending', 'verified', 'failed']).describe('Result of the DNS check'),
  cname_target: z.string().describe('Target of the CNAME record'),
  detail: z.string().nullable().describe('Result of the last DNS check; null before the first'),
  created_by_app: CreatingApp,
  created_at: CreatedAt,
  checked_at: Instant.nullable().describe('When it was last checked; null before the first check'),
})
export const browserRevenue = z
  .enum(['count', 'confirm', 'ignore'])
  .describe(
    'How payments sent by browsers are used. `count`: always counted. `confirm`: counted until a server or a provider reports payments; from then on they only confirm a payment with the same `order_id`. `ignore`: never counted.',
  )
export const consentSignalsSetting = z
  .enum(['auto', 'off'])
  .describe('Whether the snippet reads the consent of the banner on the page')
export const gpcSetting = z
  .enum(['honor', 'explicit_choice_wins'])
  .describe(
    'Global Privacy Control of the browser. `honor`: nothing lifts it. `explicit_choice_wins`: a later grant that the visitor makes on this site does, in this browser.',
  )
export const excludePaths = z
  .array(z.string().regex(/^\/[\w./~%*-]{0,199}$/, 'must be a path such as /admin*'))
  .max(50)
  .describe('Paths of pages that do not count; `*` matches any characters')
export const TrackingSettings = z.object({
  session_minutes: z.int().min(1).max(120).describe('Minutes of inactivity after which a visit ends'),
  consent_mode: z.enum(['granted', 'pending', 'denied']).describe('Whether the tracker waits for consent'),
  forms: z.enum(['auto', 'marked', 'off']).describe('Forms whose submission is recorded'),
  spa: z.enum(['on', 'hash', 'off']).describe('How navigation in a single-page app is counted'),
  allowed_domains: z.array(z.string()).describe('Domains whose pages may send events; empty means all'),
  consent_signals: consentSignalsSetting,
  gpc: gpcSetting,
  exclude_paths: excludePaths,
  filter_bots: z.boolean().describe('True to exclude events from bots'),
  enrich_country: z.boolean().describe('True if the country is derived from the IP address'),
  browser_revenue: browserRevenue,
})
export const Verification = z.object({
  id: z.uuid().describe('Id of the verification'),
  status: z.enum(['waiting', 'seen', 'expired']).describe('Whether the script was seen'),
  url: z.string().describe('URL of the page that is checked'),
  check_url: z.string().describe('URL to open for the verification'),
  seen_url: z.string().nullable().describe('Page on which the script was last seen; null if it was not'),
  started_at: Instant.describe('When it started'),
  expires_at: ExpiresAt,
  seen_at: Instant.nullable().describe('When it was last seen; null if it was not'),
})

export const pipelineState = z.object({
  waiting: z.int().describe('Number of events waiting to be processed'),
  oldest_waiting_at: Instant.nullable().describe(
    'When the oldest waiting item was queued; null if none waits',
  ),
  last_24_hours: z
    .object({
      events: z.int().describe('Number of events of the last 24 hours'),
      touches: z.int().describe('Number of visits and clicks of the last 24 hours'),
      conversions: z.int().describe('Number of conversions of the last 24 hours'),
    })
    .describe('Counts for the last 24 hours'),
  quarantine: z
    .object({
      count: z.int().describe('Number of quarantined events'),
      events: z
        .array(
          z.object({
            event_id: EventId,
            reason: z
              .enum(['processing_failed', 'amount_too_large', 'day_total_too_large'])
              .describe('Why the event could not be processed, for programs'),
            detail: z
              .string()
              .nullable()
              .describe('Why the event could not be processed; null if it is not known'),
            set_aside_at: Instant.describe('When it was set aside'),
          }),
        )
        .describe('The newest quarantined events'),
    })
    .describe(
      'Events that could not be processed. They are kept but not counted, and are retried when a new version of them is sent. The newest 50 are listed.',
    ),
})

export const trackingHealth = z.object({
  status: z
    .enum(['healthy', 'attention', 'silent'])
    .describe('Whether events arrive, and whether something needs attention'),
  last_event_at: Instant.nullable().describe('Time of the last event; null if there was none'),
  events: z.int().describe('Number of events in the last seven days'),
  bots: z.int().describe('Number of events from bots in the last seven days'),
  page_views: z.int().describe('Number of page views'),
  sessions: z.int().describe('Number of visits'),
  visitors: z.int().describe('Number of visitors'),
  identified: z.int().describe('Number of visitors with a personal identifier'),
  with_click_id: z.int().describe('Visits with a click id'),
  with_ad: z.int().describe('Visits with a click id that also name an ad'),
  excluded: z
    .object({
      own_browsers: z.int().describe('Page views of browsers that were marked as your own'),
      paths: z.int().describe('Page views of excluded paths'),
    })
    .describe('Page views that do not count'),
  consent: z
    .object({
      sources: z.array(z.string()).describe('What stated a consent in these days'),
      banner_seen_but_not_read: z
        .boolean()
        .describe('True if a banner is on the page and the tag does not read banners'),
      gpc_events: z.int().describe('Events whose browser sent Global Privacy Control'),
      ads_denied_events: z.int().describe('Events that refuse the use for ads, with or without that signal'),
      withheld: z
        .array(
          z.object({
            platform: z
              .enum(['social', 'engine', 'shortvideo', 'microsoft', 'linkedin'])
              .describe('Ad platform, for example social_ads'),
            conversions: z.int().describe('Number of conversions that were not sent because of a refusal'),
            value: z.number().nullable().describe('In the reporting currency; null if no amount is known'),
          }),
        )
        .describe('Conversions queued in these days that were not sent because of a refusal'),
    })
    .describe('What visitors refused, and what was withheld because of it'),
  findings: z
    .array(
      z.object({
        code: z.string().describe('Code of the finding, for programs'),
        message: z.string().describe('Explanation of the finding for people'),
      }),
    )
    .describe('What could be wrong, most severe first'),
})
