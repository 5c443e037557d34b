/** Cardpay speaks Stripe's public protocol: Connect OAuth, then the platform's key with `Stripe-Account`. */
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import {
  type Connector,
  type ProviderApp,
  ProviderError,
  type Session,
  type SyncPage,
  type SyncRecord,
  type SyncWindow,
} from '../connector.ts'
import { readOauthCallback } from '../oauth-callback.ts'
import { callJson, refusalByStatus } from '../provider-http.ts'
import { flag, text } from '../reply-fields.ts'
import { windowBounds } from '../window.ts'
import {
  Charge,
  CheckoutSession,
  Dispute,
  listOf,
  Refund,
  toDisputeRecords,
  toPayment,
  toRefund,
  toSessionPayment,
} from './mapping.ts'
import { mapWebhook, verifyWebhook } from './webhooks.ts'

const apiVersion = '2025-08-27.basil'
const pageSize = 100
const dayMs = 86_400_000

/** Consent and tokens live on a host of their own; where that is not the browser's, configuration says. */
const oauthBase = (app: ProviderApp) => app.extra.oauthBaseUrl ?? app.authorizeBaseUrl

const ErrorBody = z.looseObject({
  error: z.union([z.string(), z.looseObject({ code: text, type: text, message: text })]),
})

/** An account that took its consent back answers 403 or `account_invalid`; a 401 is our own key, not the account's fault. */
function refusal(reply: { status: number; body: unknown }): ProviderError | null {
  const parsed = ErrorBody.safeParse(reply.body)
  if (!parsed.success) return null
  const error = parsed.data.error
  if (typeof error === 'string') return null
  const code = error.code ?? error.type
  if (code === 'account_invalid') {
    return new ProviderError('invalid_grant', 'The account took its consent back', { providerCode: code })
  }
  if (reply.status === 401) {
    return new ProviderError('unavailable', 'The provider refuses this deployment’s key', {
      providerCode: code,
    })
  }
  const byStatus = refusalByStatus(reply.status, null, null)
  if (reply.status >= 500 || reply.status === 429) return null
  return new ProviderError(byStatus.reason, error.message ?? byStatus.message, { providerCode: code })
}

function call<T>(
  http: Outbound,
  app: ProviderApp,
  accountId: string,
  path: string,
  schema: z.ZodType<T>,
  query: Record<string, string | number | undefined> = {},
): Promise<T> {
  return callJson(http, {
    url: `${app.apiBaseUrl}${path}`,
    query,
    bearer: app.clientSecret,
    headers: { 'stripe-account': accountId, 'stripe-version': apiVersion },
    schema,
    refusal,
  })
}

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

const phases = ['charges', 'checkout_sessions', 'refunds', 'disputes'] as const
const Cursor = z.object({ phase: z.enum(phases), after: z.string().nullable(), done: z.number().int() })
type Cursor = z.infer<typeof Cursor>
type Listed = { ids: string[]; records: SyncRecord[]; hasMore: boolean }

/** A dispute may be decided, and a refund fail, long after it was opened: those lists reach further back. */
const reachBackDays = { charges: 0, checkout_sessions: 0, refunds: 30, disputes: 120 } as const

async function listPhase(session: Session, window: SyncWindow, cursor: Cursor): Promise<Listed> {
  const bounds = windowBounds(window)
  const from = bounds.from.getTime() - reachBackDays[cursor.phase] * dayMs
  const query = {
    limit: pageSize,
    'created[gte]': Math.floor(from / 1000),
    'created[lt]': Math.ceil(bounds.until.getTime() / 1000),
    starting_after: cursor.after ?? undefined,
  }
  const list = <T extends z.ZodType>(path: string, item: T, more: Record<string, string> = {}) =>
    call(session.http, session.app, session.accountId, path, listOf(item), { ...query, ...more })
  const listed = <T extends { id: string }>(
    page: { data: T[]; has_more: boolean },
    map: (item: T) => (SyncRecord | null)[],
  ): Listed => ({
    ids: page.data.map((item) => item.id),
    records: page.data.flatMap(map).filter((record) => record !== null),
    hasMore: page.has_more,
  })
  switch (cursor.phase) {
    case 'charges':
      return listed(await list('/v1/charges', Charge), (charge) => [toPayment(charge)])
    case 'checkout_sessions':
      return listed(
        await list('/v1/checkout/sessions', CheckoutSession, {
          status: 'complete',
          'expand[0]': 'data.payment_intent.latest_charge',
        }),
        (checkout) => [toSessionPayment(checkout)],
      )
    case 'refunds':
      return listed(await list('/v1/refunds', Refund), (refund) => [toRefund(refund)])
    case 'disputes':
      return listed(await list('/v1/disputes', Dispute, { 'expand[0]': 'data.charge' }), toDisputeRecords)
  }
}

/** Disputes come last: they alone know whether a disputed charge was won. */
async function syncPage(session: Session, window: SyncWindow, text: string | null): Promise<SyncPage> {
  const cursor = text === null ? { phase: phases[0], after: null, done: 0 } : Cursor.parse(JSON.parse(text))
  const listed = await listPhase(session, window, cursor)
  const done = cursor.done + listed.ids.length
  const nextPhase = phases[phases.indexOf(cursor.phase) + 1]
  const last = listed.ids.at(-1)
  let next: Cursor | null = null
  if (listed.hasMore && last !== undefined) next = { phase: cursor.phase, after: last, done }
  else if (nextPhase !== undefined) next = { phase: nextPhase, after: null, done }
  return {
    records: listed.records,
    cursor: next === null ? null : JSON.stringify(next),
    progress: { done, total: null, unit: 'payments' },
  }
}

async function readBack(session: Session, resource: string, id: string): Promise<SyncRecord[]> {
  const get = <T>(path: string, schema: z.ZodType<T>, query: Record<string, string> = {}) =>
    call(session.http, session.app, session.accountId, path, schema, query)
  const idPart = encodeURIComponent(id)
  switch (resource) {
    case 'charge': {
      const charge = await get(`/v1/charges/${idPart}`, Charge)
      const refunds = await get('/v1/refunds', listOf(Refund), { charge: id, limit: '100' })
      return [toPayment(charge), ...refunds.data.map(toRefund).filter((refund) => refund !== null)]
    }
    case 'dispute':
      return toDisputeRecords(await get(`/v1/disputes/${idPart}`, Dispute, { 'expand[0]': 'charge' }))
    case 'checkout_session': {
      const query = { 'expand[0]': 'payment_intent.latest_charge' }
      const payment = toSessionPayment(await get(`/v1/checkout/sessions/${idPart}`, CheckoutSession, query))
      return payment === null ? [] : [payment]
    }
    default:
      throw new ProviderError('rejected', `No ${resource} can be read back`)
  }
}

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
    await callJson(http, {
      url: `${oauthBase(app)}/oauth/deauthorize`,
      form: { client_id: app.clientId, stripe_user_id: token.extra.accountId ?? '' },
      bearer: app.clientSecret,
      schema: z.looseObject({ stripe_user_id: z.string() }),
      refusal,
    })
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
