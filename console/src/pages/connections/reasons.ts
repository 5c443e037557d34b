import type { Handoff } from '@whence/sdk'

type Reason = Extract<NonNullable<Handoff['result']>, { reason: unknown }>['reason']

/** Why a hand-off failed and what to do. */
const advice: Record<Reason, (provider: string) => string> = {
  user_cancelled: (provider) => `Access was declined at ${provider}. You can try again.`,
  provider_denied: (provider) =>
    `${provider} blocked this app. The account’s owner has to allow it there first.`,
  provider_error: (provider) => `${provider} had a problem on its side. Try again in a few minutes.`,
  token_exchange_failed: (provider) => `${provider} rejected the code it had just issued. Try again.`,
  account_connected_elsewhere: () =>
    'This account is connected to another profile of the workspace. Disconnect it there first.',
  no_candidates: (provider) => `The person has no account at ${provider} that can be connected.`,
  connect_failed: () => 'Consent was given, but saving the connection failed. Try again.',
  internal_error: () => 'Something failed before anything was saved. Try again.',
  state_expired: () => 'The provider’s page was open for more than 15 minutes. Try again.',
  state_invalid: () => 'The request could not be verified. Finish it in the browser in which you started it.',
  handoff_expired: () => 'The link has expired: it works for 45 minutes. Get a new one.',
  handoff_used: () => 'The link was already used. Get a new one.',
  provider_not_configured: (provider) =>
    `${provider} is not configured on this service. Its operator has to add the registration.`,
  origin_not_allowed: () => 'The app’s registration changed. Its return address has to be allowed again.',
}

export function adviceFor(reason: Reason, provider: string): string {
  return advice[reason](provider)
}
