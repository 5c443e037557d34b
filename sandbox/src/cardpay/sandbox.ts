/** An imitation of cardpay: installing an app, its hourly tokens, lists, signed webhooks. */

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
import { seededHex } from '../seeded-random.ts'
import { TokenServer } from '../tokens.ts'
import { createCharge, type Item, invoiceOf, type Json, type Kind, Ledger, paidThrough } from './ledger.ts'
import { failure, listParameters, matches, refusedParameters, refusedVersion } from './parameters.ts'

const scope = 'stripe_apps'
const accessTtlSeconds = 3_600
const refreshTtlSeconds = 365 * 86_400

export function createCardpaySandbox(options: SandboxOptions): Sandbox {
  const accountId = (name: string) => `acct_${seededHex(16, options.seed, 'cardpay', name)}`
  const accounts = ['Harbor & Pine', 'Harbor & Pine Wholesale'].map((name) => ({
    id: accountId(name),
    name,
  }))
  /** Granted if the person has nothing to connect: an account that may not accept charges. */
  const restricted = { id: accountId('restricted'), name: 'Unfinished account' }
  const ledgers = new Map(
    accounts.map(({ id }, index) => [
      id,
      new Ledger(index === 0 ? options.seed : `${options.seed} ${id}`, options.now),
    ]),
  )
  const tokens = new TokenServer({ ...options, accessTtlSeconds, refreshTtlSeconds, rotates: true })
  const faults = createFaults()
  const disconnectedIds = new Set<string>()
  /** Apps may not read the account until the action `grant_account_read`. */
  let readsAccount = false
  let serial = 0
  const webhooks = webhookSender(options)

  const screen: ConsentScreen = {
    providerName: 'Stripe',
    oneAccount: true,
    accounts,
    scopes: [scope],
    refusal: {
      decline: { error: 'access_denied', error_description: 'The user denied your request' },
      'deny-app': {
        error: 'unauthorized_client',
        error_description: 'The platform may not connect this account',
      },
      'provider-error': { error: 'server_error', error_description: 'Something went wrong' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  async function deliver(type: string, account: string, object: Json): Promise<void> {
    const at = Math.floor(options.now().getTime() / 1000)
    const body = JSON.stringify({
      id: `evt_${seededHex(24, 'event', at, ++serial)}`,
      object: 'event',
      type,
      account,
      created: at,
      livemode: false,
      data: { object },
    })
    const signature = hmacSha256(options.extra.webhookSecret ?? '', `${at}.`, body).toString('hex')
    await webhooks.send({
      provider: 'cardpay',
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` },
      body,
    })
  }

  /** The account of the token, or the refusal. */
  function authorise(request: SandboxRequest): { account: string } | SandboxReply {
    const refusal = refusedVersion(request)
    if (refusal !== null) return refusal
    const grant = tokens.authenticate(bearerOf(request))
    if (grant === null) return failure(401, 'api_key_expired', 'Expired API Key provided')
    const account = grant.accountIds[0] ?? restricted.id
    return disconnectedIds.has(account)
      ? failure(403, 'account_invalid', 'The provided key does not have access to this account')
      : { account }
  }

  const read = (kind: Kind | 'account', isSingle: boolean): SandboxRoute['answer'] => {
    return (request, params) => {
      const caller = authorise(request)
      if ('status' in caller) return caller
      const accepted = isSingle || kind === 'account' ? ['expand'] : listParameters[kind]
      const refusal = refusedParameters(request, accepted)
      if (refusal !== null) return refusal
      if (kind === 'account')
        return readsAccount
          ? { status: 200, body: accountBody(caller.account) }
          : notPermitted(caller.account)
      const ledger =
        ledgers.get(caller.account) ?? new Ledger(`${options.seed} unknown account`, () => new Date(0))
      if (!isSingle) return { status: 200, body: listBody(ledger, kind, request) }
      const item = ledger.find(kind, params.id!)
      if (item === null) return failure(404, 'resource_missing', `No such ${kind}: ${params.id}`)
      return { status: 200, body: expand(ledger, kind, item, expansions(request, '')) }
    }
  }

  function paymentIntent(request: SandboxRequest, params: Record<string, string>): SandboxReply {
    const caller = authorise(request)
    if ('status' in caller) return caller
    const id = params.id!
    const charge = ledgers.get(caller.account)?.find('charges', id.replace('pi_', 'ch_')) ?? null
    if (charge === null) return failure(404, 'resource_missing', `No such payment_intent: '${id}'`)
    const isExpanded = expansions(request, '').includes('latest_charge')
    const latest_charge = isExpanded ? charge : charge.id
    return { status: 200, body: { id, object: 'payment_intent', metadata: {}, latest_charge } }
  }

  /** The platform's response to apps (https://github.com/stripe/stripe-apps/issues/458 and 1027, read 2026-11-17). */
  const notPermitted = (account: string): SandboxReply =>
    failure(
      403,
      'more_permissions_required_for_application',
      `This application does not have the required permissions for this endpoint on account '${account}'. Having the 'read_only' scope would allow this request to continue.`,
    )

  function accountBody(id: string): Json {
    const name = [...accounts, restricted].find((account) => account.id === id)!.name
    return {
      id,
      object: 'account',
      business_profile: { name, url: 'https://harborandpine.example' },
      charges_enabled: id !== restricted.id,
      country: 'US',
      default_currency: 'usd',
      email: 'owner@harborandpine.example',
      settings: { dashboard: { display_name: name, timezone: 'America/New_York' } },
      type: 'standard',
    }
  }

  function token(request: SandboxRequest): SandboxReply {
    const form = readFields(request)
    if (bearerOf(request) !== options.clientSecret) return failure(401, null, 'Invalid API Key provided')
    const issued =
      form.grant_type === 'refresh_token'
        ? tokens.refresh(form.refresh_token ?? '')
        : form.grant_type === 'authorization_code'
          ? tokens.redeemCode({ code: form.code ?? '', redirectUri: null, codeVerifier: null })
          : { error: 'unsupported_grant_type', description: `No grant of type ${form.grant_type}` }
    if ('error' in issued) return oauthFailure(issued.error, issued.description)
    const account = issued.grant.accountIds[0] ?? restricted.id
    if (form.grant_type === 'authorization_code') disconnectedIds.delete(account)
    return {
      status: 200,
      delayMs: issued.delayMs,
      body: {
        access_token: issued.accessToken,
        refresh_token: issued.refreshToken,
        token_type: 'bearer',
        scope,
        livemode: false,
        stripe_user_id: account,
        stripe_publishable_key: `pk_test_${account.slice(5)}`,
      },
    }
  }

  function deauthorize(request: SandboxRequest): SandboxReply {
    const form = readFields(request)
    const id = form.stripe_user_id ?? ''
    if (bearerOf(request) !== options.clientSecret) return failure(401, null, 'Invalid API Key provided')
    if (form.client_id !== options.clientId || disconnectedIds.has(id))
      return oauthFailure('invalid_client', 'This application is not connected to that account')
    disconnectedIds.add(id)
    tokens.revokeAccount(id)
    return { status: 200, body: { stripe_user_id: id } }
  }

  const routes: SandboxRoute[] = [
    { on: 'GET /oauth/v2/authorize', answer: (request) => consentPage(screen, request, options.clientId) },
    {
      on: 'GET /consent/{choice}',
      answer: (request, { choice }) => consentAnswer(screen, request, options.clientId, choice!),
    },
    { on: 'POST /v1/oauth/token', answer: token },
    { on: 'POST /v1/oauth/deauthorize', answer: deauthorize },
    { on: 'GET /v1/account', answer: read('account', true) },
    { on: 'GET /v1/charges', answer: read('charges', false) },
    { on: 'GET /v1/charges/{id}', answer: read('charges', true) },
    { on: 'GET /v1/checkout/sessions', answer: read('checkout_sessions', false) },
    { on: 'GET /v1/checkout/sessions/{id}', answer: read('checkout_sessions', true) },
    { on: 'GET /v1/payment_intents/{id}', answer: paymentIntent },
    { on: 'GET /v1/refunds', answer: read('refunds', false) },
    { on: 'GET /v1/disputes', answer: read('disputes', false) },
    { on: 'GET /v1/disputes/{id}', answer: read('disputes', true) },
  ]

  async function act(action: string, args: Json): Promise<Json> {
    const account = textArg(args, 'account_id') ?? accounts[0]!.id
    const ledger = ledgers.get(account)
    if (ledger === undefined) throw new Error(`No such account: ${account}`)
    const now = options.now()
    const charge = () => {
      const id = textArg(args, 'charge_id')
      const selected = id === null ? ledger.list('charges')[0] : ledger.find('charges', id)
      if (!selected) throw new Error('No such charge')
      return selected
    }
    const done = actInCommon({ tokens, faults }, action, args)
    if (done !== null) return done
    switch (action) {
      case 'grant_account_read':
        readsAccount = true
        return {}
      case 'webhook':
      case 'new_charge': {
        const newCharge = ledger.put(
          'charges',
          createCharge({
            now,
            serial: ++serial,
            amount: numberArg(args, 'amount_minor') ?? 4900,
            currency: textArg(args, 'currency') ?? 'usd',
            email: textArg(args, 'email'),
            orderId: textArg(args, 'order_id'),
            hasCustomer: args.subscription === true,
          }),
        )
        await deliver('charge.succeeded', account, newCharge)
        const visitor = textArg(args, 'anonymous_id')
        const metadata = pairsArg(args, 'metadata')
        if (visitor === null && Object.keys(metadata).length === 0) return { charge_id: newCharge.id }
        const session = ledger.put('checkout_sessions', {
          id: newCharge.id.replace('ch_', 'cs_'),
          object: 'checkout.session',
          created: newCharge.created,
          status: 'complete',
          client_reference_id: visitor,
          customer: newCharge.customer,
          metadata,
          ...paidThrough(args.subscription === true, newCharge.id.slice(3)),
        })
        await deliver('checkout.session.completed', account, session)
        return { charge_id: newCharge.id, checkout_session_id: session.id }
      }
      case 'update_charge': {
        const updated = ledger.put('charges', { ...charge(), receipt_number: '1234-5678' })
        await deliver('charge.updated', account, updated)
        return { charge_id: updated.id }
      }
      case 'new_trial': {
        const id = seededHex(24, 'made trial', now.getTime(), ++serial)
        const session = ledger.put('checkout_sessions', {
          id: `cs_${id}`,
          object: 'checkout.session',
          created: Math.floor(now.getTime() / 1000),
          status: 'complete',
          client_reference_id: textArg(args, 'anonymous_id'),
          customer: `cus_${id.slice(0, 14)}`,
          customer_details: { email: textArg(args, 'email'), phone: null, name: null },
          metadata: {},
          ...paidThrough(true, id),
        })
        await deliver('checkout.session.completed', account, session)
        return { checkout_session_id: session.id, customer_id: session.customer }
      }
      case 'refund': {
        const paid = charge()
        const amount = numberArg(args, 'amount_minor') ?? Number(paid.amount)
        const refund = ledger.put('refunds', {
          id: `re_${seededHex(24, 'made refund', paid.id, ++serial)}`,
          object: 'refund',
          amount,
          currency: paid.currency,
          created: Math.floor(now.getTime() / 1000),
          charge: paid.id,
          status: 'succeeded',
        })
        const after = ledger.put('charges', {
          ...paid,
          amount_refunded: Number(paid.amount_refunded) + amount,
        })
        await deliver('refund.created', account, refund)
        await deliver('charge.refunded', account, after)
        return { refund_id: refund.id, charge_id: paid.id }
      }
      case 'fail_refund': {
        const refund = ledger.find('refunds', textArg(args, 'refund_id') ?? '')
        if (refund === null) throw new Error('No such refund')
        await deliver('refund.failed', account, ledger.put('refunds', { ...refund, status: 'failed' }))
        return { refund_id: refund.id }
      }
      case 'dispute': {
        const paid = ledger.put('charges', { ...charge(), disputed: true })
        const status = textArg(args, 'status') ?? 'lost'
        const dispute = ledger.put('disputes', {
          id: `dp_${paid.id.slice(3)}`,
          object: 'dispute',
          amount: paid.amount,
          currency: paid.currency,
          created: Math.floor(now.getTime() / 1000),
          charge: paid.id,
          status,
        })
        const isClosed = status === 'lost' || status === 'won'
        await deliver(isClosed ? 'charge.dispute.closed' : 'charge.dispute.created', account, dispute)
        return { dispute_id: dispute.id, charge_id: paid.id }
      }
      case 'uninstall':
        disconnectedIds.add(account)
        tokens.revokeAccount(account)
        await deliver('account.application.deauthorized', account, {
          id: options.clientId,
          object: 'application',
        })
        return { account_id: account }
      case 'resend_webhook':
        return webhooks.resend()
      default:
        throw new Error(`Cardpay's sandbox has no action ${action}`)
    }
  }

  return routedSandbox({
    name: 'cardpay',
    routes,
    faults,
    otherwise: failure(404, 'url_invalid', 'Unrecognized request URL'),
    act,
  })
}

const oauthFailure = (error: string, description: string): SandboxReply => ({
  status: error === 'invalid_client' ? 401 : 400,
  body: { error, error_description: description },
})

function expansions(request: SandboxRequest, prefix: string): string[] {
  return [...request.query.entries()]
    .filter(([name, path]) => name.startsWith('expand') && path.startsWith(prefix))
    .map(([, path]) => path.slice(prefix.length))
}

function listBody(ledger: Ledger, kind: Kind, request: SandboxRequest): Json {
  const query = request.query
  const limit = Number(query.get('limit') ?? 10)
  const items = ledger.list(kind).filter((item) => matches(query, item))
  const after = query.get('starting_after')
  const start = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1
  const page = items.slice(start, start + limit)
  return {
    object: 'list',
    url: request.path,
    has_more: start + limit < items.length,
    data: page.map((item) => expand(ledger, kind, item, expansions(request, 'data.'))),
  }
}

/** Replaces ids by the objects that `expand` requests. */
function expand(ledger: Ledger, kind: Kind, item: Item, paths: string[]): Json {
  const expanded: Json = { ...item }
  if (kind === 'disputes' && paths.includes('charge')) {
    expanded.charge = ledger.find('charges', String(item.charge))
  }
  if (kind === 'checkout_sessions' && typeof item.invoice === 'string') {
    const isPaid = ledger.find('charges', item.invoice.replace('in_', 'ch_')) !== null
    if (paths.includes('invoice.payments')) expanded.invoice = invoiceOf(item, isPaid)
  } else if (kind === 'checkout_sessions' && paths.includes('payment_intent.latest_charge')) {
    const intent = String(item.payment_intent)
    const charge = ledger.find('charges', intent.replace('pi_', 'ch_'))
    expanded.payment_intent = { id: intent, object: 'payment_intent', metadata: {}, latest_charge: charge }
  }
  return expanded
}
