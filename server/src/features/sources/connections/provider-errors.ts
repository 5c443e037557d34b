/** Error codes of routes that query a provider during the request. */
export const liveErrors = [
  'connection_not_ready',
  'provider_error',
  'service_unavailable',
  'provider_not_configured',
] as const
export const providerErrors = [...liveErrors, 'not_found', 'connection_revoked'] as const
