/**
 * Maps a conversion to an event of Microsoft's Conversions API. Pure, because previews use it too. Fields and hashing
 * by "Conversions API (CAPI)" of 2026-08-04 in MicrosoftDocs/Advertising, read on 2026-11-17.
 */
import { minorToDecimal } from '../amounts.ts'
import type { ExportConversion } from '../connector.ts'
import { isOlderThan, newestClick, omitEmpty, type RefusalCode, sha256Hex } from '../export-results.ts'
import { exportRules } from '../export-rules.ts'
import { spellingsOf } from './clicks.ts'

/** As documented, for every domain: trimmed, dots and `+alias` of the local part removed, lower case. */
export function normaliseEmail(email: string): string {
  const trimmed = email.trim()
  const at = trimmed.lastIndexOf('@')
  if (at === -1) return ''
  const user = trimmed.slice(0, at).replaceAll('.', '').split('+')[0]!
  return user === '' ? '' : `${user}${trimmed.slice(at)}`.toLowerCase()
}

/** E.164 with its plus sign. */
export function normalisePhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return digits === '' ? '' : `+${digits}`
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The platform accepts only a UUID; landing URLs contain it without hyphens. */
function clickOf(conversion: ExportConversion): string | undefined {
  const click = newestClick(conversion, 'msclkid')
  return click === null ? undefined : spellingsOf(click.id).find((spelling) => uuid.test(spelling))
}

const hashOfFirst = (values: readonly string[], normalise: (value: string) => string): string | undefined => {
  const [first] = values.map(normalise).filter((value) => value !== '')
  return first === undefined ? undefined : sha256Hex(first)
}

/** One identifier of each kind; ids of people are always hashed. */
const identifiersOf = (conversion: ExportConversion) =>
  omitEmpty({
    msclkid: clickOf(conversion),
    em: hashOfFirst(conversion.person.emails, normaliseEmail),
    ph: hashOfFirst(conversion.person.phones, normalisePhone),
    externalId: hashOfFirst(conversion.person.externalIds, (id) => id.trim()),
  })

export function refusalOf(conversion: ExportConversion, now: Date): RefusalCode | null {
  if (conversion.adjustment !== 'none') return 'adjustment_not_supported'
  if (isOlderThan(conversion.occurredAt, exportRules.microsoft.maxAgeDays, now)) return 'too_old'
  return Object.keys(identifiersOf(conversion)).length === 0 ? 'no_match_key' : null
}

/** The platform treats missing consent as granted, so a denial is always sent. */
function consentOf({ consent, limitedDataUse }: ExportConversion): 'G' | 'D' | undefined {
  if (limitedDataUse || consent.adUserData === 'denied') return 'D'
  return consent.adUserData === 'granted' ? 'G' : undefined
}

export function toCapiEvent(conversion: ExportConversion): Record<string, unknown> {
  const { value, person } = conversion
  const custom = omitEmpty({
    value: value === null ? undefined : Number(minorToDecimal(value)),
    currency: value?.currency,
    transactionId: conversion.orderId,
  })
  return omitEmpty({
    eventType: 'custom',
    eventId: conversion.dedupId,
    eventName: conversion.eventName,
    eventTime: Math.floor(Date.parse(conversion.occurredAt) / 1000),
    eventSourceUrl: conversion.sourceUrl,
    adStorageConsent: consentOf(conversion),
    userData: {
      ...identifiersOf(conversion),
      ...omitEmpty({ clientIpAddress: person.ip, clientUserAgent: person.userAgent }),
    },
    customData: Object.keys(custom).length === 0 ? undefined : custom,
  })
}
