import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const createCheckoutSession = endpoint({
  name: 'createCheckoutSession',
  method: 'POST',
  path: '/workspaces/{workspaceId}/checkout-session',
  summary: 'Create a checkout link for a plan upgrade',
  description:
    'Where the workspace already pays, the link leads to the payment provider’s page that confirms the change of plan with its proration. Answers 409 for the plan that is paid and for plans billed by a store, 503 while billing is not configured on the deployment.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams,
  body: z.strictObject({ plan: z.enum(['growth', 'agency']) }),
  reply: z.object({ id: z.uuid(), url: z.string(), expires_at: Instant }),
  statuses: [201],
  errors: ['invalid_state', 'service_unavailable'],
})

export const createBillingPortalSession = endpoint({
  name: 'createBillingPortalSession',
  method: 'POST',
  path: '/workspaces/{workspaceId}/billing-portal-session',
  summary: "Open the payment provider's customer portal",
  description: 'Answers 503 while billing is not configured on the deployment.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams,
  body: z.strictObject({}),
  reply: z.object({ url: z.string() }),
  statuses: [201],
  errors: ['service_unavailable'],
})

export const selectStorePlan = endpoint({
  name: 'selectStorePlan',
  method: 'POST',
  path: '/workspaces/{workspaceId}/storefront-plan-selection',
  summary: 'Choose a plan that the store platform bills',
  description:
    'For workspaces that came from the app market of the store platform. Replies a hand-off like that of a checkout: the merchant approves the charge on the store platform’s page. The plan changes only once the store platform itself reports the subscription as active; the return from its page proves nothing. Answers 409 for other workspaces and where no store is connected, 503 while the deployment has no prices for the store platform.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams,
  body: z.strictObject({ plan: z.enum(['growth', 'agency']) }),
  reply: z.object({ id: z.uuid(), url: z.string(), expires_at: Instant }),
  statuses: [201],
  errors: ['invalid_state', 'service_unavailable', 'provider_error'],
})
