import { type Route, route } from '../../../platform/http/route.ts'
import { createBillingPortalSession, createCheckoutSession } from './contract.ts'
import * as billing from './operations.ts'

export const billingRoutes: readonly Route[] = [
  route(createCheckoutSession, async (context, { params, body }) => ({
    data: await billing.createCheckoutSession(context.service, context.db, {
      workspaceId: params.workspaceId,
      plan: body.plan,
    }),
  })),
  route(createBillingPortalSession, async (context) => ({
    data: { url: await billing.createBillingPortalSession(context) },
  })),
]
