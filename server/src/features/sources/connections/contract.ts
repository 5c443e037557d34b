import { z } from 'zod'
import { providers } from '../../../connectors/connector.ts'
import { MAILBOX, mailboxVendors } from '../../../connectors/mailbox.ts'
import { messagingChannels } from '../../../connectors/messaging.ts'
import { abilities } from '../../../connectors/records.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  ConnectionId,
  CreatedAt,
  ExpiresAt,
  Instant,
  ProviderName,
} from '../../../platform/contract/fields.ts'
import { ProviderParam } from '../handoffs/contract.ts'
import { liveErrors, providerErrors } from './provider-errors.ts'

export const SyncState = z.object({
  state: z.enum(['idle', 'queued', 'running', 'failed']).describe('What the sync does now'),
  last_success_at: Instant.nullable().describe('Time of the last success; null if there was none'),
  complete_until: Instant.nullable().describe(
    'Start of the last complete sync: all earlier data has been read; null if there was none',
  ),
  last_attempt_at: Instant.nullable().describe('Time of the last attempt; null before the first'),
  last_error: z.string().nullable().describe('Error of the last failed attempt; null after a success'),
  next_run_at: Instant.nullable().describe('Time of the next run; null if none is planned'),
  progress: z
    .object({
      done: z.int().describe('Parts that are finished, out of `total`'),
      total: z.int().nullable().describe('Number of parts; null until it is known'),
      unit: z.string().describe('Unit of the count'),
    })
    .nullable()
    .describe('How far the running sync is; null if none runs'),
  /** Records of the provider that could not be parsed. The other records of their pages were stored. */
  set_aside: z
    .object({
      records: z.int().describe('Records that were set aside'),
      last_reason: z
        .string()
        .nullable()
        .describe('Reason why the last record was set aside; null if none was'),
    })
    .describe('Number of records set aside'),
})
export type SyncState = z.infer<typeof SyncState>

/** OAuth providers, and channels that are connected without OAuth. */
const channels = [...providers, 'banklink', 'chatbot', ...messagingChannels, MAILBOX] as const
export const Channel = z.enum(channels, { error: `must be one of ${channels.join(', ')}` })

export const Connection = z.object({
  id: z.uuid().describe('Id of the connection'),
  channel: Channel.describe('Messaging channel of the connection'),
  status: z
    .enum(['connected', 'needs_action', 'reconnect_required', 'revoked', 'error'])
    .describe('State of the connection'),
  display_name: z.string().describe('Name of the connection'),
  external_id: z.string().describe('The provider’s id of the connected account'),
  provider_subtype: z
    .string()
    .nullable()
    .describe('Kind of account at the provider; null if there is only one'),
  dataset_id: z.string().nullable().describe('The platform’s id of the dataset; null if there is none'),
  authorized_at: Instant.describe('When a person authorized it'),
  consent_ends_at: Instant.nullable().describe(
    'When the consent expires and has to be renewed by a person; null if the provider sets no end',
  ),
  created_at: CreatedAt,
  sync: SyncState.describe('State of the data synchronisation'),
  missing_abilities: z
    .array(
      z.object({
        ability: z.enum(abilities).describe('What the connection lacks'),
        reason: z.string().describe('What is not read or sent, and what changes that'),
      }),
    )
    .describe(
      'What this connection lacks because the app, the plan or the consent does not cover it; found by the last sync. Not an error: everything else is read',
    ),
})
export type Connection = z.infer<typeof Connection>

export const Pixel = z.object({
  id: z.string().describe('The platform’s id of the pixel'),
  name: z.string().nullable().describe('Name of the pixel; null if the platform reports none'),
  created_at: z.string().nullable().describe('When it was created; null if it is not known'),
  last_fired_at: z
    .string()
    .nullable()
    .describe('When it last received an event; null if it never did, or the platform does not report it'),
  is_unavailable: z
    .boolean()
    .nullable()
    .describe('Whether it is no longer available on the platform; null if the platform does not report it'),
  owner_business: z
    .object({
      id: z.string().describe('The platform’s id of the business account'),
      name: z.string().describe('Name of the business account'),
    })
    .nullable()
    .describe('Business account that owns it; null if the platform does not report it'),
})

export const Candidate = z.object({
  id: z.string().describe('Id of the account, to pass as `candidate_id`'),
  name: z.string().describe('Name of the account at the provider'),
  kind: z
    .enum(['ad_account', 'property', 'location', 'account', 'store'])
    .describe('What kind of account it is at the provider'),
  currency: z
    .string()
    .nullable()
    .describe('ISO 4217 code of the account’s currency; null if the provider does not report it'),
  timezone: z.string().nullable().describe('IANA time zone; null if the provider does not report it'),
})
export type Candidate = z.infer<typeof Candidate>

