import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatingApp, DomainName, Instant } from '../../../platform/contract/fields.ts'
import { limitParam, Pagination } from '../../../platform/contract/page.ts'

const tag = 'tracking'
const read = { kind: 'profile', scopes: ['tracking:read'] } as const
const write = { kind: 'profile', scopes: ['tracking:write'] } as const
const id = z.object({ id: z.uuid() })

export const TrackingKey = z.object({ id: z.uuid(), key: z.string(), created_at: Instant })
export const TrackingDomain = z.object({
  id: z.uuid(),
  domain: z.string(),
  status: z.enum(['pending', 'verified', 'failed']),
  cname_target: z.string(),
  detail: z.string().nullable(),
  created_by_app: CreatingApp,
  created_at: Instant,
  checked_at: Instant.nullable(),
})
const browserRevenue = z
  .enum(['count', 'confirm', 'ignore'])
  .describe(
    'How payments sent by browsers are used. `count`: always counted. `confirm`: counted until a server or a provider reports payments; from then on they only confirm a payment with the same `order_id`. `ignore`: never counted.',
  )
export const TrackingSettings = z.object({
  session_minutes: z.int().min(1).max(120),
  consent_mode: z.enum(['granted', 'pending', 'denied']),
  forms: z.enum(['auto', 'marked', 'off']),
  spa: z.enum(['on', 'hash', 'off']),
  allowed_domains: z.array(z.string()),
  filter_bots: z.boolean(),
  enrich_country: z.boolean(),
  browser_revenue: browserRevenue,
})
export const Verification = z.object({
  id: z.uuid(),
  status: z.enum(['waiting', 'seen', 'expired']),
  url: z.string(),
  check_url: z.string(),
  seen_url: z.string().nullable(),
  started_at: Instant,
  expires_at: Instant,
  seen_at: Instant.nullable(),
})

