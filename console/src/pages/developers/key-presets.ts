import { defaultKeyScopes, type Scope } from '@whence/server/platform/contract/access.ts'

/** What most keys are for; any other set is chosen scope by scope. */
export const keyPresets = {
  events: { label: 'Send events', scopes: ['events:write'] },
  reports: { label: 'Read reports', scopes: defaultKeyScopes },
  ads: { label: 'Change ads', scopes: ['campaigns:read', 'campaigns:apply'] },
  custom: { label: 'Custom', scopes: defaultKeyScopes },
} as const satisfies Record<string, { label: string; scopes: readonly Scope[] }>

export type KeyPreset = keyof typeof keyPresets

export type FirstRequest = {
  text: string
  /** Set where the request sends an event, by which it is found when it arrives. */
  idempotencyKey: string | null
}

/** A request that works with the key as it is; null for scopes without a simple one. */
export function firstRequest(
  key: { key: string; scopes: readonly string[] },
  place: { api: string; today: string; id: string },
): FirstRequest | null {
  const authorization = `-H "Authorization: Bearer ${key.key}"`
  if (key.scopes.includes('events:write')) {
    const idempotencyKey = `first-event-${place.id}`
    // Counts as no conversion, so that trying it changes no report.
    const body = JSON.stringify({
      event_name: 'identify',
      idempotency_key: idempotencyKey,
      anonymous_id: 'first-event',
    })
    const text = `curl -X POST ${place.api}/events \\\n  ${authorization} \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`
    return { text, idempotencyKey }
  }
  if (!key.scopes.includes('campaigns:read')) return null
  const from = `${place.today.slice(0, 8)}01`
  return {
    text: `curl "${place.api}/campaigns?date_from=${from}&date_to=${place.today}" \\\n  ${authorization}`,
    idempotencyKey: null,
  }
}
