import { type Route, route } from '../../../platform/http/route.ts'
import { createBillingPortalSession, createCheckoutSession, selectStorePlan } from './contract.ts'
import * as billing from './operations.ts'
import * as storePlans from './store-plans.ts'

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
  route(selectStorePlan, async (context, { body }) => ({
    data: await storePlans.selectStorePlan(context, body.plan),
  })),
]
