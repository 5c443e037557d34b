/** Microsoft 365 and Outlook calendars by Microsoft Graph, read only. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { liveEvents } from '../calendar-events.ts'
import type { Calendars } from '../calendars.ts'
import { type Connector, type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { readOauthCallback } from '../oauth-callback.ts'
import { callJson } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { readable } from '../set-aside.ts'
import { toExpiry } from '../window.ts'
import { call, queryOf } from './calls.ts'
import { EventPage, toLiveEvent, User } from './mapping.ts'
import { listCalendars, prefer, syncPage } from './sync.ts'

const READ = 'Calendars.Read'
const scopes = ['offline_access', 'User.Read', READ]

const oauthBase = (app: ProviderApp) => `${app.authorizeBaseUrl}/${app.extra.tenant ?? 'common'}/oauth2/v2.0`

const Token = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.number().nullish(),
  refresh_token: text,
  scope: text,
})

async function requestToken(
  http: Outbound,
  app: ProviderApp,
  form: Record<string, string>,
  before: TokenSet | null,
  now: Date,
): Promise<TokenSet> {
  const token = await callJson(http, {
    url: `${oauthBase(app)}/token`,
    form: { client_id: app.clientId, client_secret: app.clientSecret, scope: scopes.join(' '), ...form },
    schema: Token,
  })
  return {
    accessToken: token.access_token,
    // Each renewal brings a new one; the last one is kept where it does not.
    refreshToken: token.refresh_token ?? before?.refreshToken ?? null,
    expiresAt: toExpiry(token.expires_in, now),
    scopes: token.scope?.split(' ') ?? before?.scopes ?? [],
    extra: before?.extra ?? {},
  }
}

/** Scopes come back with or without the address of the API in front. */
const isGranted = ({ scopes: granted }: TokenSet) =>
  granted.some((scope) => scope === READ || scope.endsWith(`/${READ}`))

const calendars: Calendars = {
  async listEvents(session, calendarId, { from, until, limit, after }) {
    const first = new URLSearchParams({
      startDateTime: from.toISOString(),
      endDateTime: until.toISOString(),
      $orderby: 'start/dateTime',
      $top: String(limit),
    })
    if (after !== null) first.set('$skip', after)
    const page = await call(
      session,
      `/me/calendars/${encodeURIComponent(calendarId)}/calendarView?${first}`,
      {
        schema: EventPage,
        headers: { prefer },
      },
    )
    const link = page['@odata.nextLink']
    const ownEmail = session.token.extra.email ?? ''
    return {
      events: liveEvents(readable(page.value), (event) => toLiveEvent(event, ownEmail)),
      after: link === null ? null : new URLSearchParams(queryOf(link)).get('$skip'),
    }
  },
  create: null,
  share: null,
}

export const externalCalendar: Connector = {
  provider: 'external_calendar',
  accountKind: 'account',
  exclusiveAccount: false,
  authorizeUrl(app, request) {
    const query = new URLSearchParams({
      client_id: app.clientId,
      response_type: 'code',
      response_mode: 'query',
      redirect_uri: request.redirectUri,
      scope: scopes.join(' '),
      state: request.state,
      prompt: 'select_account',
      code_challenge: request.codeChallenge,
      code_challenge_method: 'S256',
    })
    return `${oauthBase(app)}/authorize?${query}`
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
    if (!isGranted(token))
      throw new ProviderError('permission_missing', 'The person did not grant the permission', {
        providerCode: 'scope_missing',
      })
    return token
  },
  async refresh(http, app, token, now) {
    if (token.refreshToken === null) throw new ProviderError('invalid_grant', 'There is no refresh token')
    const form = { grant_type: 'refresh_token', refresh_token: token.refreshToken }
    return requestToken(http, app, form, token, now)
  },
  /** The platform has no call that ends one app's tokens; a person removes the app in the account's settings. */
  async revoke() {},
  async listAccounts(http, app, token) {
    const user = await call({ http, app, token }, '/me', { schema: User })
    const email = user.mail ?? user.userPrincipalName
    try {
      if ((await listCalendars({ http, app, token })).entries.length === 0) return []
    } catch (error) {
      // A user without a mailbox has no calendar.
      if (error instanceof ProviderError && error.providerCode === 'MailboxNotEnabledForRESTAPI') return []
      throw error
    }
    return [
      {
        id: user.id,
        name: email ?? user.displayName ?? user.id,
        kind: 'account' as const,
        currency: null,
        timezone: null,
        tokenExtra: { email: email ?? '' },
      },
    ]
  },
  syncPage,
  verifyWebhook: null,
  mapWebhook: null,
  readBack: null,
  calendars,
}
