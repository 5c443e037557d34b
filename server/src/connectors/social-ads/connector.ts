/** Social ads speak the Graph API: an OAuth dialog, long-lived tokens, ad accounts, pages, datasets. */
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import {
  type CallbackMeaning,
  type CallbackQuery,
  type Connector,
  type ProviderApp,
  ProviderError,
  type Session,
  type TokenSet,
} from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { maybeId, text } from '../reply-fields.ts'
import { versionedBase } from '../versions.ts'
import { createCustomerList, removeFromCustomerList, uploadCustomerList } from './audiences.ts'
import { callGraph, graphRefusal, readWholeList } from './calls.ts'
import { createDataset, duplicateAndSwapAdSets, listDatasets, listLiveAdSets } from './datasets.ts'
import { exportConversions, previewExport } from './exports.ts'
import { budgetToMinor, minorToBudget, toAccount, toPixel } from './mapping.ts'
import { AdAccount, GraphPixel, Page } from './replies.ts'
import { accountCurrency, syncPage } from './sync.ts'
import { answerChallenge, mapWebhook, readBack, verifyWebhook } from './webhooks.ts'

const scopes = [
  'ads_read',
  'ads_management',
  'business_management',
  'pages_show_list',
  'pages_manage_metadata',
  'pages_read_engagement',
  'leads_retrieval',
]

const Token = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().nullish() })
const Permissions = z.looseObject({
  data: z.array(z.looseObject({ permission: z.string(), status: z.string() })),
})
const Success = z.looseObject({ success: z.boolean().nullish() })
const Budgeted = z.looseObject({
  status: z.string(),
  effective_status: text,
  daily_budget: maybeId,
  lifetime_budget: maybeId,
  campaign: z.looseObject({ status: text }).nullish(),
})

function authorizeUrl(app: ProviderApp, request: Parameters<Connector['authorizeUrl']>[1]): string {
  const url = new URL(`${versionedBase(app.authorizeBaseUrl, 'social_ads')}/dialog/oauth`)
  url.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    response_type: 'code',
    scope: scopes.join(','),
    // Without this a person who once declined a permission is never asked for it again.
    auth_type: 'rerequest',
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
  }).toString()
  return url.toString()
}

function readCallback(_: ProviderApp, query: CallbackQuery): CallbackMeaning {
  if (query.code) return { type: 'code', code: query.code }
  if (query.error_reason === 'user_denied') return { type: 'cancelled' }
  if (query.error === 'access_denied' || query.error === 'unauthorized_client') return { type: 'denied' }
  // The dialog tells of an app that is not let in with a number and no `error`; 1 and 2 are its own failures.
  if (query.error_code && !['1', '2'].includes(query.error_code)) return { type: 'denied' }
  return { type: 'error' }
}

async function requestToken(http: Outbound, app: ProviderApp, form: Record<string, string>, now: Date) {
  const token = await callJson(http, {
    method: 'POST',
    url: `${versionedBase(app.apiBaseUrl, 'social_ads')}/oauth/access_token`,
    form: { client_id: app.clientId, client_secret: app.clientSecret, ...form },
    schema: Token,
    refusal: graphRefusal,
  })
  const seconds = token.expires_in ?? null
  return {
    accessToken: token.access_token,
    expiresAt: seconds === null ? null : new Date(now.getTime() + seconds * 1000).toISOString(),
  }
}

/** The code gives a token for an hour; that one is exchanged at once for one of two months. */
async function exchange(
  http: Outbound,
  app: ProviderApp,
  args: Parameters<Connector['exchange']>[2],
): Promise<TokenSet> {
  const short = await requestToken(
    http,
    app,
    { code: args.code, redirect_uri: args.redirectUri, code_verifier: args.codeVerifier },
    args.now,
  )
  return lengthen(http, app, short.accessToken, args.now)
}

async function lengthen(http: Outbound, app: ProviderApp, accessToken: string, now: Date): Promise<TokenSet> {
  const form = { grant_type: 'fb_exchange_token', fb_exchange_token: accessToken }
  const long = await requestToken(http, app, form, now)
  const granted = await callGraph(http, app, long.accessToken, {
    path: '/me/permissions',
    schema: Permissions,
  })
  return {
    ...long,
    refreshToken: null,
    scopes: granted.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission),
    extra: {},
  }
}

