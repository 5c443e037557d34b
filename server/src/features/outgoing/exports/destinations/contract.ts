import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { CreatingApp, Instant, Name, notPersonal } from '../../../../platform/contract/fields.ts'
import { liveErrors } from '../../../sources/connections/provider-errors.ts'

const tag = 'exports'
export const exportReads = { kind: 'profile', scopes: ['exports:read'] } as const
export const exportWrites = { kind: 'profile', scopes: ['exports:write'] } as const
/** Of a write that goes to the platform at once. */
export const platformWriteErrors = [
  ...liveErrors,
  'social_write_permission_missing',
  'not_found',
  'not_implemented',
  'validation_error',
] as const

export const ExportKind = z.enum(['social', 'engine', 'shortvideo', 'linkedin', 'microsoft'])
export const ProviderStatus = z
  .enum(['processing', 'success', 'partial_success', 'failed'])
  .describe('The platform’s diagnostics of accepted conversions')

/** Text that is sent to a platform as it is. */
export const impersonal = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(...notPersonal)

const key = z.string().min(1).max(64)
export const EventMap = z
  .array(z.strictObject({ conversion_key: key, event_name: impersonal(100) }))
  .max(100)
  .describe('Which goals are sent, and what the platform calls them. A goal that is not named is not sent')

export type EventMap = z.infer<typeof EventMap>

export const EventIdSource = z
  .string()
  .regex(/^(whence|order_id|properties\.[A-Za-z0-9_-]{1,64})$/, 'whence, order_id or properties.<name>')
  .describe(
    'Which id the platform receives as the event’s id: `whence` (ours), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. An event without the value goes under our id',
  )

const DestinationWarning = z.object({
  code: z.enum(['pixel_counts_too']),
  conversions: z.int().describe('Conversions of the last 7 days that this is about'),
})

export const DataSourceKind = z.enum(['website', 'crm', 'chatapp', 'photoapp'])

export const ExportDestination = z.object({
  id: z.uuid(),
  kind: ExportKind,
  connection_id: z.uuid().nullable(),
  social_pixel_id: z.string().nullable(),
  engine_conversion_action: z.string().nullable(),
  shortvideo_pixel_code: z.string().nullable(),
  microsoft_uet_tag_id: z.string().nullable().describe('The UET tag; null for other kinds'),
  linkedin_conversion_id: z.string().nullable().describe('The conversion rule; null for other kinds'),
  display_name: z.string(),
  enabled: z.boolean(),
  data_source: DataSourceKind.nullable().describe('Only conversions of this source are sent; null: all'),
  event_map: EventMap,
  event_id_source: EventIdSource,
  test_event_code: z.string().nullable(),
  status: z.enum(['active', 'disabled', 'needs_action']),
  status_reason: z.string().nullable().describe('Why nothing is sent until a person acts'),
  warnings: z
    .array(DestinationWarning)
    .describe(
      '`pixel_counts_too`: the platform’s pixel ran in the browser of these conversions, and we sent them under our id, which the pixel does not have. If the pixel reports them too, the platform counts each twice; choose an `event_id_source` that both use',
    ),
  waiting: z.int().describe('Conversions that are queued'),
  last_run: z
    .object({
      run_id: z.uuid(),
      status: z.enum(['queued', 'sent', 'failed', 'skipped']),
      sent: z.int(),
      failed: z.int(),
      skipped: z.int(),
      provider_status: ProviderStatus.nullable(),
    })
    .nullable(),
  created_by_app: CreatingApp,
  created_at: Instant,
  updated_at: Instant,
})
export type ExportDestination = z.infer<typeof ExportDestination>

export const listExportDestinations = endpoint({
  name: 'listExportDestinations',
  method: 'GET',
  path: '/exports/destinations',
  summary: 'Destinations of conversions',
  description: 'Each with its health, its queue and its last run.',
  tag,
  access: exportReads,
  reply: z.array(ExportDestination),
})

const target = impersonal(200)
const token = z.string().min(1).max(2000).describe('Sealed, and never shown again')
const optional = {
  display_name: Name.optional(),
  event_map: EventMap.optional(),
  event_id_source: EventIdSource.default('whence'),
  enabled: z.boolean().default(true),
  test_event_code: impersonal(100).nullable().optional(),
}

/** The platform has no test events: it would count one. */
const { test_event_code: _, ...withoutTests } = optional

export const NewExportDestination = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('social'),
    connection_id: z.uuid().optional().describe('May be left out where one ad account is connected'),
    social_pixel_id: target,
    data_source: DataSourceKind.optional(),
    ...optional,
  }),
  z.strictObject({
    kind: z.literal('engine'),
    connection_id: z.uuid(),
    engine_conversion_action: target,
    ...optional,
  }),
  z.strictObject({
    kind: z.literal('shortvideo'),
    shortvideo_pixel_code: target,
    access_token: token,
    ...optional,
  }),
  z.strictObject({
    kind: z.literal('microsoft'),
    connection_id: z.uuid(),
    microsoft_uet_tag_id: z
      .string()
      .regex(/^\d{1,19}$/, 'digits')
      .describe('A UET tag of the connected account'),
    ...withoutTests,
  }),
  z.strictObject({
    kind: z.literal('linkedin'),
    connection_id: z.uuid(),
    linkedin_conversion_id: z
      .string()
      .regex(/^(?:urn:lla:llaPartnerConversion:)?\d{1,19}$/, 'the number of a conversion rule, or its URN')
      .describe('A conversion rule of the ad account whose method is Conversions API'),
    ...withoutTests,
  }),
])
export type NewExportDestination = z.infer<typeof NewExportDestination>

export const createExportDestination = endpoint({
  name: 'createExportDestination',
  method: 'POST',
  path: '/exports/destinations',
  summary: 'Send conversions back to an ad platform',
  description:
    'Conversions received from now on are sent. Without `event_map` payments and leads go under the platform’s own names. On a healthcare profile it takes an owner or admin of the workspace, or the app that provisioned the profile in its own workspace; all owners get a mail. At most 100 per profile.',
  tag,
  access: exportWrites,
  body: NewExportDestination,
  reply: ExportDestination,
  statuses: [201],
  example: {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CABCDEF1234567890', access_token: 'pasted-token' },
  },
  errors: [
    'destination_conflict',
    'invalid_state',
    'not_found',
    'connection_not_ready',
    'social_connection_required',
    'chatapp_connection_required',
    'photoapp_connection_required',
    'photoapp_facebook_login_required',
    'validation_error',
    'forbidden',
  ],
})

export const updateExportDestination = endpoint({
  name: 'updateExportDestination',
  method: 'PATCH',
  path: '/exports/destinations/{id}',
  summary: 'Change or switch a destination',
  description:
    'Fields that are left out keep their values. Where conversions go cannot: make another destination. On a healthcare profile anything but a new name or `enabled: false` takes an owner or admin, as creating one does; `enabled: true` from one of them releases a destination with the reason `owner_decision_required`.',
  tag,
  access: exportWrites,
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({
    display_name: Name.optional(),
    enabled: z.boolean().optional(),
    event_map: EventMap.optional(),
    event_id_source: EventIdSource.optional().describe(
      'Applies to conversions that are queued from now on; changes of earlier ones go under the id that they had',
    ),
    test_event_code: impersonal(100).nullable().optional(),
    access_token: token.optional(),
  }),
  reply: ExportDestination,
  errors: ['not_found', 'validation_error', 'forbidden'],
})
