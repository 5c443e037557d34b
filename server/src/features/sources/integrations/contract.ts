import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Connection } from '../connections/contract.ts'

const tag = 'integrations'
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const
const providerErrors = [
  'not_found',
  'connection_not_ready',
  'connection_revoked',
  'provider_error',
  'service_unavailable',
  'provider_not_configured',
] as const

export const ManualStore = z.object({
  id: z.uuid(),
  shop: z.string(),
  webhook_url: z.url(),
  signing_id_set: z.boolean(),
  status: z.enum(['awaiting_signing_id', 'connected']),
  created_at: z.iso.datetime(),
})
const byConnection = z.object({ connectionId: z.uuid() })

export const listManualStores = endpoint({
  name: 'listManualStores',
  method: 'GET',
  path: '/integrations/storefront/manual-connections',
  summary: 'List the stores that post their webhooks by hand',
  description: "With the address to type into the store's webhook settings.",
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
    'For stores that do not install the app: they post their webhooks to the address that is answered.',
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
  description: 'Webhooks are refused until their signature can be checked.',
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
  description: 'What the store posts afterwards is refused; what it sent stays.',
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
  description: 'For a store whose pixel was removed by hand; the connection must be live.',
  tag,
  access: writes,
  reply: z.object({ status: z.string(), web_pixel_id: z.string() }),
  errors: [...providerErrors],
})

export const SocialPage = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  tracked: z.boolean(),
})

export const listPages = endpoint({
  name: 'listPages',
  method: 'GET',
  path: '/integrations/social/pages',
  summary: 'List the tracked pages',
  description: 'Pages whose lead forms are received.',
  tag,
  access: reads,
  reply: z.array(SocialPage),
})

export const listAvailablePages = endpoint({
  name: 'listAvailablePages',
  method: 'GET',
  path: '/integrations/social/pages/available',
  summary: 'List the pages that the connected account can see, live',
  description: 'Asks the platform at the time of the call.',
  tag,
  access: reads,
  reply: z.array(SocialPage),
  errors: [...providerErrors],
})

export const trackPages = endpoint({
  name: 'trackPages',
  method: 'POST',
  path: '/integrations/social/pages',
  summary: 'Select which pages to track; replaces the set',
  description:
    'Pages left out are unsubscribed at the platform, new ones subscribed; leads of the others are not received.',
  tag,
  access: writes,
  body: z.strictObject({ page_ids: z.array(z.string().min(1).max(100)).max(200) }),
  reply: z.array(SocialPage),
  errors: [...providerErrors],
})

export const getChatbot = endpoint({
  name: 'getChatbot',
  method: 'GET',
  path: '/integrations/chatbot/connection',
  summary: 'Read the chatbot connection',
  description: 'Where conversations of the chatbot are received; null where none is set up.',
  tag,
  access: reads,
  reply: Connection,
  errors: ['not_found'],
})

export const saveChatbot = endpoint({
  name: 'saveChatbot',
  method: 'POST',
  path: '/integrations/chatbot/connection',
  summary: 'Create or update the chatbot connection',
  description: 'Fields that are left out keep their values.',
  tag,
  access: writes,
  body: z.strictObject({
    api_key: z.string().trim().min(8).max(1000),
    display_name: z.string().trim().min(1).max(200).optional(),
  }),
  reply: Connection,
})

export const prefillOutcomes = endpoint({
  name: 'prefillOutcomes',
  method: 'GET',
  path: '/integrations/crmsuite/outcomes/prefill',
  summary: 'Suggest outcome mappings from the CRM’s pipeline stages',
  description: 'Guesses from the names of the stages; nothing is saved.',
  tag,
  access: reads,
  reply: z.object({
    mappings: z.array(
      z.object({
        pipeline_id: z.string(),
        pipeline_name: z.string(),
        stage_id: z.string(),
        stage_name: z.string(),
        outcome_type: z.string().nullable(),
      }),
    ),
  }),
  errors: [...providerErrors],
})

export const startBankLink = endpoint({
  name: 'startBankLink',
  method: 'POST',
  path: '/integrations/banklink/link/start',
  summary: 'Start a bank link',
  description:
    'Send the person to `url`. The connection comes by itself when they are done (`connection.connected`); `link/connect` with the `link_token` answers it.',
  tag,
  access: writes,
  reply: z.object({ link_token: z.string(), url: z.url(), expires_at: z.iso.datetime() }),
  errors: ['not_implemented', 'provider_error', 'service_unavailable', 'provider_not_configured'],
})

export const connectBankLink = endpoint({
  name: 'connectBankLink',
  method: 'POST',
  path: '/integrations/banklink/link/connect',
  summary: 'Finish a bank link and keep the connection',
  description:
    'With the `link_token` of `link/start` once the person is done (again: the same connection), or with the public token where a page of yours received it.',
  tag,
  access: writes,
  body: z
    .strictObject({
      link_token: z.string().min(1).max(500).optional(),
      public_token: z.string().min(1).max(500).optional(),
    })
    .refine(
      (body) => (body.link_token === undefined) !== (body.public_token === undefined),
      'give one of link_token and public_token',
    ),
  example: { body: { public_token: 'public-sandbox-0' } },
  reply: Connection,
  statuses: [201],
  errors: [
    'not_implemented',
    'invalid_parameter',
    'account_connected_elsewhere',
    'provider_error',
    'service_unavailable',
    'provider_not_configured',
  ],
})
