/** Maps a conversion to an event of the platform's Events API. Pure, because previews use it too. */
import { minorToDecimal } from '../amounts.ts'
import type { ExportAddress, ExportConversion } from '../connector.ts'
import { hashAll, newestClick, omitEmpty, type RefusalCode } from '../export-results.ts'

export const normaliseEmail = (email: string): string => email.trim().toLowerCase()
/** Plus sign and digits. */
export const normalisePhone = (phone: string): string => {
  const digits = phone.replace(/\D/g, '')
  return digits === '' ? '' : `+${digits}`
}

export function refusalOf(conversion: ExportConversion): RefusalCode | null {
  if (conversion.adjustment !== 'none') return 'adjustment_not_supported'
  return hasMatchKey(conversion) ? null : 'no_match_key'
}

/** Whether `matchKeys` would return any key, without hashing. */
function hasMatchKey(conversion: ExportConversion): boolean {
  const { emails, phones, externalIds, address } = conversion.person
  const addressWords = [address?.firstName, address?.lastName, address?.postalCode]
  return (
    emails.some((email) => normaliseEmail(email) !== '') ||
    phones.some((phone) => normalisePhone(phone) !== '') ||
    externalIds.some((id) => id.trim() !== '') ||
    addressWords.some((word) => word != null && normaliseWord(word) !== '') ||
    conversion.clicks.some(({ kind }) => kind === 'ttclid' || kind === 'ttp')
  )
}

const normaliseWord = (word: string): string => word.replace(/\s/g, '').toLowerCase()

/** Only fields that the platform accepts hashed; it expects city, region and country unhashed. */
function addressKeys(address: ExportAddress | null): Record<string, unknown> {
  const hashed = (value: string | null | undefined) =>
    value == null ? undefined : hashAll([value], normaliseWord)[0]
  return {
    first_name: hashed(address?.firstName),
    last_name: hashed(address?.lastName),
    zip_code: hashed(address?.postalCode),
  }
}

function matchKeys(conversion: ExportConversion): Record<string, unknown> {
  const { emails, phones, externalIds, address } = conversion.person
  return omitEmpty({
    email: hashAll(emails, normaliseEmail),
    phone: hashAll(phones, normalisePhone),
    external_id: hashAll(externalIds, (id) => id.trim()),
    ...addressKeys(address),
    ttclid: newestClick(conversion, 'ttclid')?.id,
    ttp: newestClick(conversion, 'ttp')?.id,
  })
}

export function toTrackEvent(conversion: ExportConversion): Record<string, unknown> {
  const { value, orderId, sourceUrl, person } = conversion
  return omitEmpty({
    event: conversion.eventName,
    event_time: Math.floor(Date.parse(conversion.occurredAt) / 1000),
    event_id: conversion.dedupId,
    user: { ...matchKeys(conversion), ...omitEmpty({ ip: person.ip, user_agent: person.userAgent }) },
    page: sourceUrl === null ? undefined : { url: sourceUrl },
    limited_data_use: conversion.limitedDataUse ? true : undefined,
    properties: omitEmpty({
      value: value === null ? undefined : Number(minorToDecimal(value)),
      currency: value?.currency,
      order_id: orderId,
    }),
  })
}
