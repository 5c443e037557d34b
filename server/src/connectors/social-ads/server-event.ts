/** Maps a conversion to a server event of the platform (Conversions API). Pure, because previews use it too. */
import { minorToDecimal } from '../amounts.ts'
import type { ExportAddress, ExportClick, ExportConversion } from '../connector.ts'
import { hashAll, isOlderThan, newestClick, omitEmpty, type RefusalCode } from '../export-results.ts'
import { exportRules } from '../export-rules.ts'
import { lookUp } from '../look-up.ts'

/** This platform keeps dots and plus signs. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()
/** Country code and number, digits only. */
export const normalisePhone = (phone: string): string => phone.replace(/\D/g, '').replace(/^0+/, '')
/** Lower case like the platform's own classes, because the pixel hashes the same id that way. */
export const normaliseExternalId = (id: string): string => id.trim().toLowerCase()

export function refusalOf(conversion: ExportConversion, now: Date): RefusalCode | null {
  if (conversion.adjustment !== 'none') return 'adjustment_not_supported'
  if (isOlderThan(conversion.occurredAt, exportRules.social.maxAgeDays, now)) return 'too_old'
  return Object.keys(matchKeys(conversion)).length === 0 ? 'no_match_key' : null
}

/** Id of an instant form's lead. A value of another form would make the platform reject the batch. */
const leadIdOf = ({ person }: ExportConversion) =>
  person.leadId !== null && /^\d{15,17}$/.test(person.leadId) ? person.leadId : undefined

/** The cookie's value if known, else built from the click id in the same format. */
function clickKey(conversion: ExportConversion): string | undefined {
  const cookie = newestClick(conversion, 'fbc')
  if (cookie !== null) return cookie.id
  const click: ExportClick | null = newestClick(conversion, 'fbclid')
  return click === null ? undefined : `fb.1.${Date.parse(click.seenAt)}.${click.id}`
}

/** Normalisation as in the platform's own classes. */
const normaliseName = (name: string): string => name.trim().toLowerCase()
const normalisePlace = (place: string): string => normaliseName(place).replace(/[0-9\s().-]/g, '')
/** ZIP+4 codes are cut to five digits. */
function normalisePostalCode(code: string): string {
  const first = normaliseName(code).replace(/\s/g, '').split('-', 1)[0]!
  return first.length < 2 ? '' : first
}

function addressKeys(address: ExportAddress | null): Record<string, unknown> {
  if (address === null) return {}
  const hashed = (value: string | null, normalise: (value: string) => string) =>
    value === null ? [] : hashAll([value], normalise)
  return {
    fn: hashed(address.firstName, normaliseName),
    ln: hashed(address.lastName, normaliseName),
    ct: hashed(address.city, normalisePlace),
    st: hashed(address.region, normalisePlace),
    zp: hashed(address.postalCode, normalisePostalCode),
    country: hashed(address.country, normaliseName),
  }
}

const messagingChannels = { chatapp: 'whatsapp', pagechat: 'messenger', photoapp: 'instagram' } as const

/**
 * Parameters that identify a conversation: "Conversions API for Business Messaging" (updated 2026-05-05) and the list
 * of customer information parameters, read on 2026-11-17. A chat is identified by the click that opened it.
 */
export function conversationKeys(conversion: ExportConversion): Record<string, string> | null {
  const { messaging } = conversion
  if (messaging === undefined) return null
  const { channel, accountId, personId } = messaging
  if (channel === 'chatapp') {
    const click = newestClick(conversion, 'ctwa_clid')
    return click && { whatsapp_business_account_id: accountId, ctwa_clid: click.id }
  }
  if (personId === null) return null
  return channel === 'pagechat'
    ? { page_id: accountId, page_scoped_user_id: personId }
    : { ig_account_id: accountId, ig_sid: personId }
}

/** Leads of conversations have a different event name (general knowledge; no page of the platform was read for it). */
const messagingNames: Record<string, string> = { Lead: 'LeadSubmitted' }

/** Identifiers for matching, without IP address and user agent, which alone identify no one. */
function matchKeys(conversion: ExportConversion): Record<string, unknown> {
  const { emails, phones, externalIds, address, browserId } = conversion.person
  return omitEmpty({
    em: hashAll(emails, normaliseEmail),
    ph: hashAll(phones, normalisePhone),
    external_id: hashAll(externalIds, normaliseExternalId),
    ...addressKeys(address),
    fbc: clickKey(conversion),
    fbp: browserId ?? newestClick(conversion, 'fbp')?.id,
    lead_id: leadIdOf(conversion),
    ...conversationKeys(conversion),
  })
}

/** Website events require a URL and a user agent; without them an event is reported as system-generated. */
const isWebsite = ({ source, sourceUrl, person }: ExportConversion) =>
  source === 'website' && sourceUrl !== null && person.userAgent !== null

export function toServerEvent(conversion: ExportConversion): Record<string, unknown> {
  const { value, orderId, person } = conversion
  const messaging = conversationKeys(conversion) === null ? undefined : conversion.messaging
  const website = messaging === undefined && isWebsite(conversion)
  const isLeadStage = leadIdOf(conversion) !== undefined
  return omitEmpty({
    event_name:
      messaging === undefined
        ? conversion.eventName
        : (lookUp(messagingNames, conversion.eventName) ?? conversion.eventName),
    event_time: Math.floor(Date.parse(conversion.occurredAt) / 1000),
    event_id: conversion.dedupId,
    action_source: messaging ? 'business_messaging' : website ? 'website' : 'system_generated',
    messaging_channel: messaging && messagingChannels[messaging.channel],
    event_source_url: website ? conversion.sourceUrl : undefined,
    ...(conversion.limitedDataUse
      ? {
          data_processing_options: ['LDU'],
          // 0: the platform determines the person's location.
          data_processing_options_country: 0,
          data_processing_options_state: 0,
        }
      : {}),
    user_data: {
      ...matchKeys(conversion),
      ...omitEmpty({ client_ip_address: person.ip, client_user_agent: person.userAgent }),
    },
    custom_data: omitEmpty({
      value: value === null ? undefined : Number(minorToDecimal(value)),
      currency: value?.currency,
      order_id: orderId,
      ...(isLeadStage ? { event_source: 'crm', lead_event_source: 'Whence' } : {}),
    }),
  })
}
