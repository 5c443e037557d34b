import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import {
  ConnectionId,
  CreatedAt,
  CreatingApp,
  Name,
  notPersonal,
  UpdatedAt,
} from '../../../../platform/contract/fields.ts'
import { liveErrors } from '../../../sources/connections/provider-errors.ts'

const tag = 'exports'
export const exportReads = { kind: 'profile', scopes: ['exports:read'] } as const
export const exportWrites = { kind: 'profile', scopes: ['exports:write'] } as const
/** Errors of requests that write to the platform before they respond. */
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

/** Text that is sent to a platform unchanged, so it must not contain personal data. */
export const impersonal = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(...notPersonal)

const key = z.string().min(1).max(64)
export const EventMap = z
  .array(
    z.strictObject({
      conversion_key: key.describe('Key of the goal, unique in the profile'),
      event_name: impersonal(100).describe('Name of the event; goals select events by it'),
    }),
  )
  .max(100)
  .describe('Goals to send, each with its event name at the platform. Other goals are not sent')

export type EventMap = z.infer<typeof EventMap>

export const EventIdSource = z
  .string()
  .regex(/^(whence|order_id|properties\.[A-Za-z0-9_-]{1,64})$/, 'whence, order_id or properties.<name>')
  .describe(
    'The event id that the platform receives: `whence` (our id), `order_id`, or `properties.<name>` of the event. If the website’s pixel sends the same value as its event id, the platform counts the sale once. Events without the value are sent with our id',
  )

const DestinationWarning = z.object({
  code: z.enum(['pixel_counts_too']).describe('Kind of warning, for programs'),
  conversions: z.int().describe('Affected conversions of the last 7 days'),
})

export const DataSourceKind = z.enum(['website', 'crm', 'chatapp', 'photoapp'])

