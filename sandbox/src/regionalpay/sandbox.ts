/** An imitation of regionalpay: consent, rotating tokens, payments search, webhooks with only the changed id. */

import { actInCommon, redirectOrigins, webhookSender } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { hmacSha256 } from '../hmac.ts'
import {
  bearerOf,
  numberArg,
  pairsArg,
  readFields,
  routedSandbox,
  type SandboxRoute,
  textArg,
} from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits, seededHex } from '../seeded-random.ts'
import { type IssuedTokens, type TokenRefusal, TokenServer } from '../tokens.ts'
import { PaymentLedger, type SandboxMpPayment, wireTime } from './ledger.ts'

type Json = Record<string, unknown>

const scopes = ['offline_access', 'read', 'write']
const refreshTtlSeconds = 180 * 86_400
const accessTtlSeconds = 15_552_000

export function createRegionalpaySandbox(options: SandboxOptions): Sandbox {
  const userId = (name: string) => seededDigits(9, options.seed, 'regionalpay', name)
  const accounts = ['HARBORPINE', 'HARBORPINE SUR'].map((name) => ({ id: userId(name), name }))
  /** Granted if the person has nothing to connect: a deactivated seller. */
  const deactivated = { id: userId('deactivated'), name: 'CLOSED SHOP' }
  const ledgers = new Map(
    accounts.map(({ id }, index) => [
      id,
      new PaymentLedger(index === 0 ? options.seed : `${options.seed} ${id}`, id, options.now),
    ]),
  )
  const tokens = new TokenServer({ ...options, accessTtlSeconds, refreshTtlSeconds, rotates: true })
  const faults = createFaults()
  let serial = 0
  const webhooks = webhookSender(options)

  const screen: ConsentScreen = {
    providerName: 'Mercado Pago',
    oneAccount: true,
    accounts,
    scopes,
    refusal: {
      decline: { error: 'access_denied', error_description: 'The seller said no' },
      'deny-app': { error: 'unauthorized_client', error_description: 'The application is blocked' },
      'provider-error': { error: 'server_error', error_description: 'Internal error' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  async function deliver(type: string, action: string, user: string, dataId: string): Promise<void> {
    const timestamp = String(Math.floor(options.now().getTime() / 1000))
    const requestId = seededHex(32, 'notice', timestamp, ++serial)
    const line = `id:${dataId};request-id:${requestId};ts:${timestamp};`
    const signature = hmacSha256(options.extra.webhookSecret ?? '', line).toString('hex')
    await webhooks.send({
      provider: 'regionalpay',
      query: { 'data.id': dataId, type },
      headers: {
        'content-type': 'application/json',
        'x-request-id': requestId,
        'x-signature': `ts=${timestamp},v1=${signature}`,
      },
      body: JSON.stringify({
        id: Number(seededDigits(12, requestId)),
        live_mode: false,
        type,
        action,
        date_created: wireTime(options.now()),
        user_id: Number(user),
        api_version: 'v1',
        data: { id: dataId },
      }),
    })
  }

  function caller(request: SandboxRequest): string | null {
    const grant = tokens.authenticate(bearerOf(request))
    return grant === null ? null : (grant.accountIds[0] ?? deactivated.id)
  }

  const as = (answer: (user: string, request: SandboxRequest, id: string) => SandboxReply) => {
    return (request: SandboxRequest, params: Record<string, string>) => {
      const user = caller(request)
      return user === null
        ? failure(401, 'unauthorized', 'invalid access token')
        : answer(user, request, params.id ?? '')
    }
  }

  function token(request: SandboxRequest): SandboxReply {
    const body = readFields(request)
    if (!tokens.knowsClient(body.client_id ?? null, body.client_secret ?? null)) {
      return failure(400, 'invalid_client', 'invalid client_id or client_secret')
    }
    const issued =
      body.grant_type === 'refresh_token'
        ? tokens.refresh(body.refresh_token ?? '')
        : tokens.redeemCode({
            code: body.code ?? '',
            redirectUri: body.redirect_uri ?? '',
            codeVerifier: body.code_verifier ?? null,
          })
    return tokenReply(issued, deactivated.id)
  }

  const routes: SandboxRoute[] = [
    { on: 'GET /authorization', answer: (request) => consentPage(screen, request, options.clientId) },
    {
      on: 'GET /consent/{choice}',
      answer: (request, { choice }) => consentAnswer(screen, request, options.clientId, choice!),
    },
    { on: 'POST /oauth/token', answer: token },
    {
      on: 'GET /users/me',
      answer: as((user) => {
        const name = [...accounts, deactivated].find(({ id }) => id === user)?.name ?? user
        const site_status = user === deactivated.id ? 'deactive' : 'active'
        const body = {
          id: Number(user),
          nickname: name,
          site_id: 'MLU',
          country_id: 'UY',
          status: { site_status },
        }
        return { status: 200, body }
      }),
    },
    {
      on: 'DELETE /users/{id}/applications/{app}',
      answer: as((_user, request) => {
        tokens.revoke(bearerOf(request)!)
        return { status: 200, body: { msg: 'Autorización eliminada' } }
      }),
    },
    {
      on: 'GET /v1/orders/{id}',
      answer: as((user, _request, id) => {
        const order = ledgers.get(user)?.order(id) ?? null
        return order === null
          ? failure(404, 'order_not_found', 'Order not found')
          : { status: 200, body: order }
      }),
    },
    {
      on: 'GET /v1/chargebacks/{id}',
      answer: as((_user, _request, id) => ({
        status: 200,
        body: { id, payment_id: Number(id.replace(/^9/, '')), currency_id: 'USD', reason: 'fraud' },
      })),
    },
    {
      on: 'GET /post-purchase/v1/claims/{id}',
      answer: as((_user, _request, id) => ({
        status: 200,
        body: {
          id: Number(id),
          resource: 'payment',
          resource_id: Number(id.replace(/^8/, '')),
          stage: 'claim',
        },
      })),
    },
    { on: 'GET /v1/payments/search', answer: as((user, request) => search(ledgers.get(user), request)) },
    {
      on: 'GET /v1/payments/{id}',
      answer: as((user, _request, id) => {
        const payment = ledgers.get(user)?.find(id) ?? null
        return payment === null
          ? failure(404, 'not_found', 'Payment not found')
          : { status: 200, body: payment }
      }),
    },
  ]

  async function act(action: string, args: Json): Promise<Json> {
    const user = textArg(args, 'account_id') ?? accounts[0]!.id
    const ledger = ledgers.get(user)
    if (ledger === undefined) throw new Error(`No such account: ${user}`)
    const chosen = () => {
      const id = textArg(args, 'payment_id')
      const payment = id === null ? ledger.list().at(-1) : ledger.find(id)
      if (!payment) throw new Error('No such payment')
      return payment
    }
    const make = () =>
      ledger.make({
        serial: ++serial,
        amountMinor: numberArg(args, 'amount_minor') ?? 4900,
        email: textArg(args, 'email'),
        anonymousId: textArg(args, 'anonymous_id'),
        metadata: pairsArg(args, 'metadata'),
        orderId: textArg(args, 'order_id'),
        operationType: textArg(args, 'operation_type'),
        payerId: textArg(args, 'payer_id'),
        collectorId: textArg(args, 'collector_id'),
        currency: textArg(args, 'currency'),
      })
    const notify = async (payment: SandboxMpPayment, eventName: string): Promise<Json> => {
      const id = String(ledger.put(payment).id)
      await deliver('payment', eventName, user, id)
      return { payment_id: id }
    }
    const done = actInCommon({ tokens, faults }, action, args)
    if (done !== null) return done
    switch (action) {
      case 'webhook':
      case 'new_charge':
        return notify(make(), 'payment.created')
      case 'new_order': {
        const id = ledger.putOrder(make(), args.known !== false)
        await deliver('order', 'order.processed', user, id)
        return { order_id: id }
      }
      case 'refund':
        return notify(ledger.refunded(chosen(), numberArg(args, 'amount_minor'), ++serial), 'payment.updated')
      case 'dispute':
        return notify(ledger.chargedBack(chosen(), textArg(args, 'status') ?? 'settled'), 'payment.updated')
      case 'chargeback':
      case 'claim': {
        const id = String(ledger.put(ledger.chargedBack(chosen(), textArg(args, 'status') ?? 'settled')).id)
        if (action === 'claim') await deliver('topic_claims_integration_wh', 'created', user, `8${id}`)
        else await deliver('topic_chargebacks_wh', 'created', user, `9${id}`)
        return { payment_id: id }
      }
      case 'uninstall':
        tokens.revokeAccount(user)
        await deliver('mp-connect', 'application.deauthorized', user, user)
        return { account_id: user }
      case 'resend_webhook':
        return webhooks.resend()
      default:
        throw new Error(`Regionalpay's sandbox has no action ${action}`)
    }
  }

  return routedSandbox({
    name: 'regionalpay',
    routes,
    faults,
    otherwise: failure(404, 'not_found', 'resource not found'),
    act,
  })
}

const failure = (status: number, error: string, message: string): SandboxReply => ({
  status,
  body: { message, error, status, cause: [] },
})

function tokenReply(issued: IssuedTokens | TokenRefusal, fallbackUser: string): SandboxReply {
  if ('error' in issued) return failure(400, issued.error, issued.description)
  return {
    status: 200,
    delayMs: issued.delayMs,
    body: {
      access_token: issued.accessToken,
      token_type: 'bearer',
      expires_in: issued.expiresInSeconds,
      scope: issued.grant.scopes.join(' '),
      user_id: Number(issued.grant.accountIds[0] ?? fallbackUser),
      refresh_token: issued.refreshToken,
      public_key: 'TEST-00000000-0000-4000-8000-000000000000',
      live_mode: false,
    },
  }
}

/** Values of the official client (mercadopago 3.6.1); others are a bad request. */
const dates = ['date_approved', 'date_created', 'date_last_updated', 'money_release_date']
const searchWords: Record<string, readonly string[]> = {
  sort: dates,
  range: dates,
  criteria: ['asc', 'desc'],
}
const codes: Record<string, number> = { sort: 1003, criteria: 1004, range: 1 }

/** Parameters of the official client's search, and filters that public integrations use. */
const searchParameters = ['limit', 'offset', 'sort', 'criteria', 'range', 'begin_date', 'end_date']
const searchFilters = ['external_reference', 'collector.id', 'payer.id', 'operation_type', 'status']

/** The reference of the search documents the refusal (1000) but not the limit; this one is assumed. */
const MAX_ROWS = 100

/** Codes from the platform's reference (https://www.mercadopago.com/developers/en/reference, read 2026-11-16). */
const badSearch = (code: number, description: string): SandboxReply => ({
  status: 400,
  body: { message: description, error: 'bad_request', status: 400, cause: [{ code, description }] },
})

function refusedSearch(query: URLSearchParams): SandboxReply | null {
  const unknown = [...query.keys()].find((name) => ![...searchParameters, ...searchFilters].includes(name))
  if (unknown !== undefined) return badSearch(1, `Params Error: ${unknown}`)
  if (Number(query.get('limit') ?? 0) > MAX_ROWS)
    return badSearch(1000, 'Number of rows exceeded the limits.')
  for (const [name, allowedValues] of Object.entries(searchWords)) {
    const word = query.get(name)
    if (word !== null && !allowedValues.includes(word))
      return badSearch(codes[name]!, `Invalid ${name} value.`)
  }
  for (const name of ['limit', 'offset'])
    if (query.has(name) && !/^\d+$/.test(query.get(name)!))
      return failure(400, 'bad_request', `Invalid ${name}`)
  if (query.has('begin_date') !== query.has('end_date'))
    return failure(400, 'bad_request', 'begin_date and end_date go together')
  return null
}

const filters: Record<string, (payment: SandboxMpPayment) => unknown> = {
  'collector.id': ({ collector_id }) => collector_id,
  'payer.id': ({ payer }) => (payer as { id: unknown } | null)?.id,
  external_reference: ({ external_reference }) => external_reference,
  operation_type: ({ operation_type }) => operation_type,
  status: ({ status }) => status,
}

/** Search results are summaries: they have the sum of refunds, not the refunds. */
function summary({ refunds: _, ...payment }: SandboxMpPayment): Json {
  return payment
}

function search(ledger: PaymentLedger | undefined, request: SandboxRequest): SandboxReply {
  const query = request.query
  const refusal = refusedSearch(query)
  if (refusal !== null) return refusal
  const field = query.get('range') ?? 'date_created'
  const begin = Date.parse(query.get('begin_date') ?? '1970-01-01T00:00:00Z')
  const end = Date.parse(query.get('end_date') ?? '2999-01-01T00:00:00Z')
  if (Number.isNaN(begin) || Number.isNaN(end))
    return badSearch(1001, "Date format must be yyyy-MM-dd'T'HH:mm:ss.SSSZ.")
  const limit = Number(query.get('limit') ?? 30)
  const offset = Number(query.get('offset') ?? 0)
  const activeFilters = Object.entries(filters).filter(([name]) => query.has(name))
  const payments = (ledger?.list() ?? [])
    .filter((payment) => activeFilters.every(([name, read]) => String(read(payment)) === query.get(name)))
    .map((payment) => ({ payment, at: Date.parse(String(payment[field])) }))
    .filter(({ at }) => at >= begin && at <= end)
    .sort((a, b) => a.at - b.at || a.payment.id - b.payment.id)
  if (query.get('criteria') === 'desc') payments.reverse()
  return {
    status: 200,
    body: {
      paging: { total: payments.length, limit, offset },
      results: payments.slice(offset, offset + limit).map(({ payment }) => summary(payment)),
    },
  }
}
