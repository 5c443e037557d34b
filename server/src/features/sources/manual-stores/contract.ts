import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { providerErrors } from '../connections/provider-errors.ts'

const tag = 'integrations'
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

export const ManualStore = z.object({
  id: z.uuid(),
  shop: z.string(),
  webhook_url: z.url(),
  signing_id_set: z.boolean(),
  status: z.enum(['awaiting_signing_id', 'connected']),
  created_at: Instant,
})

const byConnection = z.object({ connectionId: z.uuid() })

export const listManualStores = endpoint({
  name: 'listManualStores',
  method: 'GET',
  path: '/integrations/storefront/manual-connections',
  summary: 'List the manual store webhook connections',
  description: "Includes the address to enter in the store's webhook settings.",
  tag,
  access: reads,
  reply: z.array(ManualStore),
})

export const createManualStore = endpoint({
  name: 'createManualStore',
  method: 'POST',
  path: '/integrations/storefront/manual-connections',
  summary: 'Create a manual store webhook connection',
  description:
    'For stores that do not install the app: they post their webhooks to the `webhook_url` of the response.',
  tag,
  access: writes,
  body: z.strictObject({ shop: z.string().min(1).max(500) }),
  reply: ManualStore,
  statuses: [201],
  errors: ['invalid_parameter', 'invalid_state', 'account_connected_elsewhere'],
})

export const setSigningId = endpoint({
  name: 'setSigningId',
  method: 'PATCH',
  path: '/integrations/storefront/manual-connections/{connectionId}',
  summary: 'Store the store’s webhook signing id',
  description: 'Webhooks are refused until the signing id is stored, because it verifies their signature.',
  tag,
  access: writes,
  params: byConnection,
  body: z.strictObject({ signing_id: z.string().trim().min(8).max(500) }),
  reply: ManualStore,
  errors: ['not_found'],
})

export const deleteManualStore = endpoint({
  name: 'deleteManualStore',
  method: 'DELETE',
  path: '/integrations/storefront/manual-connections/{connectionId}',
  summary: 'Remove a manual store webhook connection',
  description: 'Later webhooks of the store are refused. Data that was already received remains.',
  tag,
  access: writes,
  params: byConnection,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})

export const activateWebPixel = endpoint({
  name: 'activateWebPixel',
  method: 'POST',
  path: '/integrations/storefront/web-pixel/activate',
  summary: 'Install the store app’s web pixel again',
  description: 'For a store whose pixel was removed manually. The store must be connected.',
  tag,
  access: writes,
  reply: z.object({ status: z.string(), web_pixel_id: z.string() }),
  errors: [...providerErrors],
})
