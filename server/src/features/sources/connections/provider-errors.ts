/** What a route may answer that asks a provider at the time of the call. */
export const liveErrors = [
  'connection_not_ready',
  'provider_error',
  'service_unavailable',
  'provider_not_configured',
] as const
export const providerErrors = [...liveErrors, 'not_found', 'connection_revoked'] as const
