import { z } from 'zod'
import { providers } from '../../../connectors/connector.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { reasons } from './rules.ts'

export const ProviderParam = z.enum(providers, { error: `must be one of ${providers.join(', ')}` })

export const HandoffResult = z.union([
  z.object({ provider: z.string(), connection_id: z.uuid() }),
  z.object({
    provider: z.string(),
    pending_selection: z.object({ candidate_count: z.int(), expires_at: Instant }),
  }),
  z.object({ provider: z.string().optional(), reason: z.enum(reasons) }),
  /** Result of a checkout. */
  z.object({ plan: z.string() }),
])

export const Handoff = z.object({
  id: z.uuid(),
  kind: z.enum(['connect', 'checkout']),
  status: z.enum(['pending', 'completed', 'failed', 'cancelled']),
  url: z.url(),
  start_url: z.url(),
  expires_at: Instant,
  created_at: Instant,
  completed_at: Instant.nullable(),
  result: HandoffResult.nullable(),
  last_attempt: z
    .object({ at: Instant, reason: z.enum(reasons) })
    .nullable()
    .describe(
      'While pending: the last visit that was refused without ending the hand-off, such as `state_invalid` in another browser. The link still works.',
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
  params: z.object({ provider: ProviderParam }),
  body: z.strictObject({
    profile_id: z.uuid().optional(),
    return_url: z.string().max(10_000).optional(),
    shop: z.string().min(1).max(500).optional(),
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
  params: z.object({ id: z.uuid() }),
  reply: Handoff,
  /** `profile_id` for a connection, `workspace_id` for a checkout. */
  meta: { profile_id: z.uuid().optional(), workspace_id: z.uuid().optional() },
  errors: ['not_found', 'insufficient_scope'],
})