export const ExportDestination = z.object({
  id: z.uuid().describe('Id of the export destination'),
  kind: ExportKind.describe('Ad platform that receives the conversions'),
  connection_id: z.uuid().nullable().describe('Id of the connection; null if there is none'),
  social_pixel_id: z.string().nullable().describe('Id of the pixel at the platform; null for other kinds'),
  engine_conversion_action: z
    .string()
    .nullable()
    .describe('Google’s id of the conversion action; null for other kinds'),
  shortvideo_pixel_code: z.string().nullable().describe('TikTok pixel code; null for other kinds'),
  microsoft_uet_tag_id: z.string().nullable().describe('The UET tag; null for other kinds'),
  linkedin_conversion_id: z.string().nullable().describe('The conversion rule; null for other kinds'),
  display_name: z.string().describe('Name of the export destination'),
  enabled: z.boolean().describe('Whether it is enabled'),
  data_source: DataSourceKind.nullable().describe('Send only conversions of this source; null: all'),
  event_map: EventMap,
  event_id_source: EventIdSource,
  test_event_code: z
    .string()
    .nullable()
    .describe('The platform’s code for test events; null if there is none'),
  status: z.enum(['active', 'disabled', 'needs_action']).describe('State of the export destination'),
  status_reason: z
    .string()
    .nullable()
    .describe('Why sending is stopped until a person acts; null if it is not'),
  warnings: z
    .array(DestinationWarning)
    .describe(
      '`pixel_counts_too`: the platform’s pixel ran in the browser of these conversions, and they were sent with our id, which the pixel does not know. If the pixel also reports them, the platform counts each twice; choose an `event_id_source` that both use',
    ),
  waiting: z.int().describe('Number of queued conversions'),
  last_run: z
    .object({
      run_id: z.uuid().describe('Id of the export run'),
      status: z.enum(['queued', 'sent', 'failed', 'skipped']).describe('How the run ended'),
      sent: z.int().describe('Number of conversions that were sent'),
      failed: z.int().describe('Number of conversions that failed'),
      skipped: z.int().describe('Number of conversions that were skipped'),
      provider_status: ProviderStatus.nullable().describe(
        'The platform’s diagnostics of accepted conversions; null if it reports none',
      ),
    })
    .nullable()
    .describe('The last run; null before the first'),
  created_by_app: CreatingApp,
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type ExportDestination = z.infer<typeof ExportDestination>

export const listExportDestinations = endpoint({
  name: 'listExportDestinations',
  method: 'GET',
  path: '/exports/destinations',
  summary: 'Export destinations',
  description: 'Each with its status, the number of queued conversions and its last run.',
  tag,
  access: exportReads,
  reply: z.array(ExportDestination),
})

const target = impersonal(200)
const token = z.string().min(1).max(2000).describe('Stored encrypted and never returned')
const optional = {
  display_name: Name.optional().describe('Name of the destination, as people see it'),
  event_map: EventMap.optional(),
  event_id_source: EventIdSource.default('whence'),
  enabled: z.boolean().default(true).describe('Whether it is enabled'),
  test_event_code: impersonal(100)
    .nullable()
    .optional()
    .describe('The platform’s code for test events; null if there is none'),
}

/** These platforms have no test events: they would count them. */
const { test_event_code: _, ...withoutTests } = optional

export const NewExportDestination = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('social').describe('Ad platform that receives the conversions'),
    connection_id: z.uuid().optional().describe('Optional if exactly one ad account is connected'),
    social_pixel_id: target.describe('Id of the pixel at the platform'),
    data_source: DataSourceKind.optional().describe('Only conversions of this source are sent; default: all'),
    ...optional,
  }),
  z.strictObject({
    kind: z.literal('engine').describe('Ad platform that receives the conversions'),
    connection_id: ConnectionId,
    engine_conversion_action: target.describe('Google’s id of the conversion action'),
    ...optional,
  }),
  z.strictObject({
    kind: z.literal('shortvideo').describe('Ad platform that receives the conversions'),
    shortvideo_pixel_code: target.describe('TikTok pixel code'),
    access_token: token,
    ...optional,
  }),
  z.strictObject({
    kind: z.literal('microsoft').describe('Ad platform that receives the conversions'),
    connection_id: ConnectionId,
    microsoft_uet_tag_id: z
      .string()
      .regex(/^\d{1,19}$/, 'digits')
      .describe('A UET tag of the connected account'),
    ...withoutTests,
  }),
  z.strictObject({
    kind: z.literal('linkedin').describe('Ad platform that receives the conversions'),
    connection_id: ConnectionId,
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
  summary: 'Create an export destination, which sends conversions to an ad platform',
  description:
    'Conversions received from now on are sent. Without `event_map`, payments and leads are sent with the platform’s standard event names. On a healthcare profile it requires an owner or admin of the workspace, or the app that provisioned the profile in its own workspace; all owners are notified by mail. At most 100 per profile.',
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
  summary: 'Change, enable or disable an export destination',
  description:
    'Omitted fields keep their values. The target cannot be changed: create another destination. On a healthcare profile every change except `display_name` and `enabled: false` requires an owner or admin, as creating a destination does. Their `enabled: true` releases a destination with the reason `owner_decision_required`.',
  tag,
  access: exportWrites,
  params: z.object({ id: z.uuid().describe('Id of the export destination') }),
  body: z.strictObject({
    display_name: Name.optional().describe('Name of the destination, as people see it'),
    enabled: z.boolean().optional().describe('Whether it is enabled'),
    event_map: EventMap.optional(),
    event_id_source: EventIdSource.optional().describe(
      'Applies to conversions queued from now on. Adjustments of earlier conversions are sent with their earlier id',
    ),
    test_event_code: impersonal(100)
      .nullable()
      .optional()
      .describe('The platform’s code for test events; null if there is none'),
    access_token: token.optional(),
  }),
  reply: ExportDestination,
  errors: ['not_found', 'validation_error', 'forbidden'],
})
