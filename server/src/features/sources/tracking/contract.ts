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
    'Money that browsers send: counted; counted until a server or a provider reports payments, and from then on only confirming one of them (same order_id); or never counted.',
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
  summary: 'Issue the tracking key; a profile with an active key gets that key back',
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
  summary: 'Active tracking keys',
  description: 'A profile has one active key; a revoked one is not listed.',
  tag,
  access: read,
  reply: z.array(TrackingKey),
})
export const revokeTrackingKey = endpoint({
  name: 'revokeTrackingKey',
  method: 'DELETE',
  path: '/tracking/keys/{id}',
  summary: 'Revoke a tracking key',
  description: 'Pages that still use it are refused at once; issue a new key and change the snippet first.',
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
  summary: 'The script to paste, optionally with the ad platform’s pixel',
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
  summary: 'The payload a tag-manager container imports',
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
  summary: 'What to paste at each ad platform, and whether it arrives',
  description:
    'The template makes each click name its campaign, ad set and ad. `clicks` are the paid clicks of the last seven days, `with_ad_id` those that named their ad; `state` is `waiting` until a click came.',
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
  summary: 'The payload a store’s custom web pixel expects',
  description: "For stores that use a custom pixel instead of the app's own.",
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
  summary: 'First-party tracking domains',
  description: 'With the DNS record that each needs and the verdict of the last check.',
  tag,
  access: read,
  reply: z.array(TrackingDomain),
})
export const createTrackingDomain = endpoint({
  name: 'createTrackingDomain',
  method: 'POST',
  path: '/tracking/custom-domains',
  summary: 'Register a first-party tracking domain',
  description: "Browsers keep cookies of the business's own domain longer. Answers the DNS record to set.",
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
  description: 'Pages that load the tracker from it stop sending.',
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
  summary: 'Look the domain up again and store the verdict',
  description:
    'DNS changes may take hours; a failed check can be repeated. A verified domain is checked again every day; one that no longer leads here is `failed` and no longer the origin of the snippet.',
  tag,
  access: write,
  params: id,
  reply: TrackingDomain,
})
export const listTrackedEvents = endpoint({
  name: 'listTrackedEvents',
  method: 'GET',
  path: '/tracking/events',
  summary: 'Raw enriched events, newest first',
  description:
    'As they were stored, with device, country and the touch they were read as. Past the days that a deployment keeps raw events, only those that something came of, without page and device.',
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
  summary: 'State and lag of the event pipeline',
  description: 'Queued and quarantined events, and the age of the oldest.',
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
        'Events that could not be processed: kept, counted nowhere, tried again when a new version of them is sent. The newest 50 are listed.',
      ),
  }),
})
export const getTrackingOrigin = endpoint({
  name: 'getTrackingOrigin',
  method: 'GET',
  path: '/tracking/origin',
  summary: 'Where the profile’s tracker collects',
  description: "The first-party domain where one is verified, otherwise the service's own address.",
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
    description: 'Data of 7 days: is tracking alive, what is missing.',
  },
  method: 'GET',
  path: '/tracking/quality',
  summary: 'Tracking health over the last seven days',
  description: 'Events, sessions, bots and the share of paid clicks that name their ad.',
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
    findings: z.array(z.object({ code: z.string(), message: z.string() })),
  }),
})
export const getReplayStatus = endpoint({
  name: 'getReplayStatus',
  method: 'GET',
  path: '/tracking/replay-status',
  summary: 'The most recent attribution replay',
  description:
    "The latest recompute of the profile's credit, whatever asked for it; null where there was none.",
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
  summary: 'Tracker and enrichment settings',
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
  description: 'Only the members that are sent change; they hold for events received from then on.',
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
  summary: 'The latest install check',
  description: 'Null where none was started.',
  tag,
  access: read,
  reply: Verification.nullable(),
})
export const startVerification = endpoint({
  name: 'startVerification',
  method: 'POST',
  path: '/tracking/verification',
  summary: 'Start an install check: open the address, and the tracker there answers',
  description:
    'The answer names the address to open; the check is done when the tracker on that page has reported.',
  tag,
  access: write,
  body: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2048) }),
  reply: Verification,
  statuses: [201],
})