async function revoke(http: Outbound, app: ProviderApp, token: TokenSet): Promise<void> {
  try {
    await callGraph(http, app, token.accessToken, {
      method: 'DELETE',
      path: '/me/permissions',
      schema: Success,
    })
  } catch (error) {
    // A grant that is gone already is what was asked for.
    if (!(error instanceof ProviderError && error.reason === 'invalid_grant')) throw error
  }
}

async function write(session: Session, id: string, form: Record<string, string>): Promise<void> {
  const path = `/${encodeURIComponent(id)}`
  await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path,
    form,
    schema: Success,
  })
}

async function readBudget(session: Session, id: string, fields: string) {
  const path = `/${encodeURIComponent(id)}`
  const currency = await accountCurrency(session)
  const found = await callGraph(session.http, session.app, session.token.accessToken, {
    path,
    query: { fields },
    schema: Budgeted,
  })
  return {
    status: found.status,
    effectiveStatus: found.effective_status,
    campaignStatus: found.campaign?.status ?? null,
    dailyBudgetMinor: budgetToMinor(found.daily_budget, currency),
    lifetimeBudgetMinor: budgetToMinor(found.lifetime_budget, currency),
  }
}

const listPages = (session: Session) =>
  readWholeList(session.http, session.app, session.token, '/me/accounts', Page, {
    fields: 'id,name,category,access_token',
    limit: 100,
  })

async function subscribePage(session: Session, pageId: string, subscribed: boolean): Promise<void> {
  const page = (await listPages(session)).find(({ id }) => id === pageId)
  if (!page?.access_token) throw new ProviderError('not_found', 'The person does not manage this page')
  await callGraph(session.http, session.app, page.access_token, {
    method: subscribed ? 'POST' : 'DELETE',
    path: `/${encodeURIComponent(pageId)}/subscribed_apps`,
    ...(subscribed ? { form: { subscribed_fields: 'leadgen' } } : {}),
    schema: Success,
  })
}

const budgetFields = 'status,effective_status,daily_budget,lifetime_budget'

export const socialAds: Connector = {
  provider: 'social_ads',
  accountKind: 'ad_account',
  exclusiveAccount: true,
  authorizeUrl,
  readCallback,
  exchange,
  refresh: (http, app, token, now) => lengthen(http, app, token.accessToken, now),
  revoke,
  async listAccounts(http, app, token) {
    // People can untick a permission: without this one no ad could ever be read.
    if (!token.scopes.includes('ads_read'))
      throw new ProviderError('permission_missing', 'The person did not grant ads_read', {
        providerCode: 'scope_missing',
      })
    const query = { fields: 'id,name,currency,timezone_name,account_status', limit: 100 }
    return (await readWholeList(http, app, token, '/me/adaccounts', AdAccount, query)).map(toAccount)
  },
  syncPage,
  verifyWebhook,
  mapWebhook,
  readBack,
  answerChallenge,
  exportConversions,
  previewExport,
  createCustomerList,
  uploadCustomerList,
  removeFromCustomerList,
  listDatasets,
  createDataset,
  listLiveAdSets,
  duplicateAndSwapAdSets,
  readStatus: (session, id) => readBudget(session, id, budgetFields),
  setStatus: (session, id, status) => write(session, id, { status }),
  async setBudget(session, target, budget) {
    const amount = String(minorToBudget(budget.amountMinor, await accountCurrency(session)))
    await write(session, target.externalId, { [`${budget.type}_budget`]: amount })
  },
  readBudget: (session, target) =>
    readBudget(
      session,
      target.externalId,
      target.level === 'ad_set' ? `${budgetFields},campaign{status}` : budgetFields,
    ),
  async listPixels(session) {
    const fields = 'id,name,creation_time,last_fired_time,is_unavailable,owner_business{id,name}'
    const path = `/${session.accountId}/adspixels`
    const pixels = await readWholeList(session.http, session.app, session.token, path, GraphPixel, {
      fields,
      limit: 100,
    })
    return pixels.map(toPixel)
  },
  listPages: async (session) =>
    (await listPages(session)).map(({ id, name, category }) => ({ id, name: name ?? id, category })),
  subscribePage,
}
