/** The consent, token and revocation endpoints of the search-engine platform's sandboxes. */

import { type ConsentScreen, consentAnswer, consentPage } from './consent.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from './sandbox.ts'
import { type Grant, TokenServer } from './tokens.ts'

export type EngineSandboxOAuth = {
  tokens: TokenServer
  /** From now on people untick this permission on the consent screen, or all of them if null. */
  untickPermission(scope: string | null): void
  /** People grant all requested permissions again. */
  tickPermission(): void
  /** Null if the path is not an OAuth route. */
  route(request: SandboxRequest): SandboxReply | null
  authenticate(request: SandboxRequest): Grant | SandboxReply
  /** Handles OAuth routes and authentication, then calls the API. */
  answer<T extends SandboxReply | Promise<SandboxReply>>(
    request: SandboxRequest,
    api: (request: SandboxRequest, grant: Grant) => T,
  ): SandboxReply | T
}

export function engineError(
  httpStatus: number,
  status: string,
  message: string,
  extraFields: object = {},
): SandboxReply {
  return { status: httpStatus, body: { error: { code: httpStatus, message, status, ...extraFields } } }
}

export function engineSandboxOAuth(
  options: SandboxOptions,
  screen: Pick<ConsentScreen, 'providerName' | 'accounts' | 'scopes' | 'oneAccount'>,
): EngineSandboxOAuth {
  const tokens = new TokenServer({ ...options, accessTtlSeconds: 3600, rotates: false })
  let unticked: 'all' | string | null = null
  const granted = (scopes: string[]) =>
    unticked === 'all' ? ['openid'] : scopes.filter((scope) => scope !== unticked)
  const consent: ConsentScreen = {
    ...screen,
    refusal: {
      decline: { error: 'access_denied' },
      'deny-app': { error: 'admin_policy_enforced', error_subtype: 'access_not_configured' },
      'provider-error': { error: 'server_error' },
    },
    issueCode: (request) => tokens.issueCode({ ...request, scopes: granted(request.scopes) }),
    redirectOrigins: options.extra.redirectOrigins?.split(' ') ?? [],
  }

  function token(form: URLSearchParams): SandboxReply {
    if (!tokens.knowsClient(form.get('client_id'), form.get('client_secret'))) {
      return { status: 401, body: { error: 'invalid_client', error_description: 'Unauthorized' } }
    }
    const isRefresh = form.get('grant_type') === 'refresh_token'
    const issued = isRefresh
      ? tokens.refresh(form.get('refresh_token') ?? '')
      : tokens.redeemCode({
          code: form.get('code') ?? '',
          redirectUri: form.get('redirect_uri') ?? '',
          codeVerifier: form.get('code_verifier'),
        })
    if ('error' in issued) {
      return { status: 400, body: { error: issued.error, error_description: issued.description } }
    }
    return {
      status: 200,
      delayMs: issued.delayMs,
      body: {
        access_token: issued.accessToken,
        expires_in: issued.expiresInSeconds,
        // The platform's refresh token never changes and is sent only for the code.
        ...(isRefresh ? {} : { refresh_token: issued.refreshToken }),
        scope: issued.grant.scopes.join(' '),
        token_type: 'Bearer',
      },
    }
  }

  return {
    tokens,
    untickPermission(scope) {
      unticked = scope ?? 'all'
    },
    tickPermission() {
      unticked = null
    },
    route(request) {
      const form = new URLSearchParams(new TextDecoder().decode(request.body))
      const [, first = '', second = ''] = request.path.split('/')
      if (request.path === '/o/oauth2/v2/auth') return consentPage(consent, request, options.clientId)
      if (first === 'consent') return consentAnswer(consent, request, options.clientId, second)
      if (request.path === '/token') return token(form)
      if (request.path === '/revoke') {
        return tokens.revoke(form.get('token') ?? '')
          ? { status: 200, body: {} }
          : { status: 400, body: { error: 'invalid_token', error_description: 'Token expired or revoked' } }
      }
      return null
    },
    authenticate(request) {
      const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
      const grant = tokens.authenticate(bearer)
      return grant ?? engineError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    },
    answer(request, api) {
      const reply = this.route(request)
      if (reply !== null) return reply
      const grant = this.authenticate(request)
      return 'status' in grant ? grant : api(request, grant)
    },
  }
}