const tag = 'connections'
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const
const byId = z.object({ id: z.uuid().describe('Id of the connection') })
const byProvider = z.object({ provider: ProviderParam })

export const listConnections = endpoint({
  name: 'listConnections',
  mcp: {
    description: 'Connected ad, shop, payment and CRM accounts, their status and last sync.',
    concise: 'id channel status display_name sync',
  },
  method: 'GET',
  path: '/connections',
  summary: 'List the connections and their health',
  description: 'Includes the status, the last sync and the error if it failed.',
  tag,
  access: reads,
  query: z.object({
    channel: z
      .enum([...channels, ...mailboxVendors], {
        error: `must be one of ${[...channels, ...mailboxVendors].join(', ')}`,
      })
      .optional()
      .describe(
        'Channel of the connection. Mailboxes report `mailbox`; `gmail` and `microsoft_mail`, their `provider_subtype`, select those of one vendor',
      ),
  }),
  reply: z.array(Connection),
})

export const getConnection = endpoint({
  name: 'getConnection',
  method: 'GET',
  path: '/connections/{id}',
  summary: 'Read one connection',
  description: 'Returns the same fields as the list.',
  tag,
  noPage: 'shown_elsewhere',
  access: reads,
  params: byId,
  reply: Connection,
  errors: ['not_found'],
})

export const deleteConnection = endpoint({
  name: 'deleteConnection',
  method: 'DELETE',
  path: '/connections/{id}',
  summary: 'End the calling app’s authorization for a connection, and all its keys',
  description: 'The connection itself remains; other apps and the console still see it.',
  tag,
  noPage: 'partner_apps',
  access: writes,
  params: byId,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'invalid_request'],
})

export const disconnectConnection = endpoint({
  name: 'disconnectConnection',
  method: 'POST',
  path: '/connections/{id}/disconnect',
  summary: 'Disconnect an account from the profile',
  description: 'Revokes the token at the provider and deletes it. Data that was already synced remains.',
  tag,
  access: writes,
  params: byId,
  reply: Connection,
  errors: ['not_found'],
})

export const listPixels = endpoint({
  name: 'listPixels',
  method: 'GET',
  path: '/connections/{id}/pixels',
  summary: 'List the pixels of an ad account, live from the platform',
  description:
    'Queries the platform on each call; nothing is stored. Needs `exports:read`, because a pixel is only used as a destination of exports: a key of the grant `connections` has not got it, one of the grant `attribution` has.',
  tag,
  access: { kind: 'profile', scopes: ['exports:read'] },
  params: byId,
  reply: z.object({ pixels: z.array(Pixel).describe('Pixels of the ad account') }),
  errors: [...liveErrors, 'not_found', 'invalid_state'],
})

export const listPendingChoices = endpoint({
  name: 'listPendingChoices',
  method: 'GET',
  path: '/connections/pending',
  summary: 'List consents that wait for the choice of an account',
  description: 'One per provider. `GET /connections/pending/{provider}` lists the accounts.',
  tag,
  access: writes,
  reply: z.array(
    z.object({
      provider: ProviderParam,
      accounts: z.int().describe('Accounts that the person can choose from'),
      expires_at: ExpiresAt,
    }),
  ),
})

export const listCandidates = endpoint({
  name: 'listCandidates',
  method: 'GET',
  path: '/connections/pending/{provider}',
  summary: 'List the accounts that a consent covers',
  description: 'For a consent that covers several accounts. The choice expires after a limited time.',
  tag,
  access: writes,
  params: byProvider,
  reply: z.array(Candidate),
  errors: ['not_found', 'invalid_parameter'],
})

export const finalizeConnection = endpoint({
  name: 'finalizeConnection',
  method: 'POST',
  path: '/connections/pending/{provider}/finalize',
  summary: 'Choose the account to connect',
  description:
    'The other accounts of the consent are discarded. Idempotent: choosing the same account again returns the same result.',
  tag,
  access: writes,
  params: byProvider,
  body: z.strictObject({ candidate_id: z.string().min(1).max(500).describe('Id of the chosen account') }),
  reply: z.object({
    provider: ProviderName,
    connection_id: ConnectionId,
    already_finalized: z.boolean().describe('True if an earlier request already chose the account'),
  }),
  errors: [
    'not_found',
    'invalid_parameter',
    'invalid_state',
    'account_connected_elsewhere',
    'provider_not_configured',
  ],
})

