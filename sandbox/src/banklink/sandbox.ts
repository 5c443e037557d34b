/** An imitation of banklink: opening the hosted page links the bank, and the webhook reports it. */

import { actInCommon, webhookSender } from '../actions.ts'
import { createFaults } from '../faults.ts'
import { readJson, routedSandbox, type SandboxRoute, textArg } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex } from '../seeded-random.ts'
import { sandboxWebhookKey } from './keys.ts'

const LINK_LIFE_MS = 30 * 60_000

/** Request members of a hosted link in the official client (plaid 47.0.0). */
const createMembers = [
  'client_id',
  'secret',
  'client_name',
  'language',
  'country_codes',
  'user',
  'products',
  'webhook',
  'hosted_link',
  'redirect_uri',
  'transactions',
  'account_filters',
]
const requiredMembers = ['client_name', 'language', 'country_codes']

export function createBanklinkSandbox(options: SandboxOptions): Sandbox {
  const faults = createFaults()
  const items = new Map<string, string>()
  const publicTokens = new Map<string, { expiresAt: number; used: boolean }>()
  /** By link token: when the person finished, and the webhook address. */
  const links = new Map<string, { finishedAt: Date | null; webhook: string | null }>()
  const webhookKey = sandboxWebhookKey(options)
  const webhooks = webhookSender(options)
  let serial = 0

  const failure = (code: string, message: string): SandboxReply => ({
    status: 400,
    body: { error_type: 'INVALID_INPUT', error_code: code, error_message: message, request_id: 'sandbox' },
  })
  const authorised =
    (answer: (body: Record<string, unknown>, request: SandboxRequest) => SandboxReply) =>
    (request: SandboxRequest): SandboxReply => {
      const body = readJson(request)
      const version = request.headers['plaid-version'] ?? '2020-09-14'
      if (version !== '2020-09-14') return failure('INVALID_FIELD', `Plaid-Version ${version} is not valid`)
      const isKnown = body.client_id === options.clientId && body.secret === options.clientSecret
      return isKnown
        ? answer(body, request)
        : failure('INVALID_API_KEYS', 'invalid client_id or secret provided')
    }
  const token = (kind: string) =>
    `${kind}-sandbox-${seededHex(32, options.seed, kind, ++serial, options.now().getTime())}`

  async function sendSessionFinished(link: string, status: 'SUCCESS' | 'EXITED') {
    // Indented by two spaces as on the platform: the signature covers these exact bytes.
    const body = JSON.stringify(
      {
        webhook_type: 'LINK',
        webhook_code: 'SESSION_FINISHED',
        status,
        link_session_id: `${link}-1`,
        link_token: link,
        public_tokens: status === 'SUCCESS' ? [link.replace('link-', 'public-')] : [],
        environment: 'sandbox',
      },
      null,
      2,
    )
    const headers = {
      'content-type': 'application/json',
      'plaid-verification': webhookKey.sign(body, options.now()),
    }
    await webhooks.send({ provider: 'banklink', headers, body })
  }

  const routes: SandboxRoute[] = [
    {
      on: 'POST /link/token/create',
      answer: authorised((body, request) => {
        const unknown = Object.keys(body).find((name) => !createMembers.includes(name))
        if (unknown !== undefined)
          return failure(
            'UNKNOWN_FIELDS',
            `the following fields are not recognized by this endpoint: ${unknown}`,
          )
        const missing = requiredMembers.find((name) => body[name] === undefined)
        if (missing !== undefined)
          return failure('MISSING_FIELDS', `the following required fields are missing: ${missing}`)
        const link = token('link')
        links.set(link, { finishedAt: null, webhook: textArg(body, 'webhook') })
        const expiresAt = options.now().getTime() + LINK_LIFE_MS
        publicTokens.set(link.replace('link-', 'public-'), { expiresAt, used: false })
        return {
          status: 200,
          body: {
            link_token: link,
            expiration: new Date(expiresAt).toISOString(),
            hosted_link_url: `${request.baseUrl}/hosted/${link}`,
            request_id: 'sandbox',
          },
        }
      }),
    },
    {
      on: 'GET /hosted/{link}',
      answer: async (_request, { link = '' }) => {
        const publicToken = link.replace('link-', 'public-')
        const session = links.get(link)
        if (session === undefined) return { status: 404, body: 'Unknown link.' }
        links.set(link, { ...session, finishedAt: options.now() })
        if (session.webhook !== null) await sendSessionFinished(link, 'SUCCESS')
        return {
          status: 200,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'",
          },
          body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Banklink</title></head><body><main><h1>Banklink: linked</h1><p>Public token: <code data-public-token>${publicToken}</code></p></main></body></html>`,
        }
      },
    },
    {
      on: 'POST /link/token/get',
      answer: authorised((body) => {
        const link = String(body.link_token)
        const finishedAt = links.get(link)?.finishedAt
        if (finishedAt === undefined) return failure('INVALID_LINK_TOKEN', 'link token is not valid')
        const public_token = link.replace('link-', 'public-')
        const results = { item_add_results: [{ public_token, accounts: [], institution: null }] }
        const session = { link_session_id: `${link}-1`, finished_at: finishedAt?.toISOString(), results }
        return {
          status: 200,
          body: {
            link_token: link,
            link_sessions: finishedAt === null ? [] : [session],
            request_id: 'sandbox',
          },
        }
      }),
    },
    {
      on: 'POST /webhook_verification_key/get',
      answer: authorised((body) =>
        body.key_id === webhookKey.jwk.kid
          ? { status: 200, body: { key: webhookKey.jwk, request_id: 'sandbox' } }
          : failure('INVALID_WEBHOOK_VERIFICATION_KEY_ID', 'invalid key_id provided'),
      ),
    },
    {
      on: 'POST /item/public_token/exchange',
      answer: authorised((body) => {
        const publicToken = publicTokens.get(String(body.public_token))
        if (publicToken === undefined || publicToken.used || publicToken.expiresAt < options.now().getTime())
          return failure('INVALID_PUBLIC_TOKEN', 'provided public token is expired, used or unknown')
        publicToken.used = true
        const access = token('access')
        items.set(access, token('item'))
        return {
          status: 200,
          body: { access_token: access, item_id: items.get(access), request_id: 'sandbox' },
        }
      }),
    },
    {
      on: 'POST /accounts/get',
      answer: authorised((body) => {
        const item = items.get(String(body.access_token))
        if (item === undefined) return failure('INVALID_ACCESS_TOKEN', 'could not find matching access token')
        return {
          status: 200,
          body: {
            accounts: [
              {
                account_id: `${item}-1`,
                name: 'Checking',
                official_name: 'Harbor & Pine Business Checking',
                balances: { iso_currency_code: 'USD', current: 1200 },
              },
            ],
            item: { item_id: item },
            request_id: 'sandbox',
          },
        }
      }),
    },
  ]

  return routedSandbox({
    name: 'banklink',
    routes,
    faults,
    otherwise: failure('NOT_FOUND', 'No such endpoint'),
    async act(action, args) {
      const done = actInCommon({ faults }, action, args)
      if (done !== null) return done
      const link = textArg(args, 'link_token') ?? [...links.keys()].at(-1) ?? ''
      switch (action) {
        case 'exit_link':
          await sendSessionFinished(link, 'EXITED')
          return { link_token: link }
        case 'finish_link':
          await sendSessionFinished(link, 'SUCCESS')
          return { link_token: link }
        case 'resend_webhook':
          return webhooks.resend()
      }
      throw new Error(`Banklink's sandbox has no action ${action}`)
    },
  })
}
