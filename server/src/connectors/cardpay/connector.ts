/**
 * Stripe's public API: OAuth of a Stripe App, which the account installs; its
 * tokens live an hour and are renewed with a refresh token that is replaced each time. Source:
 * https://docs.stripe.com/stripe-apps/api-authentication/oauth, read 2026-11-16.
 */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { codeOAuth } from '../code-oauth.ts'
import { type Account, type Connector, type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { flag, text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { call, deauthorizeRefusal, tokenRefusal } from './calls.ts'
import { readBack, syncPage } from './sync.ts'
import { mapWebhook, verifyWebhook } from './webhooks.ts'

const Token = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: text,
  stripe_user_id: z.string().min(1),
  scope: text,
  livemode: flag,
})

const AccountReply = z.looseObject({
  id: z.string().min(1),
  charges_enabled: flag,
  default_currency: text,
  email: text,
  business_profile: z.looseObject({ name: text }).nullish(),
  settings: z
    .looseObject({ dashboard: z.looseObject({ display_name: text, timezone: text }).nullish() })
    .nullish(),
})

/** From the platform's page; the token response has no lifetime. */
const ACCESS_LIFE_MS = 3_600_000

async function requestToken(
  http: Outbound,
  app: ProviderApp,
  now: Date,
  form: Record<string, string>,
): Promise<TokenSet> {
  const token = await callJson(http, {
    url: `${app.apiBaseUrl}/v1/oauth/token`,
    bearer: app.clientSecret,
    form,
    schema: Token,
    refusal: tokenRefusal,
  })
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token,
    expiresAt: new Date(now.getTime() + ACCESS_LIFE_MS).toISOString(),
    scopes: token.scope === null ? [] : token.scope.split(/[ ,]/),
    extra: { accountId: token.stripe_user_id },
  }
}

/** Null if the app may not read the account. */
async function readAccount(http: Outbound, app: ProviderApp, token: TokenSet) {
  try {
    return await call(http, app, token, '/v1/account', AccountReply)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'permission_missing') return null
    throw error
  }
}

const unnamedAccount = (id: string): Account => ({
  id,
  name: id,
  kind: 'account',
  currency: null,
  timezone: null,
})

export const cardpay: Connector = {
  provider: 'cardpay',
  accountKind: 'account',
  exclusiveAccount: true,
  oauth: codeOAuth({
    authorizeUrl: (app) => `${app.authorizeBaseUrl}/oauth/v2/authorize`,
    query: {},
    requestToken,
    codeForm: () => ({}),
    async revoke(http, app, token) {
      await endGrant(
        callJson(http, {
          url: `${app.apiBaseUrl}/v1/oauth/deauthorize`,
          form: { client_id: app.clientId, stripe_user_id: token.extra.accountId ?? '' },
          bearer: app.clientSecret,
          schema: z.looseObject({ stripe_user_id: z.string() }),
          refusal: deauthorizeRefusal,
        }),
      )
    },
  }),
  /**
   * One consent covers one account, whose id is in the token response. Name, currency and time zone need a permission that an
   * app may not have. An account that cannot accept charges is not offered.
   */
  async listAccounts(http, app, token) {
    const account = await readAccount(http, app, token)
    if (account === null) return [unnamedAccount(token.extra.accountId!)]
    if (account.charges_enabled === false) return []
    const dashboard = account.settings?.dashboard
    return [
      {
        id: account.id,
        name: account.business_profile?.name ?? dashboard?.display_name ?? account.email ?? account.id,
        kind: 'account',
        currency: account.default_currency?.toUpperCase() ?? null,
        timezone: dashboard?.timezone ?? null,
      },
    ]
  },
  sync: { page: syncPage },
  webhooks: { verify: verifyWebhook, map: mapWebhook, readBack },
}
