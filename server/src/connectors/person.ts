/** What a provider recorded about a person, read out of free-form places (URLs, metadata, attributes). */
import { clickIdPlatforms } from '../platform/contract/click-ids.ts'
import { findCountry } from '../platform/contract/countries.ts'
import type { PersonRecord } from './connector.ts'

/** With the social platform's own cookies next to the parameters of its links; in lower case, as they are looked for. */
const clickIdNames = [...Object.keys(clickIdPlatforms), 'fbc', 'fbp'].map((name) => name.toLowerCase())

const anonymousIdNames = ['whence_anonymous_id', 'anonymous_id', '_whence_id', 'whence_id']

/** What is known of the visit that brought a person. */
export type Tracking = Pick<PersonRecord, 'anonymousId' | 'clickIds' | 'ad' | 'utm'>

export function emptyPerson(): PersonRecord {
  return {
    contactId: null,
    email: null,
    phone: null,
    firstName: null,
    lastName: null,
    externalId: null,
    anonymousId: null,
    clickIds: {},
    ad: { adId: null, adSetId: null, campaignId: null },
    visitedAt: null,
  }
}

/** The country of an address, where it is an ISO 3166 code. */
export function countryIn(code: string | null | undefined): { country?: string } {
  const country = findCountry(code)
  return country === undefined ? {} : { country }
}

/** The tracker's own id, click ids and ad ids among free key-value pairs. Leading underscores hide a key at some providers. */
export function readTrackingPairs(pairs: Record<string, string>): Tracking {
  const values = new Map(
    Object.entries(pairs)
      .map(([key, value]) => [key.toLowerCase().replace(/^_+(?!whence)/, ''), value.trim()] as const)
      .filter(([, value]) => value !== ''),
  )
  const clickIds: Record<string, string> = {}
  for (const name of clickIdNames) {
    const value = values.get(name)
    if (value !== undefined) clickIds[name] = value
  }
  const anonymousName = anonymousIdNames.find((name) => values.has(name))
  return {
    anonymousId: anonymousName === undefined ? null : values.get(anonymousName)!,
    clickIds,
    ad: {
      adId: values.get('ad_id') ?? null,
      adSetId: values.get('adset_id') ?? values.get('ad_set_id') ?? null,
      campaignId: values.get('campaign_id') ?? null,
    },
  }
}

/** The same out of a landing URL, absolute or only a path. */
export function readTrackingUrl(url: string | null): Tracking {
  return readTrackingPairs(queryOf(url))
}

export const utmNames = ['source', 'medium', 'campaign', 'content', 'term'] as const

/** The UTM parameters of a landing URL. */
export function readUtm(url: string | null): Record<string, string> {
  const query = queryOf(url)
  return Object.fromEntries(
    utmNames.flatMap((name) => (query[`utm_${name}`] ? [[name, query[`utm_${name}`]!]] : [])),
  )
}

function queryOf(url: string | null): Record<string, string> {
  const query = url?.split('#')[0]?.split('?').slice(1).join('?') ?? ''
  return Object.fromEntries(new URLSearchParams(query))
}

/**
 * A payment's one free reference where nothing else can carry the visitor: `whence_<id>` alone or after the
 * shop's own reference and an underscore. What does not end so is the shop's own as a whole.
 */
export function readReference(reference: string | null): { own: string | null; anonymousId: string | null } {
  const parts = /^(?:(.+)_)?whence_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(reference ?? '')
  if (parts === null) return { own: reference, anonymousId: null }
  return { own: parts[1] ?? null, anonymousId: parts[2]! }
}

/** Lays what the second source says under what the first one said. UTM parameters belong together: they are one link's. */
export function mergeTracking(first: Tracking, second: Tracking): Tracking {
  const utm = first.utm ?? second.utm
  return {
    anonymousId: first.anonymousId ?? second.anonymousId,
    clickIds: { ...second.clickIds, ...first.clickIds },
    ad: {
      adId: first.ad.adId ?? second.ad.adId,
      adSetId: first.ad.adSetId ?? second.ad.adSetId,
      campaignId: first.ad.campaignId ?? second.ad.campaignId,
    },
    ...(utm === undefined ? {} : { utm }),
  }
}

/** Providers that hold one name field: the last word is the family name. */
export function splitName(name: string | null | undefined): {
  firstName: string | null
  lastName: string | null
} {
  const words = (name ?? '').trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { firstName: null, lastName: null }
  if (words.length === 1) return { firstName: words[0]!, lastName: null }
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1)! }
}
