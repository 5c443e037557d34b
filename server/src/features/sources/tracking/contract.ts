import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { DomainName, Instant, OccurredAt } from '../../../platform/contract/fields.ts'
import { limitParam, Pagination } from '../../../platform/contract/page.ts'
import {
  browserRevenue,
  consentSignalsSetting,
  excludePaths,
  gpcSetting,
  pipelineState,
  TrackingDomain,
  TrackingKey,
  TrackingSettings,
  trackingHealth,
  Verification,
} from './fields.ts'

const tag = 'tracking'
const read = { kind: 'profile', scopes: ['tracking:read'] } as const
const write = { kind: 'profile', scopes: ['tracking:write'] } as const
const id = z.object({ id: z.uuid().describe('Id of the key, domain or check') })

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
  entitlement: 'rights',
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
      .optional()
      .describe('Id of the pixel at the platform'),
  }),
  reply: z.object({
    html: z.string().describe('HTML to insert into the page'),
    key: z.string().describe('Public key of the tracker'),
    src: z.string().describe('URL of the script'),
  }),
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
      platform: z
        .enum(['social', 'engine', 'shortvideo', 'linkedin', 'microsoft'])
        .describe('Ad platform that the template is for'),
      name: z.string().describe('Name of the platform'),
      place: z.string().describe('Where to enter it at the platform'),
      template: z.string().describe('URL parameters to paste at the platform'),
      clicks: z.int().describe('Number of paid clicks of the last seven days'),
      with_ad_id: z.int().describe('Number of those clicks that carried their ad'),
      last_click_on: z.string().nullable().describe('Day of the latest click with it; null if there is none'),
      state: z
        .enum(['waiting', 'missing', 'partial', 'arriving'])
        .describe('Whether the parameters arrive; waiting until the first click'),
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
    name: z.string().describe('Name of the pixel, to enter in the store'),
    code: z.string().describe('Code of the pixel, to paste in the store'),
    settings: z
      .object({
        tracking_key: z.string().describe('Public key of the tracker'),
        collector_url: z.string().describe('URL to which the tracker sends its events'),
      })
      .describe('Values that the code contains'),
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
  body: z.strictObject({ domain: DomainName.describe('Domain that serves the tracker’s script') }),
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
    cursor: z
      .string()
      .max(500)
      .optional()
      .describe('Cursor of the next page, as returned by the previous page'),
    limit: limitParam().describe('Rows per page'),
    event_name: z.string().max(100).optional().describe('Name of the event; goals select events by it'),
  }),
  reply: z.array(
    z.object({
      id: z.uuid().describe('Id of the event'),
      event_name: z.string().describe('Name of the event; goals select events by it'),
      source: z.string().describe('Source of the data'),
      occurred_at: OccurredAt,
      received_at: Instant.describe('When the service received it'),
      anonymous_id: z
        .string()
        .nullable()
        .describe('The visitor’s id in the browser or app; null if none was sent'),
      session_id: z.string().nullable().describe('Id of the visit; null if none was sent'),
      is_bot: z.boolean().describe('True if the user agent belongs to a bot'),
      channel: z.string().nullable().describe('Channel of the visit; null if the event is not a visit'),
      page_url: z.string().nullable().describe('URL of the page; null if none was sent'),
      referrer: z.string().nullable().describe('Address of the page that linked here; null if there is none'),
      device: z
        .record(z.string(), z.string().nullable())
        .describe('Browser, operating system and device type'),
      utm: z
        .record(z.string(), z.string())
        .describe('Campaign parameters of the link, for example `utm_source`'),
      click_ids: z
        .record(z.string(), z.string())
        .describe('Click ids of ad platforms by their parameter, for example `gclid`'),
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
  reply: pipelineState,
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
    origin: z.string().describe('Origin that the tracker sends events to'),
    canonical_origin: z.string().describe('Where the script is served from'),
    custom_domain: z.string().nullable().describe('Custom domain of the script; null if none is configured'),
    collect_url: z.string().describe('URL to which the tracker sends its events'),
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
  reply: trackingHealth,
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
      recompute_id: z.uuid().describe('Id of the recompute'),
      scope: z.string().describe('What is recomputed'),
      state: z.string().describe('How far the recompute is'),
      conversions: z
        .int()
        .nullable()
        .describe('Number of conversions that were recomputed; null until it has ended'),
      requested_at: Instant.describe('When it was requested'),
      started_at: Instant.nullable().describe('When it started; null until then'),
      finished_at: Instant.nullable().describe('When it ended; null until then'),
      error: z.string().nullable().describe('Why the recompute failed; null if it did not'),
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
    session_minutes: z
      .int()
      .min(1)
      .max(120)
      .optional()
      .describe('Minutes of inactivity after which a visit ends'),
    consent_mode: z
      .enum(['granted', 'pending', 'denied'])
      .optional()
      .describe('Whether the tracker waits for consent'),
    forms: z.enum(['auto', 'marked', 'off']).optional().describe('Forms whose submission is recorded'),
    spa: z.enum(['on', 'hash', 'off']).optional().describe('How navigation in a single-page app is counted'),
    allowed_domains: z
      .array(DomainName)
      .max(100)
      .optional()
      .describe('Domains whose pages may send events; empty means all'),
    consent_signals: consentSignalsSetting.optional(),
    gpc: gpcSetting.optional(),
    exclude_paths: excludePaths.optional(),
    filter_bots: z.boolean().optional().describe('True to exclude events from bots'),
    enrich_country: z.boolean().optional().describe('True if the country is derived from the IP address'),
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
  body: z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .describe('URL of the page that is checked'),
  }),
  reply: Verification,
  statuses: [201],
  errors: ['invalid_state'],
})
