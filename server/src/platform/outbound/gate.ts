/**
 * Privacy filter for everything sent to an ad platform, a partner's webhook or a log, in every privacy mode. Query
 * strings are reduced to an allow list, and free text that looks like an email address or a phone number is
 * redacted or dropped. Matching keys (email, phone, external id) are not free text: connectors hash them. Pure.
 */
import { isIP } from 'node:net'
import type { ClearedConversion, ExportConversion } from '../../connectors/exports.ts'
import { clickIdPlatforms } from '../contract/click-ids.ts'
import { digitsOf, isPersonal, REDACTED, withoutPersonalValues } from '../contract/personal-values.ts'

/** Campaign tags and click ids, which ad platforms add to links. */
const allowedParameters = new Set(
  [
    ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'],
    ...Object.keys(clickIdPlatforms),
  ].map((name) => name.toLowerCase()),
)

/** Number of trailing digits that identify a person's number with or without country code. */
const KNOWN_DIGITS = 8
const REDACTED_SEGMENT = '-'

type Check = (text: string) => boolean

/** Also detects the person's own number written as plain digits, which otherwise could be any id. */
export function checkFor(phones: readonly string[]): Check {
  const tails = phones.map((phone) => digitsOf(phone).slice(-KNOWN_DIGITS)).filter((tail) => tail.length > 6)
  return (text) => {
    if (isPersonal(text)) return true
    if (tails.length === 0) return false
    const digits = digitsOf(text)
    return tails.some((tail) => digits.includes(tail))
  }
}

/** Null if it is not a web page. User info and fragment are dropped; a personal path segment becomes "-". */
export function clearUrl(text: string, check: Check = isPersonal): string | null {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || check(url.hostname)) return null
  const path = url.pathname
    .split('/')
    .map((segment) => (check(segment) ? REDACTED_SEGMENT : segment))
    .join('/')
  const query = new URLSearchParams()
  for (const [name, value] of url.searchParams)
    if (allowedParameters.has(name.toLowerCase()) && !check(value)) query.append(name, value)
  const search = query.size === 0 ? '' : `?${query}`
  return `${url.origin}${check(path) ? '/' : path}${search}`
}

/** Newer scripts of the platform append a short suffix. */
const cookieForm = /^fb\.\d{1,2}\.\d{1,16}\.[\w-]+(?:\.[\w-]{1,16})?$/
/**
 * Formats of cookie-based click ids: a browser can send any text, and a malformed one makes the platform reject a
 * whole batch.
 */
const clickForms: Record<string, RegExp> = {
  fbc: /^fb\.\d{1,2}\.\d{13}\.[\w-]+(?:\.[\w-]{1,16})?$/,
  ttp: /^[\w.-]{1,200}$/,
}
const countryForm = /^[A-Za-z]{2}$/

/** The only function that creates a conversion that may be sent to a platform. */
export function clearConversion(conversion: ExportConversion): ClearedConversion {
  const { person } = conversion
  const check = checkFor(person.phones)
  const orNull = (text: string | null, isKept: (text: string) => boolean) =>
    text !== null && isKept(text) ? text : null
  const cleared: ExportConversion = {
    ...conversion,
    dedupId: check(conversion.dedupId) ? conversion.eventId : conversion.dedupId,
    eventName: withoutPersonalValues(conversion.eventName),
    sourceUrl: conversion.sourceUrl === null ? null : clearUrl(conversion.sourceUrl, check),
    orderId: orNull(conversion.orderId, (id) => !check(id)),
    clicks: conversion.clicks.filter(
      ({ kind, id }) => !/\s/.test(id) && clickForms[kind]?.test(id) !== false && !check(id),
    ),
    person: {
      ...person,
      // Only the postal code is sent unhashed.
      address: person.address && {
        ...person.address,
        postalCode: orNull(person.address.postalCode, (code) => !check(code)),
      },
      browserId: orNull(person.browserId, (id) => cookieForm.test(id) && !check(id)),
      ip: orNull(person.ip, (ip) => isIP(ip) !== 0),
      userAgent: person.userAgent === null ? null : clearText(person.userAgent, check),
      country: orNull(person.country, (country) => countryForm.test(country)),
    },
  }
  return cleared as ClearedConversion
}

function clearText(text: string, check: Check): string {
  const cut = withoutPersonalValues(text)
  return check(cut) ? REDACTED : cut
}

/** The data of an event for partners; contacts are added later, for subscriptions that may see them. */
export function clearData<Data>(data: Data): Data {
  return cleared(data) as Data
}

function cleared(value: unknown): unknown {
  if (typeof value === 'string') return clearWebhookText(value)
  if (Array.isArray(value)) return value.map(cleared)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleared(member)]))
}

function clearWebhookText(text: string): string {
  return /^https?:\/\//i.test(text) ? (clearUrl(text) ?? REDACTED) : withoutPersonalValues(text)
}
