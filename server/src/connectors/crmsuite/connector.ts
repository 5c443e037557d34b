/** HighLevel's public API: an app is installed on a location, tokens rotate daily. */

import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { codeOAuth } from '../code-oauth.ts'
import type { Account, Connector, ProviderApp, TokenSet } from '../connector.ts'
import { Token, toTokenSet } from '../oauth-token.ts'
import { callJson } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { appIdOf, call, openLocation, readLocation } from './calls.ts'
import { readBack, syncPage } from './sync.ts'
import { mapWebhook, verifyWebhook } from './webhooks.ts'

const scopes = [
  'contacts.readonly',
  'opportunities.readonly',
  'calendars.readonly',
  'calendars/events.readonly',
  'locations.readonly',
  'oauth.readonly',
  'oauth.write',
]

const InstallToken = Token.extend({
  expires_in: z.number().positive(),
  userType: text,
  locationId: text,
  companyId: text,
})

async function requestToken(
  http: Outbound,
  app: ProviderApp,
  now: Date,
  form: Record<string, string>,
): Promise<TokenSet> {
  const token = await callJson(http, {
    url: `${app.apiBaseUrl}/oauth/token`,
    form: { client_id: app.clientId, client_secret: app.clientSecret, ...form },
    schema: InstallToken,
  })
  return toTokenSet(token, now, {
    userType: token.userType ?? 'Location',
    locationId: token.locationId ?? '',
    companyId: token.companyId ?? '',
  })
}

const InstalledPage = z.looseObject({
  locations: z.array(z.looseObject({ _id: z.string().min(1), name: text })),
})

/** An agency may have approved many locations in one consent. */
async function listInstalled(http: Outbound, app: ProviderApp, token: TokenSet): Promise<Account[]> {
  const limit = 100
  const accounts: Account[] = []
  for (;;) {
    const page = await call(http, app, token.accessToken, '/oauth/installedLocations', {
      query: {
        companyId: token.extra.companyId ?? '',
        appId: appIdOf(app),
        isInstalled: 'true',
        skip: accounts.length,
        limit,
      },
      schema: InstalledPage,
    })
    for (const { _id: id, name } of page.locations) {
      accounts.push({ id, name: name ?? id, kind: 'location', currency: null, timezone: null })
    }
    if (page.locations.length < limit) return accounts
  }
}

const Pipelines = z.looseObject({
  pipelines: z.array(
    z.looseObject({
      id: z.string().min(1),
      name: text,
      stages: z.array(z.looseObject({ id: z.string().min(1), name: text, position: z.number().nullish() })),
    }),
  ),
})

export const crmsuite: Connector = {
  provider: 'crmsuite',
  accountKind: 'location',
  exclusiveAccount: true,
  oauth: codeOAuth({
    // The page moved below /v2 on 2026-05-27; a setting that already contains this part is accepted too.
    authorizeUrl: (app) => `${app.authorizeBaseUrl.replace(/\/v2\/?$/, '')}/v2/oauth/chooselocation`,
    query: { response_type: 'code', scope: scopes.join(' '), loginWindowOpenMode: 'self' },
    requestToken,
    codeForm: ({ redirectUri }) => ({ user_type: 'Location', redirect_uri: redirectUri }),
    refreshForm: ({ extra }) => ({ user_type: extra.userType ?? 'Location' }),
    /** Uninstalls the app from the location, or from the agency that approved it. */
    async revoke(http, app, token) {
      const company = token.extra.userType === 'Company'
      const path = `/marketplace/app/${encodeURIComponent(appIdOf(app))}/installations`
      await endGrant(
        call(http, app, token.accessToken, path, {
          method: 'DELETE',
          json: company ? { companyId: token.extra.companyId } : { locationId: token.extra.locationId },
          schema: z.unknown(),
        }),
      )
    },
  }),
  async listAccounts(http, app, token) {
    if (token.extra.userType === 'Company') return listInstalled(http, app, token)
    const accountId = token.extra.locationId ?? ''
    const location = await readLocation(await openLocation({ http, app, token, accountId }), accountId)
    return [{ ...location, kind: 'location' }]
  },
  sync: { page: syncPage },
  webhooks: { verify: verifyWebhook, map: mapWebhook, readBack },
  pipelines: {
    async list(session) {
      const open = await openLocation(session)
      const query = { locationId: session.accountId }
      const { pipelines } = await open('/opportunities/pipelines', { query, schema: Pipelines })
      return pipelines.map((pipeline) => ({
        id: pipeline.id,
        name: pipeline.name ?? pipeline.id,
        stages: pipeline.stages.map((stage, index) => ({
          id: stage.id,
          name: stage.name ?? stage.id,
          position: stage.position ?? index,
        })),
      }))
    },
  },
}