export const issueTrackingKey = endpoint({
  name: 'issueTrackingKey',
  method: 'POST',
  path: '/tracking/keys',
  summary: 'Issue the tracking key, or return the active one',
  description: 'The key is public: it is part of the page and can only send events.',
  tag,
  access: write,
  reply: TrackingKey,
  statuses: [201, 200],
})
export const listTrackingKeys = endpoint({
  name: 'listTrackingKeys',
  method: 'GET',
  path: '/tracking/keys',
  summary: 'List the active tracking keys',
  description: 'A profile has one active key; revoked keys are not listed.',
  tag,
  access: read,
  reply: z.array(TrackingKey),
})
export const revokeTrackingKey = endpoint({
  name: 'revokeTrackingKey',
  method: 'DELETE',
  path: '/tracking/keys/{id}',
  summary: 'Revoke a tracking key',
  description:
    'Events from pages that still use it are rejected immediately; issue a new key and change the snippet first.',
  tag,
  access: write,
  entitlement: 'none',
  params: id,
  reply: z.null(),
  statuses: [204],
})
export const getTrackingSnippet = endpoint({
  name: 'getTrackingSnippet',
  method: 'GET',
  path: '/tracking/snippet',
  summary: 'Read the tracker snippet, optionally with the ad platform’s pixel',
  description: 'Paste it before `</head>` on every page.',
  tag,
  access: read,
  query: z.object({
    social_pixel_id: z
      .string()
      .regex(/^\d{1,20}$/, 'must be a pixel id')
      .optional(),
  }),
  reply: z.object({ html: z.string(), key: z.string(), src: z.string() }),
  errors: ['invalid_state'],
})
export const getTagManagerInstaller = endpoint({
  name: 'getTagManagerInstaller',
  method: 'GET',
  path: '/tracking/installers/gtm',
  summary: 'Read the tracker as an import file for a tag manager',
  description: 'Import it into the container; the tag fires on all pages.',
  tag,
  access: read,
  reply: z.record(z.string(), z.unknown()),
  errors: ['invalid_state'],
})
export const getTrackingTemplates = endpoint({
  name: 'getTrackingTemplates',
  method: 'GET',
  path: '/tracking/templates',
  summary: 'List the URL templates for each ad platform, and whether their parameters arrive',
  description:
    'With the template, each click carries its campaign, ad set and ad. `clicks` counts the paid clicks of the last seven days, `with_ad_id` those that carried their ad; `state` is `waiting` until the first click.',
  tag,
  access: read,
  reply: z.array(
    z.object({
      platform: z.enum(['social', 'engine', 'shortvideo', 'linkedin', 'microsoft']),
      name: z.string(),
      place: z.string(),
      template: z.string(),
      clicks: z.int(),
      with_ad_id: z.int(),
      last_click_on: z.string().nullable(),
      state: z.enum(['waiting', 'missing', 'partial', 'arriving']),
    }),
  ),
})
export const getStorefrontPixelInstaller = endpoint({
  name: 'getStorefrontPixelInstaller',
  method: 'GET',
  path: '/tracking/installers/storefront-pixel',
  summary: 'Read the code of a store’s custom web pixel',
  description: 'For stores that use a custom pixel instead of the one in our store app.',
  tag,
  access: read,
  reply: z.object({
    name: z.string(),
    code: z.string(),
    settings: z.object({ tracking_key: z.string(), collector_url: z.string() }),
  }),
  errors: ['invalid_state'],
})
export const listTrackingDomains = endpoint({
  name: 'listTrackingDomains',
  method: 'GET',
  path: '/tracking/custom-domains',
  summary: 'List the first-party tracking domains',
  description: 'Includes the required DNS record and the result of the last check of each.',
  tag,
  access: read,
  reply: z.array(TrackingDomain),
})
export const createTrackingDomain = endpoint({
  name: 'createTrackingDomain',
  method: 'POST',
  path: '/tracking/custom-domains',
  summary: 'Register a first-party tracking domain',
  description:
    "Browsers keep cookies of the business's own domain longer. The response contains the DNS record to set.",
  tag,
  access: write,
  body: z.strictObject({ domain: DomainName }),
  reply: TrackingDomain,
  statuses: [201],
  errors: ['invalid_state'],
})
export const deleteTrackingDomain = endpoint({
  name: 'deleteTrackingDomain',
  method: 'DELETE',
  path: '/tracking/custom-domains/{id}',
  summary: 'Remove a tracking domain',
  description: 'Pages that load the tracker from it stop sending events.',
  tag,
  access: write,
  params: id,
  reply: z.null(),
  statuses: [204],
})
export const verifyTrackingDomain = endpoint({
  name: 'verifyTrackingDomain',
  method: 'POST',
  path: '/tracking/custom-domains/{id}/verify',
  summary: 'Check the DNS record of a tracking domain',
  description:
    'DNS changes may take hours; a failed check can be repeated. Verified domains are checked daily; one that no longer points to the service becomes `failed` and the snippet stops using it.',
  tag,
  access: write,
  params: id,
  reply: TrackingDomain,
})
export const listTrackedEvents = endpoint({
  name: 'listTrackedEvents',
  method: 'GET',
  path: '/tracking/events',
  summary: 'List raw enriched events, newest first',
  description:
    'Includes device, country and the channel of the touch. Beyond the days that a deployment keeps raw events, only events with a touch, identity, trait or outcome remain, without page and device.',
  tag,
  access: read,
  query: z.object({
    cursor: z.string().max(500).optional(),
    limit: limitParam(),
    event_name: z.string().max(100).optional(),
  }),
  reply: z.array(
    z.object({
      id: z.uuid(),
      event_name: z.string(),
      source: z.string(),
      occurred_at: Instant,
      received_at: Instant,
      anonymous_id: z.string().nullable(),
      session_id: z.string().nullable(),
      is_bot: z.boolean(),
      channel: z.string().nullable(),
      page_url: z.string().nullable(),
      referrer: z.string().nullable(),
      device: z.record(z.string(), z.string().nullable()),
      utm: z.record(z.string(), z.string()),
      click_ids: z.record(z.string(), z.string()),
    }),
  ),
  extra: { pagination: Pagination },
})
export const getTrackingOps = endpoint({
  name: 'getTrackingOps',
  method: 'GET',
  path: '/tracking/ops',
  summary: 'Read the state and lag of the event pipeline',
  description: 'Queued and quarantined events, and the age of the oldest queued one.',
  tag,
  access: read,
  reply: z.object({
    waiting: z.int(),
    oldest_waiting_at: Instant.nullable(),
    last_24_hours: z.object({ events: z.int(), touches: z.int(), conversions: z.int() }),
    quarantine: z
      .object({
        count: z.int(),
        events: z.array(
          z.object({
            event_id: z.uuid(),
            reason: z.enum(['processing_failed', 'amount_too_large', 'day_total_too_large']),
            detail: z.string().nullable(),
            set_aside_at: Instant,
          }),
        ),
      })
      .describe(
        'Events that could not be processed. They are kept but not counted, and are retried when a new version of them is sent. The newest 50 are listed.',
      ),
  }),
})
export const getTrackingOrigin = endpoint({
  name: 'getTrackingOrigin',
  method: 'GET',
  path: '/tracking/origin',
  summary: 'Read the origin that the profile’s tracker sends events to',
  description: "The first-party domain if one is verified, otherwise the service's own address.",
  tag,
  access: read,
  reply: z.object({
    origin: z.string(),
    canonical_origin: z.string(),
    custom_domain: z.string().nullable(),
    collect_url: z.string(),
  }),
})
export const getTrackingQuality = endpoint({
  name: 'getTrackingQuality',
  mcp: {
    description: 'Tracking health of the last 7 days: whether events arrive and what is missing.',
  },
  method: 'GET',
  path: '/tracking/quality',
  summary: 'Read the tracking health of the last seven days',
  description: 'Events, sessions, bots and the number of paid clicks that carry their ad.',
  tag,
  access: read,
  reply: z.object({
    status: z.enum(['healthy', 'attention', 'silent']),
    last_event_at: Instant.nullable(),
    events: z.int(),
    bots: z.int(),
    page_views: z.int(),
    sessions: z.int(),
    visitors: z.int(),
    identified: z.int(),
    with_click_id: z.int(),
    with_ad: z.int(),
    consent: z
      .object({
        gpc_events: z.int().describe('Events whose browser sent Global Privacy Control'),
        ads_denied_events: z
          .int()
          .describe('Events that refuse the use for ads, with or without that signal'),
        withheld: z
          .array(
            z.object({
              platform: z.enum(['social', 'engine', 'shortvideo', 'microsoft', 'linkedin']),
              conversions: z.int(),
              value: z.number().nullable().describe('In the reporting currency; null if no amount is known'),
            }),
          )
          .describe('Conversions queued in these days that were not sent because of a refusal'),
      })
      .describe('What visitors refused, and what was withheld because of it'),
    findings: z.array(z.object({ code: z.string(), message: z.string() })),
  }),
})
export const getReplayStatus = endpoint({
  name: 'getReplayStatus',
  method: 'GET',
  path: '/tracking/replay-status',
  summary: 'Read the most recent recompute of credits',
  description:
    "The latest recompute of the profile's credits, regardless of its cause; null if there was none.",
  tag,
  access: read,
  reply: z
    .object({
      recompute_id: z.uuid(),
      scope: z.string(),
      state: z.string(),
      conversions: z.int().nullable(),
      requested_at: Instant,
      started_at: Instant.nullable(),
      finished_at: Instant.nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
})
export const getTrackingSettings = endpoint({
  name: 'getTrackingSettings',
  method: 'GET',
  path: '/tracking/settings',
  summary: 'Read the tracker and enrichment settings',
  description: 'Defaults apply until they are changed.',
  tag,
  access: read,
  reply: TrackingSettings,
})
export const updateTrackingSettings = endpoint({
  name: 'updateTrackingSettings',
  method: 'PATCH',
  path: '/tracking/settings',
  summary: 'Change tracker and enrichment settings',
  description: 'Only the fields that are sent change. They apply to events received afterwards.',
  tag,
  access: write,
  body: z.strictObject({
    session_minutes: z.int().min(1).max(120).optional(),
    consent_mode: z.enum(['granted', 'pending', 'denied']).optional(),
    forms: z.enum(['auto', 'marked', 'off']).optional(),
    spa: z.enum(['on', 'hash', 'off']).optional(),
    allowed_domains: z.array(DomainName).max(100).optional(),
    filter_bots: z.boolean().optional(),
    enrich_country: z.boolean().optional(),
    browser_revenue: browserRevenue.optional(),
  }),
  reply: TrackingSettings,
})
export const getVerification = endpoint({
  name: 'getVerification',
  method: 'GET',
  path: '/tracking/verification',
  summary: 'Read the latest install check',
  description: 'Null if none was started.',
  tag,
  access: read,
  reply: Verification.nullable(),
})
export const startVerification = endpoint({
  name: 'startVerification',
  method: 'POST',
  path: '/tracking/verification',
  summary: 'Start an install check',
  description:
    'Open the `check_url` of the response in a browser. The check succeeds when the tracker on that page reports.',
  tag,
  access: write,
  body: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2048) }),
  reply: Verification,
  statuses: [201],
  errors: ['invalid_state'],
})
