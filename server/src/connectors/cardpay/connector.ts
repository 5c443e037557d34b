/** Cardpay speaks Stripe's public protocol: Connect OAuth, then the platform's key with `Stripe-Account`. */
import { z } from 'zod'
import type { Connector } from '../connector.ts'
import { readOauthCallback } from '../oauth-callback.ts'
import { callJson } from '../provider-http.ts'
import { flag, text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { call, deauthorizeRefusal, oauthBase, refusal } from './calls.ts'
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

export const cardpay: Connector = {
  provider: 'cardpay',
  accountKind: 'account',
  exclusiveAccount: true,
  authorizeUrl(app, request) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId,
      scope: 'read_write',
      redirect_uri: request.redirectUri,
      state: request.state,
    })
    return `${app.authorizeBaseUrl}/oauth/authorize?${query}`
  },
  readCallback: (_app, query) => readOauthCallback(query),
  async exchange(http, app, args) {
    const token = await callJson(http, {
      url: `${oauthBase(app)}/oauth/token`,
      form: { grant_type: 'authorization_code', code: args.code, client_secret: app.clientSecret },
      schema: Token,
      refusal,
    })
    return {
      accessToken: token.access_token,
      refreshToken: token.refresh_token,
      expiresAt: null,
      scopes: token.scope === null ? [] : token.scope.split(/[ ,]/),
      extra: { accountId: token.stripe_user_id },
    }
  },
  // The grant itself carries the access: the platform's key with the account's id never expires.
  refresh: null,
  async revoke(http, app, token) {
    await endGrant(
      callJson(http, {
        url: `${oauthBase(app)}/oauth/deauthorize`,
        form: { client_id: app.clientId, stripe_user_id: token.extra.accountId ?? '' },
        bearer: app.clientSecret,
        schema: z.looseObject({ stripe_user_id: z.string() }),
        refusal: deauthorizeRefusal,
      }),
    )
  },
  /** One consent grants one account; one that cannot take charges has nothing to connect. */
  async listAccounts(http, app, token) {
    const id = token.extra.accountId ?? ''
    const account = await call(http, app, id, '/v1/account', AccountReply)
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
  syncPage,
  verifyWebhook,
  mapWebhook,
  readBack,
}
