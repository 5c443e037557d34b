/** What a route may answer that asks a provider at the time of the call. */
export const providerErrors = [
  'not_found',
  'connection_not_ready',
  'connection_revoked',
  'provider_error',
  'service_unavailable',
  'provider_not_configured',
] as const
