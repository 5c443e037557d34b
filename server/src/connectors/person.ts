/** Extracts tracking data about a person from free-form fields of a provider (URLs, metadata, attributes). */
import { clickIdPlatforms } from '../platform/contract/click-ids.ts'
import { findCountry } from '../platform/contract/countries.ts'
import type { PersonRecord } from './connector.ts'

/** Click id parameters and the social platform's cookies, in lower case because keys are compared in lower case. */
const clickIdNames = [...Object.keys(clickIdPlatforms), 'fbc', 'fbp'].map((name) => name.toLowerCase())

const anonymousIdNames = ['whence_anonymous_id', 'anonymous_id', '_whence_id', 'whence_id']

/** Tracking data of the visit that led to a person's record. */
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

/** The field `country`, if the code is valid in ISO 3166. */
export function countryField(code: string | null | undefined): { country?: string } {
  const country = findCountry(code)
  return country === undefined ? {} : { country }
}

/** Finds the tracker's id, click ids and ad ids in key-value pairs. Leading underscores, which hide a key at some providers, are ignored. */
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

/** Finds the same in a landing URL, absolute or path only. */
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
 * Splits a payment's reference field, which carries the visitor where no other field can: `whence_<id>` alone, or
 * after the shop's reference and an underscore. Any other value is the shop's reference as a whole.
 */
export function readReference(reference: string | null): {
  shopReference: string | null
  anonymousId: string | null
} {
  const parts = /^(?:(.+)_)?whence_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(reference ?? '')
  if (parts === null) return { shopReference: reference, anonymousId: null }
  return { shopReference: parts[1] ?? null, anonymousId: parts[2]! }
}

/** Fills missing values of the first source from the second. UTM parameters are taken as a group, because they describe one link. */
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

/** For providers with a single name field: the last word is the family name. */
export function splitName(name: string | null | undefined): {
  firstName: string | null
  lastName: string | null
} {
  const words = (name ?? '').trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { firstName: null, lastName: null }
  if (words.length === 1) return { firstName: words[0]!, lastName: null }
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1)! }
}
