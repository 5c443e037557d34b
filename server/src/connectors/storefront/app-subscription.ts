/**
 * Plans paid through the store platform: the merchant approves a recurring charge of the app on the platform's page
 * (https://shopify.dev/docs/apps/launch/billing/subscription-billing, read 2026-11-17).
 */
import { z } from 'zod'
import { type ProviderApp, ProviderError, type Session } from '../connector.ts'
import { providerMessageIn } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { graphql } from './graphql.ts'
import { appSubscriptionCreate, appSubscriptionQuery } from './queries.ts'

export type StorePlan = 'growth' | 'agency'
const planNames: Record<StorePlan, string> = { growth: 'Growth', agency: 'Agency' }

/** Monthly price of the plan; undefined if the deployment sells no plans through the store platform. */
export function storePriceOf(
  app: ProviderApp,
  plan: StorePlan,
): { amount: string; currencyCode: string } | undefined {
  const amount = plan === 'growth' ? app.extra.planGrowth : app.extra.planAgency
  return amount === undefined ? undefined : { amount, currencyCode: app.extra.planCurrency ?? 'USD' }
}

const Created = z.looseObject({
  appSubscriptionCreate: z.looseObject({
    appSubscription: z.looseObject({ id: z.string().min(1) }).nullish(),
    confirmationUrl: text,
    userErrors: z.array(z.looseObject({ message: text })),
  }),
})

export async function createAppSubscription(
  session: Session,
  offer: { plan: StorePlan; price: { amount: string; currencyCode: string }; returnUrl: string },
): Promise<{ id: string; confirmationUrl: string }> {
  const recurring = { price: offer.price, interval: 'EVERY_30_DAYS' }
  const variables = {
    name: planNames[offer.plan],
    returnUrl: offer.returnUrl,
    lineItems: [{ plan: { appRecurringPricingDetails: recurring } }],
  }
  const { http, app, token } = session
  const { data } = await graphql(http, app, token, appSubscriptionCreate, variables, Created)
  const { appSubscription, confirmationUrl, userErrors } = data.appSubscriptionCreate
  if (!appSubscription || confirmationUrl === null)
    throw new ProviderError('rejected', 'The store did not create the subscription', {
      providerMessage: providerMessageIn(userErrors[0]?.message),
    })
  return { id: appSubscription.id, confirmationUrl }
}

const Found = z.looseObject({
  node: z.looseObject({ name: text, status: text, createdAt: text, currentPeriodEnd: text }).nullable(),
})

export type StoreSubscription = {
  plan: StorePlan | null
  status: 'pending' | 'active' | 'past_due' | 'canceled'
  periodEnd: Date | null
}

/** Reads the subscription from the platform. */
export async function readAppSubscription(session: Session, id: string): Promise<StoreSubscription> {
  const { http, app, token } = session
  const { node } = (await graphql(http, app, token, appSubscriptionQuery, { id }, Found)).data
  const plans = Object.keys(planNames) as StorePlan[]
  return {
    plan: plans.find((plan) => planNames[plan] === node?.name) ?? null,
    status: statusOf(node?.status ?? null),
    periodEnd: node?.currentPeriodEnd ? new Date(node.currentPeriodEnd) : null,
  }
}

function statusOf(status: string | null): StoreSubscription['status'] {
  switch (status) {
    case 'ACTIVE':
      return 'active'
    case 'FROZEN':
      return 'past_due'
    case 'PENDING':
    case 'ACCEPTED':
      return 'pending'
    default:
      return 'canceled'
  }
}
