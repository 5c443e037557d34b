import { z } from 'zod'
import { providers } from '../../../connectors/connector.ts'
import { MAILBOX, mailboxVendors } from '../../../connectors/mailbox.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  ConnectionId,
  CreatedAt,
  ExpiresAt,
  Instant,
  ProfileId,
  ProviderName,
  WorkspaceId,
} from '../../../platform/contract/fields.ts'
import { reasons } from './rules.ts'

export const ProviderParam = z
  .enum(providers, { error: `must be one of ${providers.join(', ')}` })
  .describe('Provider of the account, for example social_ads')

const handoffProviders = [...providers, ...mailboxVendors, MAILBOX] as const
/** Also mailboxes: under their vendor, and under the channel that their connections report. */
const HandoffProvider = z
  .enum(handoffProviders, { error: `must be one of ${handoffProviders.join(', ')}` })
  .describe(
    'Provider of the account, as `channel` of its connections reports it. `mailbox` is the channel of `gmail` and `microsoft_mail`; it connects again the vendor of the mailbox that the profile has',
  )

export const HandoffResult = z.union([
  z.object({ provider: ProviderName, connection_id: ConnectionId }),
  z.object({
    provider: ProviderName,
    pending_selection: z
      .object({
        candidate_count: z.int().describe('Number of accounts to choose from'),
        expires_at: ExpiresAt,
      })
      .describe('Several accounts are available: a person must choose one'),
  }),
  z.object({
    provider: ProviderName.optional(),
    reason: z.enum(reasons).describe('Why the visit was refused or the connection failed, for programs'),
  }),
  /** Result of a checkout. */
  z.object({ plan: z.string().describe('Plan of the workspace') }),
])

export const Handoff = z.object({
  id: z.uuid().describe('Id of the hand-off'),
  kind: z.enum(['connect', 'checkout']).describe('Whether the person connects an account or pays for a plan'),
  status: z.enum(['pending', 'completed', 'failed', 'cancelled']).describe('How far the person has come'),
  url: z.url().describe('Link for the person who connects the account'),
  start_url: z.url().describe('Link for a user of an app: opens the consent page of the provider'),
  expires_at: ExpiresAt,
  created_at: CreatedAt,
  completed_at: Instant.nullable().describe('When it ended; null until then'),
  result: HandoffResult.nullable().describe('Result; null while it is pending'),
  last_attempt: z
    .object({
      at: Instant.describe('When it happened'),
      reason: z.enum(reasons).describe('Why the visit was refused or the connection failed, for programs'),
    })
    .nullable()
    .describe(
      'While pending: the last visit that was refused without ending the hand-off, such as `state_invalid` in another browser. The link still works. Null without one',
    ),
})
export type Handoff = z.input<typeof Handoff>

export const mintHandoff = endpoint({
  name: 'mintHandoff',
  method: 'POST',
  path: '/connections/{provider}/handoff',
  summary: 'Create a link that a person follows to connect an account',
  description:
    'Send users of your app to `start_url`. Send `url` to people outside an app: it shows a page first. Then poll the hand-off. Both links work for 45 minutes or until the hand-off settles.',
  tag: 'connections',
  access: { kind: 'profile', scopes: ['connections:write'] },
  params: z.object({ provider: HandoffProvider }),
  body: z.strictObject({
    profile_id: ProfileId.optional(),
    return_url: z
      .string()
      .max(10_000)
      .optional()
      .describe(
        'Where the person is redirected afterwards; its origin must be in `allowed_return_origins` or `redirect_uris` of the app',
      ),
    shop: z.string().min(1).max(500).optional().describe('Name or domain of the store'),
  }),
  reply: Handoff,
  errors: ['invalid_parameter', 'not_found', 'validation_error'],
  example: { params: { provider: 'cardpay' }, body: {} },
})

export const getHandoff = endpoint({
  name: 'getHandoff',
  method: 'GET',
  path: '/handoffs/{id}',
  summary: 'Poll a hand-off',
  description:
    'The status is `pending` until the person has finished. Then it is `completed`, with the connection or with `pending_selection` if an account must be chosen; `failed` with a reason (`handoff_expired` after 45 minutes); or `cancelled`. Poll every few seconds. An app reads only the hand-offs that it created.',
  tag: 'connections',
  access: { kind: 'bearer' },
  params: z.object({ id: z.uuid().describe('Id of the hand-off') }),
  reply: Handoff,
  /** `profile_id` for a connection, `workspace_id` for a checkout. */
  meta: { profile_id: ProfileId.optional(), workspace_id: WorkspaceId.optional() },
  errors: ['not_found', 'insufficient_scope'],
})
