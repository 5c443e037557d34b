import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ExpiresAt, WorkspaceParams } from '../../../platform/contract/fields.ts'

export const createCheckoutSession = endpoint({
  name: 'createCheckoutSession',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/checkout-session',
  summary: 'Create a checkout link for a plan upgrade',
  description:
    'If the workspace already has a paid subscription, the link opens the payment provider’s page to confirm the change of plan with its proration. Returns 409 if the plan is already paid or a store bills the workspace, and 503 if billing is not configured on the deployment.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams,
  body: z.strictObject({ plan: z.enum(['growth', 'agency']).describe('Plan of the workspace') }),
  reply: z.object({
    id: z.uuid().describe('Id of the checkout session'),
    url: z.string().describe('Page on which the person pays'),
    expires_at: ExpiresAt,
  }),
  statuses: [201],
  errors: ['invalid_state', 'service_unavailable'],
})

export const createBillingPortalSession = endpoint({
  name: 'createBillingPortalSession',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/billing-portal-session',
  summary: "Open the payment provider's customer portal",
  description: 'Returns 503 if billing is not configured on the deployment.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams,
  body: z.strictObject({}),
  reply: z.object({ url: z.string().describe('Page on which the person manages the subscription') }),
  statuses: [201],
  errors: ['service_unavailable'],
})

export const selectStorePlan = endpoint({
  name: 'selectStorePlan',
  fresh: true,
  method: 'POST',
  path: '/workspaces/{workspaceId}/storefront-plan-selection',
  summary: 'Choose a plan that the store platform bills',
  description:
    'Only for workspaces installed from the store platform’s app market. Returns a hand-off, as for a checkout: the merchant approves the charge on the store platform’s page. The plan changes only when the store platform reports the subscription as active; returning from its page is not enough. Returns 409 for other workspaces and if no store is connected, and 503 if the deployment has no prices for the store platform.',
  tag: 'workspaces',
  access: { kind: 'workspace', role: 'owner' },
  params: WorkspaceParams,
  body: z.strictObject({ plan: z.enum(['growth', 'agency']).describe('Plan of the workspace') }),
  reply: z.object({
    id: z.uuid().describe('Id of the checkout session'),
    url: z.string().describe('Page on which the person pays'),
    expires_at: ExpiresAt,
  }),
  statuses: [201],
  errors: ['invalid_state', 'service_unavailable', 'provider_error'],
})
