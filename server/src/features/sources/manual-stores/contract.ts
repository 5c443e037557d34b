import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt } from '../../../platform/contract/fields.ts'
import { providerErrors } from '../connections/provider-errors.ts'

const tag = 'integrations'
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

export const ManualStore = z.object({
  id: z.uuid().describe('Id of the manual store'),
  shop: z.string().describe('Name or domain of the store'),
  webhook_url: z.url().describe('URL to which the store sends its webhooks'),
  signing_id_set: z.boolean().describe('Whether a signing id is stored'),
  status: z.enum(['awaiting_signing_id', 'connected']).describe('Whether the store’s webhooks arrive'),
  created_at: CreatedAt,
})

const byConnection = z.object({ connectionId: z.uuid().describe('Id of the connection') })

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
  body: z.strictObject({ shop: z.string().min(1).max(500).describe('Name or domain of the store') }),
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
  body: z.strictObject({
    signing_id: z.string().trim().min(8).max(500).describe('Id that signs the webhooks of the store'),
  }),
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
  reply: z.object({
    status: z.string().describe('Whether the pixel is active in the store'),
    web_pixel_id: z.string().describe('The store’s id of the pixel'),
  }),
  errors: [...providerErrors],
})
