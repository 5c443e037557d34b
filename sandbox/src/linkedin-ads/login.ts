/** Consent and tokens: 60 days, with a refresh token of 365 days from the consent for approved partners. */
import { redirectOrigins } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { bearerOf, readFields } from '../routes.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { type Grant, TokenServer } from '../tokens.ts'
import { refuse } from './refusals.ts'

const DAY_SECONDS = 86_400
const CONSENT_SECONDS = 365 * DAY_SECONDS

/** learn.microsoft.com/en-us/linkedin/marketing/increasing-access and the pages of the products, read 2026-11-19. */
const scopesByProduct: Record<string, readonly string[]> = {
  advertising: [
    'r_ads',
    'rw_ads',
    'r_ads_reporting',
    'r_basicprofile',
    'r_organization_admin',
    'r_organization_social',
    'rw_organization_admin',
  ],
  lead_sync: ['r_marketing_leadgen_automation', 'r_ads', 'r_organization_admin'],
  conversions: ['rw_conversions', 'r_ads'],
}
const allProducts = Object.keys(scopesByProduct)

export function createLogin(options: SandboxOptions, accounts: readonly { id: string; name: string }[]) {
  const tokens = new TokenServer({
    ...options,
    accessTtlSeconds: 60 * DAY_SECONDS,
    refreshTtlSeconds: CONSENT_SECONDS,
    rotates: false,
  })
  let isPartner = true
  let unticked: string | null = null
  let products = allProducts
  const screen: Omit<ConsentScreen, 'scopes'> = {
    providerName: 'LinkedIn',
    accounts,
    refusal: {
      decline: {
        error: 'user_cancelled_authorize',
        error_description: 'The user cancelled the authorization',
      },
      'deny-app': {
        error: 'unauthorized_scope_error',
        error_description: 'Scope is not authorized for your application',
      },
      'provider-error': { error: 'server_error' },
    },
    issueCode: (request) =>
      tokens.issueCode({ ...request, scopes: request.scopes.filter((scope) => scope !== unticked) }),
    redirectOrigins: redirectOrigins(options.extra),
  }
  /** The response to a request whose scopes are not all of the app's products, before anything is shown. */
  function unauthorized(request: SandboxRequest, requested: readonly string[]): SandboxReply | null {
    const authorized = new Set(products.flatMap((product) => scopesByProduct[product] ?? []))
    const scope = requested.find((name) => !authorized.has(name))
    const screenOfError: ConsentScreen = {
      ...screen,
      scopes: [],
      refusal: {
        ...screen.refusal,
        'deny-app': {
          error: 'unauthorized_scope_error',
          error_description: `Scope "${scope}" is not authorized for your application`,
        },
      },
    }
    return scope === undefined ? null : consentAnswer(screenOfError, request, options.clientId, 'deny-app')
  }

  function consent(request: SandboxRequest, choice: string | undefined): SandboxReply {
    const scopes = (request.query.get('scope') ?? '').split(/[ ,]+/).filter(Boolean)
    const refused = unauthorized(request, scopes)
    if (refused !== null) return refused
    return choice === undefined
      ? consentPage({ ...screen, scopes }, request, options.clientId)
      : consentAnswer({ ...screen, scopes }, request, options.clientId, choice)
  }

  const secondsLeft = (grant: Grant) =>
    Math.floor((grant.grantedAt + CONSENT_SECONDS * 1000 - options.now().getTime()) / 1000)

  function token(request: SandboxRequest): SandboxReply {
    const form = readFields(request)
    if (!tokens.knowsClient(form.client_id ?? null, form.client_secret ?? null))
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: 'Client authentication failed' },
      }
    const issued =
      form.grant_type === 'refresh_token'
        ? tokens.refresh(isPartner ? (form.refresh_token ?? '') : '')
        : tokens.redeemCode({
            code: form.code ?? '',
            redirectUri: form.redirect_uri ?? '',
            codeVerifier: null,
          })
    if ('error' in issued)
      return { status: 400, body: { error: 'invalid_request', error_description: issued.description } }
    const remainingSeconds = secondsLeft(issued.grant)
    return {
      status: 200,
      delayMs: issued.delayMs,
      body: {
        access_token: issued.accessToken,
        expires_in: Math.min(issued.expiresInSeconds, remainingSeconds),
        ...(isPartner
          ? { refresh_token: issued.refreshToken, refresh_token_expires_in: remainingSeconds }
          : {}),
        scope: issued.grant.scopes.join(','),
        token_type: 'Bearer',
      },
    }
  }

  return {
    tokens,
    /** Whether the app is an approved partner, which gets refresh tokens. */
    setPartner(on: boolean) {
      isPartner = on
    },
    /** The products that LinkedIn approved for the app. */
    setProducts(names: readonly string[]) {
      products = names.filter((name) => allProducts.includes(name))
    },
    allProducts,
    untick(scope: string | null) {
      unticked = scope
    },
    /** Null if the path is not an OAuth route. */
    route(request: SandboxRequest): SandboxReply | null {
      if (request.path === '/oauth/v2/authorization') return consent(request, undefined)
      const choice = /^\/consent\/([\w-]+)$/.exec(request.path)?.[1]
      if (choice !== undefined) return consent(request, choice)
      return request.path === '/oauth/v2/accessToken' && request.method === 'POST' ? token(request) : null
    },
    authenticate(request: SandboxRequest): Grant | null {
      const grant = tokens.authenticate(bearerOf(request))
      return grant === null || secondsLeft(grant) <= 0 ? null : grant
    },
    refused: () => refuse(401, 'INVALID_ACCESS_TOKEN', 'Invalid access token', 65600),
  }
}
