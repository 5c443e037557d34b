/**
 * Microsoft 365 and Outlook.com: consent to send, and sending as MIME. Forms from Microsoft's references, read on
 * 2026-11-17: OAuth 2.0 authorization code flow of the identity platform, `user: sendMail` and "Send emails with MIME content".
 */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type Connector, type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { readOauthCallback } from '../oauth-callback.ts'
import { callJson } from '../provider-http.ts'
import { id, text } from '../reply-fields.ts'
import { composeWithin, noRecords, withoutMail } from '../sent-mail.ts'
import { versionedBase } from '../versions.ts'
import { toExpiry } from '../window.ts'
import { graphRefusal, refusalOf, tokenRefusal } from './refusals.ts'

const scopes = [
  'offline_access',
  'https://graph.microsoft.com/Mail.Send',
  'https://graph.microsoft.com/User.Read',
]

/** The request takes 4 MB, and the mail is written in base64. */
const MAX_BYTES = 3_000_000

const Token = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.number().nullish(),
  refresh_token: text,
  scope: text,
})
const Me = z.looseObject({ id, displayName: text, mail: text, userPrincipalName: text })

/** `common` takes work, school and personal accounts; a registration of one tenant names it. */
const oauthUrl = (app: ProviderApp, call: 'authorize' | 'token') =>
  `${app.authorizeBaseUrl}/${app.extra.tenant ?? 'common'}/oauth2/v2.0/${call}`

async function requestToken(
  http: Outbound,
  app: ProviderApp,
  form: Record<string, string>,
  before: TokenSet | null,
  now: Date,
): Promise<TokenSet> {
  const token = await callJson(http, {
    url: oauthUrl(app, 'token'),
    form: { client_id: app.clientId, client_secret: app.clientSecret, scope: scopes.join(' '), ...form },
    schema: Token,
    refusal: tokenRefusal,
  })
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token ?? before?.refreshToken ?? null,
    expiresAt: toExpiry(token.expires_in, now),
    scopes: token.scope?.split(' ') ?? before?.scopes ?? [],
    extra: before?.extra ?? {},
  }
}

export const microsoftMail: Connector = {
  provider: 'microsoft_mail',
  accountKind: 'account',
  exclusiveAccount: false,
  authorizeUrl(app, request) {
    const url = new URL(oauthUrl(app, 'authorize'))
    url.search = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: request.redirectUri,
      response_type: 'code',
      response_mode: 'query',
      scope: scopes.join(' '),
      state: request.state,
      prompt: 'select_account',
      code_challenge: request.codeChallenge,
      code_challenge_method: 'S256',
    }).toString()
    return url.toString()
  },
  readCallback: (_, query) => readOauthCallback(query),
  async exchange(http, app, args) {
    const form = {
      grant_type: 'authorization_code',
      code: args.code,
      redirect_uri: args.redirectUri,
      code_verifier: args.codeVerifier,
    }
    const token = await requestToken(http, app, form, null, args.now)
    // Answered with and without the resource before it.
    if (token.scopes.some((scope) => /(^|\/)Mail\.Send$/i.test(scope))) return token
    throw new ProviderError('permission_missing', 'The person did not grant the permission', {
      providerCode: 'scope_missing',
    })
  },
  async refresh(http, app, token, now) {
    if (token.refreshToken === null) throw new ProviderError('invalid_grant', 'There is no refresh token')
    const form = { grant_type: 'refresh_token', refresh_token: token.refreshToken }
    return requestToken(http, app, form, token, now)
  },
  /** The platform has no call that ends one app's grant: the tokens are forgotten and expire. */
  async revoke() {},
  async listAccounts(http, app, token) {
    const me = await callJson(http, {
      url: `${versionedBase(app.apiBaseUrl, 'microsoft_mail')}/me`,
      query: { $select: 'id,displayName,mail,userPrincipalName' },
      bearer: token.accessToken,
      schema: Me,
      refusal: graphRefusal,
    })
    const address = me.mail ?? me.userPrincipalName
    if (address === null) return []
    const account = { id: me.id, name: address, kind: 'account', currency: null, timezone: null } as const
    return [{ ...account, tokenExtra: { address, senderName: me.displayName ?? '' } }]
  },
  mail: {
    async send({ http, app, token }, mail) {
      const from = { name: token.extra.senderName ?? '', address: token.extra.address ?? '' }
      const mime = await composeWithin(mail, from, MAX_BYTES)
      await withoutMail(
        callJson(http, {
          method: 'POST',
          url: `${versionedBase(app.apiBaseUrl, 'microsoft_mail')}/me/sendMail`,
          bearer: token.accessToken,
          raw: { contentType: 'text/plain', bytes: Buffer.from(mime.toString('base64')) },
          schema: z.unknown(),
          refusal: graphRefusal,
          once: true,
        }),
        mail,
      )
      return null
    },
    refusalOf,
  },
  syncPage: noRecords,
  verifyWebhook: null,
  mapWebhook: null,
  readBack: null,
}
