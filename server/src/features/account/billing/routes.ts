import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as billing from './operations.ts'
import * as storePlans from './store-plans.ts'

export const billingRoutes: readonly Route[] = [
  route(contract.createCheckoutSession, async (context, { params, body }) => ({
    data: await billing.createCheckoutSession(context.service, context.db, {
      workspaceId: params.workspaceId,
      plan: body.plan,
    }),
  })),
  ...bind(contract, {
    createBillingPortalSession: billing.createBillingPortalSession,
    selectStorePlan: storePlans.selectStorePlan,
  }),
]
