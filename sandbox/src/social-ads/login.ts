/** The dialog and the token endpoint: tokens of a person, or of a system user if a configuration requests them. */
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { hmacSha256 } from '../hmac.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { type Grant, TokenServer } from '../tokens.ts'
import { graphError, readForm } from './replies.ts'

/** All permissions that an app can request. */
const knownScopes = [
  'ads_read',
  'ads_management',
  'business_management',
  'pages_show_list',
  'pages_manage_metadata',
  'pages_read_engagement',
  'pages_manage_ads',
  'leads_retrieval',
  'pages_messaging',
  'instagram_basic',
  'instagram_manage_messages',
  'whatsapp_business_management',
  'whatsapp_business_messaging',
  'page_events',
  'whatsapp_business_manage_events',
  'public_profile',
]
const shortTtlSeconds = 3600
const longTtlSeconds = 60 * 86_400
const endlessTtlSeconds = 50 * 365 * 86_400

const refusal: ConsentScreen['refusal'] = {
  decline: {
    error: 'access_denied',
    error_code: '200',
    error_description: 'Permissions error',
    error_reason: 'user_denied',
  },
  'deny-app': {
    error_code: '1349126',
    error_message: 'App not active: this app is not currently accessible',
  },
  'provider-error': {
    error: 'server_error',
    error_code: '2',
    error_description: 'Service temporarily unavailable',
  },
}

export function createLogin(options: SandboxOptions, accounts: ConsentScreen['accounts']) {
  const tokens = new TokenServer({ ...options, accessTtlSeconds: shortTtlSeconds, rotates: false })
  const systemUserCodes = new Set<string>()
  const systemUserGrants = new Set<string>()
  let longTtl = longTtlSeconds

  /** With a configuration all of its permissions are granted; otherwise the requested ones. */
  function screenFor(request: SandboxRequest): ConsentScreen {
    const isConfigured = request.query.has('config_id')
    const requestedScopes = (request.query.get('scope') ?? '').split(',')
    return {
      providerName: 'Meta',
      accounts,
      scopes: knownScopes.filter(
        (scope) => isConfigured || scope === 'public_profile' || requestedScopes.includes(scope),
      ),
      refusal,
      issueCode(codeRequest) {
        const code = tokens.issueCode(codeRequest)
        if (isConfigured) systemUserCodes.add(code)
        return code
      },
      redirectOrigins: options.extra.redirectOrigins?.split(' ') ?? [],
    }
  }

  function problemWith(request: SandboxRequest): SandboxReply | null {
    const config = request.query.get('config_id')
    const unknown = (request.query.get('scope') ?? '')
      .split(',')
      .filter((scope) => scope !== '' && !knownScopes.includes(scope))
    if (unknown.length > 0) return { status: 400, body: `Invalid Scopes: ${unknown.join(', ')}` }
    if (config !== null && config !== options.extra.configId)
      return { status: 400, body: 'The config_id does not belong to this app.' }
    return null
  }

  function token(request: SandboxRequest): SandboxReply {
    const form = { ...Object.fromEntries(request.query), ...readForm(request) }
    if (!tokens.knowsClient(form.client_id ?? null, form.client_secret ?? null))
      return graphError(
        400,
        101,
        'Error validating application. Cannot get application info due to a system error.',
      )
    const isExchange = form.grant_type === 'fb_exchange_token'
    const issued = isExchange
      ? tokens.extend(form.fb_exchange_token ?? '', longTtl)
      : tokens.redeemCode({
          code: form.code ?? '',
          redirectUri: form.redirect_uri ?? '',
          codeVerifier: form.code_verifier ?? null,
        })
    if ('error' in issued) {
      // An expired token is error 190, an invalid code is error 100.
      return isExchange
        ? graphError(400, 190, 'Error validating access token', 460)
        : graphError(400, 100, 'This authorization code has been used or is invalid.', 36009)
    }
    const { delayMs, grant } = issued
    if (!isExchange && systemUserCodes.has(form.code ?? '')) {
      systemUserGrants.add(grant.id)
      const endless = tokens.extend(issued.accessToken, endlessTtlSeconds)
      if (!('error' in endless))
        return { status: 200, delayMs, body: { access_token: endless.accessToken, token_type: 'bearer' } }
    }
    return {
      status: 200,
      delayMs,
      body: { access_token: issued.accessToken, token_type: 'bearer', expires_in: issued.expiresInSeconds },
    }
  }

  /** Only the app itself may inspect a token. */
  function inspect(request: SandboxRequest): SandboxReply {
    if (tokenOf(request) !== `${options.clientId}|${options.clientSecret}`)
      return graphError(400, 190, 'Invalid OAuth access token.')
    const grant = tokens.authenticate(request.query.get('input_token'))
    if (grant === null) return { status: 200, body: { data: { is_valid: false, scopes: [] } } }
    const type = systemUserGrants.has(grant.id) ? 'SYSTEM_USER' : 'USER'
    const data = { app_id: options.clientId, type, is_valid: true, expires_at: 0, scopes: grant.scopes }
    return { status: 200, body: { data } }
  }

  function authenticate(request: SandboxRequest): Grant | SandboxReply {
    const accessToken = tokenOf(request)
    const grant = tokens.authenticate(accessToken)
    if (!grant)
      return graphError(400, 190, 'Error validating access token: the session has been invalidated.', 460)
    const proof = request.query.get('appsecret_proof')
    if (proof !== null && proof !== hmacSha256(options.clientSecret, accessToken!).toString('hex'))
      return graphError(400, 100, 'Invalid appsecret_proof provided in the API argument')
    return grant
  }

  return {
    tokens,
    authenticate,
    token,
    inspect,
    page: (request: SandboxRequest) =>
      problemWith(request) ?? consentPage(screenFor(request), request, options.clientId),
    answer: (request: SandboxRequest, choice: string) =>
      problemWith(request) ?? consentAnswer(screenFor(request), request, options.clientId, choice),
    setLongTtl(seconds: number | null) {
      longTtl = seconds ?? longTtlSeconds
      if (seconds !== null) tokens.setAccessTtl(seconds)
    },
  }
}

/** From the header, or from the query, where the platform's own clients send it. */
export function tokenOf(request: SandboxRequest): string | null {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? request.query.get('access_token')
}