export const startSync = endpoint({
  name: 'startSync',
  method: 'POST',
  path: '/connections/sync',
  summary: 'Start a sync',
  description: 'Reads new data from the provider. If a sync is already running, it serves this request too.',
  tag,
  access: writes,
  body: z.strictObject({
    provider: ProviderParam.optional(),
    connection_id: ConnectionId.optional(),
    since: z.iso.date().optional().describe('Earliest time to read; default: since the last sync'),
  }),
  reply: z.object({
    connection_id: ConnectionId,
    state: z.literal('queued').describe('Whether the sync was queued or already runs'),
  }),
  statuses: [202],
  errors: [
    'not_found',
    'validation_error',
    'not_implemented',
    'provider_not_configured',
    'connection_not_ready',
    'connection_revoked',
  ],
})

export const getSyncStatus = endpoint({
  name: 'getSyncStatus',
  method: 'GET',
  path: '/connections/sync/status',
  summary: 'Read a provider’s sync progress',
  description: 'Progress is counted in days or records, depending on how the provider paginates.',
  tag,
  noPage: 'shown_elsewhere',
  access: reads,
  query: z.object({ provider: ProviderParam }),
  reply: SyncState.extend({ provider: ProviderName, connection_id: ConnectionId }),
  errors: ['not_found', 'invalid_parameter'],
})

const outcomeTypes = [
  'lead_created',
  'dm_started',
  'appointment_booked',
  'appointment_attended',
  'quote_presented',
  'closed_won',
] as const
export const OutcomeType = z.enum(outcomeTypes)

export const Pipeline = z.object({
  id: z.string().describe('Id of the stage in the CRM'),
  name: z.string().describe('Name of the stage in the CRM'),
  stages: z
    .array(
      z.object({
        id: z.string().describe('Id of the stage in the CRM'),
        name: z.string().describe('Name of the stage in the CRM'),
        position: z.number().describe('Position in the list'),
        suggested_outcome: z
          .string()
          .nullable()
          .describe('Suggested outcome for the stage; null if none fits'),
        current_outcome: z
          .string()
          .nullable()
          .describe('Outcome that the stage is currently mapped to; null if it is not mapped'),
      }),
    )
    .describe('Stages of the pipeline'),
})

export const listStages = endpoint({
  name: 'listStages',
  method: 'GET',
  path: '/connections/{provider}/stages',
  summary: 'Read a CRM’s pipeline stages with suggested and current outcomes',
  description: 'Queries the CRM on each call and suggests an outcome for each stage.',
  tag,
  access: reads,
  params: byProvider,
  reply: z.object({ pipelines: z.array(Pipeline).describe('Pipelines with their stages') }),
  errors: [...liveErrors, 'not_implemented', 'not_found'],
})

export const prefillOutcomes = endpoint({
  name: 'prefillOutcomes',
  method: 'GET',
  path: '/integrations/crmsuite/outcomes/prefill',
  summary: 'Suggest outcome mappings from the CRM’s pipeline stages',
  description: 'Suggestions derived from the stage names; nothing is saved.',
  tag: 'integrations',
  noPage: 'shown_elsewhere',
  access: reads,
  reply: z.object({
    mappings: z
      .array(
        z.object({
          pipeline_id: z.string().describe('Id of the pipeline'),
          pipeline_name: z.string().describe('Name of the pipeline'),
          stage_id: z.string().describe('Id of the stage in the CRM'),
          stage_name: z.string().describe('Name of the stage'),
          outcome_type: z
            .string()
            .nullable()
            .describe('Outcome that the stage is mapped to, for example lead_created; null: none'),
        }),
      )
      .describe('Mapping of stages to outcomes'),
  }),
  errors: [...providerErrors],
})

export const saveStages = endpoint({
  name: 'saveStages',
  method: 'PUT',
  path: '/connections/{provider}/stages',
  summary: 'Map pipeline stages to outcomes',
  description: 'Records that were already synced are read again and mapped with the new outcomes.',
  tag,
  access: writes,
  entitlement: 'attribution',
  params: byProvider,
  body: z.strictObject({
    mappings: z
      .array(
        z.strictObject({
          stage_id: z.string().min(1).max(200).describe('Id of the stage in the CRM'),
          outcome_type: OutcomeType.nullable().describe(
            'Outcome that the stage is mapped to, for example lead_created; null: none',
          ),
        }),
      )
      .max(500)
      .describe('Mapping of stages to outcomes'),
  }),
  reply: z.object({ pipelines: z.array(Pipeline).describe('Pipelines with their stages') }),
  errors: [...liveErrors, 'not_implemented', 'not_found'],
})
