/** What people state about ads, and which statement decides. Pure. */
import { consentSignals, type consentSources } from '../../../platform/contract/consent.ts'
import type { StoredEvent } from '../events/stored.ts'

export const purposes = ['ad_user_data', 'ad_personalization'] as const
export type Purpose = (typeof purposes)[number]

export type ConsentSource = (typeof consentSources)[number]

export type Stated = { state: 'granted' | 'denied'; source: ConsentSource; statedAt: Date }
/** The statement that applies to each purpose; null if there is none. */
export type Consent = Record<Purpose, Stated | null>
export const noConsent: Consent = { ad_user_data: null, ad_personalization: null }

export type Statement = Stated & { identifierId: string; purpose: Purpose; eventId: string }

type ConsentPart = Pick<StoredEvent, 'occurredAt' | 'source'> & {
  /** Unvalidated `properties.consent`. */
  consent: unknown
  signals: readonly string[] | null
}

/** `properties.consent` of an event: `{ ad_user_data, ad_personalization }`, each granted or denied, or true or false. */
export function readConsent({ consent, signals, source, occurredAt }: ConsentPart): Consent {
  const sent = (typeof consent === 'object' && consent !== null ? consent : {}) as Record<string, unknown>
  const isOptedOut = sent.gpc === true || signals?.includes('gpc') === true
  const statedBy = isOptedOut ? 'gpc' : (consentSignals.find((name) => signals?.includes(name)) ?? source)
  const read = (value: unknown): Stated | null => {
    const isDenied = isOptedOut || value === false || value === 'denied'
    if (!isDenied && value !== true && value !== 'granted') return null
    return { state: isDenied ? 'denied' : 'granted', source: statedBy, statedAt: occurredAt }
  }
  return { ad_user_data: read(sent.ad_user_data), ad_personalization: read(sent.ad_personalization) }
}

/**
 * A refusal counts for every identifier of the event, a grant for the strongest only: on a shared device it must not
 * lift the refusal of another person.
 */
export function statementsOf(
  event: Pick<StoredEvent, 'id' | 'occurredAt' | 'source' | 'isBot' | 'body'>,
): Statement[] {
  const { identifiers, properties, consent_signals: signals = null } = event.body
  if (event.isBot || (properties?.consent === undefined && signals === null)) return []
  const consent = readConsent({ ...event, consent: properties?.consent, signals })
  return purposes.flatMap((purpose) => {
    const stated = consent[purpose]
    if (stated === null) return []
    const ids = stated.state === 'denied' ? identifiers : identifiers.slice(0, 1)
    return ids.map(({ id }) => ({ ...stated, identifierId: id, purpose, eventId: event.id }))
  })
}

/** The later one; of two at the same time the refusal. */
export function laterOf<T extends Stated>(first: T | null, second: T | null): T | null {
  if (first === null || second === null) return first ?? second
  const difference = second.statedAt.getTime() - first.statedAt.getTime()
  return difference > 0 || (difference === 0 && second.state === 'denied') ? second : first
}

/** The refusal, if either is one. */
export function stricterOf(first: Consent, second: Consent): Consent {
  const pick = (a: Stated | null, b: Stated | null) => {
    if (a?.state === 'denied' && b?.state !== 'denied') return a
    return b?.state === 'denied' && a?.state !== 'denied' ? b : laterOf(a, b)
  }
  return {
    ad_user_data: pick(first.ad_user_data, second.ad_user_data),
    ad_personalization: pick(first.ad_personalization, second.ad_personalization),
  }
}

export const isRefused = ({ ad_user_data: userData, ad_personalization: personalization }: Consent) =>
  userData?.state === 'denied' || personalization?.state === 'denied'

export type AppliedConsent = {
  ad_user_data: 'granted' | 'denied' | 'unspecified'
  ad_personalization: 'granted' | 'denied' | 'unspecified'
  source: ConsentSource | null
  stated_at: Date | null
}

/** With its source: that of `ad_user_data`, or of `ad_personalization` if nothing is stated about the first. */
export function toApplied(
  consent: Consent,
  fallback: AppliedConsent['ad_user_data'] = 'unspecified',
): AppliedConsent {
  const decisive = consent.ad_user_data ?? consent.ad_personalization
  return {
    ad_user_data: consent.ad_user_data?.state ?? fallback,
    ad_personalization: consent.ad_personalization?.state ?? fallback,
    source: decisive?.source ?? (fallback === 'unspecified' ? null : 'default'),
    stated_at: decisive?.statedAt ?? null,
  }
}
