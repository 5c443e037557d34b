/** An imitation of cardpay: Connect consent, the platform's key with `Stripe-Account`, lists, signed webhooks. */

import { seededHex } from '../../../seeded-random.ts'
import { actInCommon, redirectOrigins } from '../../sandbox/actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../../sandbox/consent.ts'
import { createFaults } from '../../sandbox/faults.ts'
import {
  bearerOf,
  numberArg,
  readFields,
  routedSandbox,
  type SandboxRoute,
  textArg,
} from '../../sandbox/routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../../sandbox/sandbox.ts'
import { TokenServer } from '../../sandbox/tokens.ts'
import { hmacSha256 } from '../../signatures.ts'
import { type Item, type Json, type Kind, Ledger, madeCharge } from './ledger.ts'

const scope = 'read_write'

export function createCardpaySandbox(options: SandboxOptions): Sandbox {
  const accountId = (name: string) => `acct_${seededHex(16, options.seed, 'cardpay', name)}`
  const accounts = ['Harbor & Pine', 'Harbor & Pine Wholesale'].map((name) => ({
    id: accountId(name),
    name,
  }))
  /** Granted where the person has nothing to connect: it exists, but may not take charges. */
  const restricted = { id: accountId('restricted'), name: 'Unfinished account' }
  const ledgers = new Map(
    accounts.map(({ id }, index) => [
      id,
      new Ledger(index === 0 ? options.seed : `${options.seed} ${id}`, options.now),
    ]),
  )
  const tokens = new TokenServer({ ...options, accessTtlSeconds: 10 * 365 * 86_400, rotates: false })
  const faults = createFaults()
  const gone = new Set<string>()
  let serial = 0
  let lastWebhook: Parameters<SandboxOptions['sendWebhook']>[0] | null = null

  const screen: ConsentScreen = {
    providerName: 'Cardpay',
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
    lastWebhook = {
      provider: 'cardpay',
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` },
      body,
    }
    await options.sendWebhook(lastWebhook)
  }

  /** The account a call is about, or why it may not be read. */
  function authorise(request: SandboxRequest): { account: string } | SandboxReply {
    if (bearerOf(request) !== options.clientSecret)
      return failure(401, 'api_key_invalid', 'Invalid API Key provided')
    const account = request.headers['stripe-account'] ?? ''
    const known = ledgers.has(account) || account === restricted.id
    if (known && !gone.has(account)) return { account }
    return failure(403, 'account_invalid', 'The provided key does not have access to this account')
  }

  const read = (kind: Kind | 'account', one: boolean): SandboxRoute['answer'] => {
    return (request, params) => {
      const caller = authorise(request)
      if ('status' in caller) return caller
      if (kind === 'account') return { status: 200, body: accountBody(caller.account) }
      const ledger = ledgers.get(caller.account) ?? new Ledger(`${options.seed} nobody`, () => new Date(0))
      if (!one) return { status: 200, body: listBody(ledger, kind, request) }
      const item = ledger.find(kind, params.id!)
      if (item === null) return failure(404, 'resource_missing', `No such ${kind}: ${params.id}`)
      return { status: 200, body: expand(ledger, kind, item, expansions(request, '')) }
    }
  }

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

  function exchange(request: SandboxRequest): SandboxReply {
    const form = readFields(request)
    if (form.client_secret !== options.clientSecret) return oauthFailure('invalid_client', 'Unknown secret')
    const issued = tokens.redeemCode({ code: form.code ?? '', redirectUri: null, codeVerifier: null })
    if ('error' in issued) return oauthFailure(issued.error, issued.description)
    const account = issued.grant.accountIds[0] ?? restricted.id
    gone.delete(account)
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
    if (bearerOf(request) !== options.clientSecret || form.client_id !== options.clientId || gone.has(id)) {
      return oauthFailure('invalid_client', 'This application is not connected to that account')
    }
    gone.add(id)
    return { status: 200, body: { stripe_user_id: id } }
  }

  const routes: SandboxRoute[] = [
    { on: 'GET /oauth/authorize', answer: (request) => consentPage(screen, request, options.clientId) },
    {
      on: 'GET /consent/{choice}',
      answer: (request, { choice }) => consentAnswer(screen, request, options.clientId, choice!),
    },
    { on: 'POST /oauth/token', answer: exchange },
    { on: 'POST /oauth/deauthorize', answer: deauthorize },
    { on: 'GET /v1/account', answer: read('account', true) },
    { on: 'GET /v1/charges', answer: read('charges', false) },
    { on: 'GET /v1/charges/{id}', answer: read('charges', true) },
    { on: 'GET /v1/checkout/sessions', answer: read('checkout_sessions', false) },
    { on: 'GET /v1/checkout/sessions/{id}', answer: read('checkout_sessions', true) },
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
      const found = id === null ? ledger.list('charges')[0] : ledger.find('charges', id)
      if (!found) throw new Error('No such charge')
      return found
    }
    const done = action.startsWith('revoke') ? null : actInCommon({ tokens, faults }, action, args)
    if (done !== null) return done
    switch (action) {
      case 'webhook':
      case 'new_charge': {
        const made = ledger.put(
          'charges',
          madeCharge({
            now,
            serial: ++serial,
            amount: numberArg(args, 'amount_minor') ?? 4900,
            currency: textArg(args, 'currency') ?? 'usd',
            email: textArg(args, 'email'),
            orderId: textArg(args, 'order_id'),
          }),
        )
        await deliver('charge.succeeded', account, made)
        const visitor = textArg(args, 'anonymous_id')
        if (visitor === null) return { charge_id: made.id }
        const session = ledger.put('checkout_sessions', {
          id: made.id.replace('ch_', 'cs_'),
          object: 'checkout.session',
          created: made.created,
          status: 'complete',
          client_reference_id: visitor,
          metadata: {},
          payment_intent: made.payment_intent,
        })
        await deliver('checkout.session.completed', account, session)
        return { charge_id: made.id, checkout_session_id: session.id }
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
        const found = ledger.find('refunds', textArg(args, 'refund_id') ?? '')
        if (found === null) throw new Error('No such refund')
        await deliver('refund.failed', account, ledger.put('refunds', { ...found, status: 'failed' }))
        return { refund_id: found.id }
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
        const closed = status === 'lost' || status === 'won'
        await deliver(closed ? 'charge.dispute.closed' : 'charge.dispute.created', account, dispute)
        return { dispute_id: dispute.id, charge_id: paid.id }
      }
      case 'uninstall':
        gone.add(account)
        await deliver('account.application.deauthorized', account, {
          id: options.clientId,
          object: 'application',
        })
        return { account_id: account }
      // The platform's key opens an account for as long as its consent stands: a revocation is the account's.
      case 'revoke':
      case 'revoke_grant':
        for (const { id } of accounts) if (args.all === true || id === account) gone.add(id)
        return {}
      case 'resend_webhook':
        if (lastWebhook !== null) await options.sendWebhook(lastWebhook)
        return {}
      default:
        throw new Error(`Cardpay's sandbox knows no action ${action}`)
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

const failure = (status: number, code: string, message: string): SandboxReply => ({
  status,
  body: { error: { type: 'invalid_request_error', code, message } },
})

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
  const limit = Math.min(Number(query.get('limit') ?? 10), 100)
  const items = ledger
    .list(kind)
    .filter((item) => item.created >= Number(query.get('created[gte]') ?? 0))
    .filter((item) => item.created < Number(query.get('created[lt]') ?? Number.POSITIVE_INFINITY))
    .filter((item) => item.created <= Number(query.get('created[lte]') ?? Number.POSITIVE_INFINITY))
    .filter((item) => !query.has('charge') || item.charge === query.get('charge'))
    .filter((item) => !query.has('status') || item.status === query.get('status'))
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

/** Puts the named object where its id stands. */
function expand(ledger: Ledger, kind: Kind, item: Item, paths: string[]): Json {
  const expanded: Json = { ...item }
  if (kind === 'disputes' && paths.includes('charge')) {
    expanded.charge = ledger.find('charges', String(item.charge))
  }
  if (kind === 'checkout_sessions' && paths.includes('payment_intent.latest_charge')) {
    const intent = String(item.payment_intent)
    const charge = ledger.find('charges', intent.replace('pi_', 'ch_'))
    expanded.payment_intent = { id: intent, object: 'payment_intent', metadata: {}, latest_charge: charge }
  }
  return expanded
}
