import { defaultKeyScopes, type Scope } from '@whence/server/platform/contract/access.ts'

/** Scope sets for common uses of a key; other sets are chosen scope by scope. */
export const keyPresets = {
  events: { label: 'Send events', scopes: ['events:write'] },
  reports: { label: 'Read reports', scopes: defaultKeyScopes },
  ads: { label: 'Change ads', scopes: ['campaigns:read', 'campaigns:apply'] },
  custom: { label: 'Custom', scopes: defaultKeyScopes },
} as const satisfies Record<string, { label: string; scopes: readonly Scope[] }>

export type KeyPreset = keyof typeof keyPresets

export type FirstRequest = {
  text: string
  /** Set if the request sends an event; used to detect its arrival. */
  idempotencyKey: string | null
}

/** A request that works with the key's scopes; null if there is no simple one. */
export function firstRequest(
  key: { key: string; scopes: readonly string[] },
  context: { api: string; today: string; id: string },
): FirstRequest | null {
  const authorization = `-H "Authorization: Bearer ${key.key}"`
  if (key.scopes.includes('events:write')) {
    const idempotencyKey = `first-event-${context.id}`
    // Not a conversion event, so the test does not change reports.
    const body = JSON.stringify({
      event_name: 'identify',
      idempotency_key: idempotencyKey,
      anonymous_id: 'first-event',
    })
    const text = `curl -X POST ${context.api}/events \\\n  ${authorization} \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`
    return { text, idempotencyKey }
  }
  if (!key.scopes.includes('campaigns:read')) return null
  const from = `${context.today.slice(0, 8)}01`
  return {
    text: `curl "${context.api}/campaigns?date_from=${from}&date_to=${context.today}" \\\n  ${authorization}`,
    idempotencyKey: null,
  }
}
