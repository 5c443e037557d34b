/** The token endpoint of the Microsoft identity platform, shared by mail, calendars and advertising. */

import { readFields } from './routes.ts'
import type { SandboxReply, SandboxRequest } from './sandbox.ts'
import { seededHex } from './seeded-random.ts'
import type { TokenServer } from './tokens.ts'

export function microsoftTokenError(
  number: number,
  error: string,
  message: string,
  status = 400,
): SandboxReply {
  const trace = seededHex(32, String(number))
  const body = {
    error,
    error_description: `AADSTS${number}: ${message} Trace ID: ${trace} Correlation ID: ${trace}`,
    error_codes: [number],
    trace_id: trace,
    correlation_id: trace,
  }
  return { status, body }
}

/** `refused` can refuse before the code or the refresh token is checked. */
export function microsoftToken(
  tokens: TokenServer,
  request: SandboxRequest,
  refusalFor: (isRefresh: boolean) => SandboxReply | null = () => null,
): SandboxReply {
  const form = readFields(request)
  if (!tokens.knowsClient(form.client_id ?? null, form.client_secret ?? null))
    return microsoftTokenError(7000215, 'invalid_client', 'Invalid client secret provided.', 401)
  const isRefresh = form.grant_type === 'refresh_token'
  const refusal = refusalFor(isRefresh)
  if (refusal !== null) return refusal
  const issued = isRefresh
    ? tokens.refresh(form.refresh_token ?? '')
    : tokens.redeemCode({
        code: form.code ?? '',
        redirectUri: form.redirect_uri ?? '',
        codeVerifier: form.code_verifier ?? null,
      })
  if ('error' in issued)
    return isRefresh
      ? microsoftTokenError(50173, issued.error, 'The provided grant has expired due to it being revoked.')
      : microsoftTokenError(70000, issued.error, 'The provided value for the code parameter is not valid.')
  return {
    status: 200,
    delayMs: issued.delayMs,
    body: {
      token_type: 'Bearer',
      scope: issued.grant.scopes.join(' '),
      expires_in: issued.expiresInSeconds,
      ext_expires_in: issued.expiresInSeconds,
      access_token: issued.accessToken,
      refresh_token: issued.refreshToken,
    },
  }
}
