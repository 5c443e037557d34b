/** HubSpot: OAuth for one account, tokens that live half an hour, contacts, deals and forms of the CRM. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { codeOAuth } from '../code-oauth.ts'
import { type Connector, type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { maybeId, text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { toExpiry } from '../window.ts'
import { caller, callOauth, introspect, readAccount, version } from './calls.ts'
import { readBack, syncPage } from './sync.ts'
import { mapWebhook, readPrivacyRequest, splitBody, verifyWebhook } from './webhooks.ts'

const scopes = ['oauth', 'crm.objects.contacts.read', 'crm.objects.deals.read']
/** Optional, because accounts whose plan has no forms could not install an app that requires them. */
const optionalScopes = ['forms']

const Token = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: text,
  expires_in: z.number().positive(),
  scopes: z.array(z.string()).nullish(),
  hub_id: maybeId,
})

async function requestToken(
  http: Outbound,
  app: ProviderApp,
  now: Date,
  form: Record<string, string>,
): Promise<TokenSet> {
  const token = await callOauth(http, app, '', form, Token)
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token,
    expiresAt: toExpiry(token.expires_in, now),
    scopes: token.scopes ?? [],
    extra: token.hub_id === null ? {} : { hubId: token.hub_id },
  }
}

const Pipelines = z.looseObject({
  results: z.array(
    z.looseObject({
      id: z.string().min(1),
      label: text,
      stages: z.array(
        z.looseObject({ id: z.string().min(1), label: text, displayOrder: z.number().nullish() }),
      ),
    }),
  ),
})

export const hubspot: Connector = {
  provider: 'hubspot',
  accountKind: 'account',
  exclusiveAccount: true,
  oauth: codeOAuth({
    authorizeUrl: (app) => `${app.authorizeBaseUrl}/oauth/authorize`,
    query: { scope: scopes.join(' '), optional_scope: optionalScopes.join(' ') },
    hasPkce: true,
    requestToken,
    async revoke(http, app, token) {
      const form =
        token.refreshToken === null
          ? { token: token.accessToken, token_type_hint: 'access_token' }
          : { token: token.refreshToken, token_type_hint: 'refresh_token' }
      await endGrant(callOauth(http, app, '/revoke', form, z.unknown()))
    },
  }),
  /** A consent covers the one account that the person chose at HubSpot. */
  async listAccounts(http, app, token) {
    const hubId = await introspect(http, app, token)
    if (hubId === null) throw new ProviderError('invalid_grant', 'HubSpot no longer accepts the token')
    return [{ ...(await readAccount(caller({ http, app, token }), hubId)), kind: 'account' }]
  },
  sync: { page: syncPage },
  webhooks: { verify: verifyWebhook, map: mapWebhook, split: splitBody, readPrivacyRequest, readBack },
  pipelines: {
    async list(session) {
      const { results } = await caller(session)(`/crm/pipelines/${version}/deals`, { schema: Pipelines })
      return results.map((pipeline) => ({
        id: pipeline.id,
        name: pipeline.label ?? pipeline.id,
        stages: pipeline.stages.map((stage, index) => ({
          id: stage.id,
          name: stage.label ?? stage.id,
          position: stage.displayOrder ?? index,
        })),
      }))
    },
  },
}
