/** Maps a conversion to an event of the Data Manager API. Pure, because previews use it too. */
import { minorToDecimal } from '../amounts.ts'
import type {
  CustomerListBatch,
  CustomerListMember,
  ExportAccount,
  ExportConsent,
  ExportConversion,
} from '../connector.ts'
import { newestClick, type RefusalCode } from '../export-results.ts'
import { toUserIdentifiers } from './user-identifiers.ts'

type Json = Record<string, unknown>

const productAccount = (accountId: string): Json => ({ accountType: 'GOOGLE_ADS', accountId })

export const loginAccountOf = ({ token, app }: ExportAccount): string | undefined =>
  token.extra.loginCustomerId ?? app.extra.loginCustomerId

/** A conversion action or user list of the account; resource names are reduced to the id. */
export function toDestination(account: ExportAccount, id: string): Json {
  const login = loginAccountOf(account)
  return {
    operatingAccount: productAccount(account.accountId),
    ...(login === undefined ? {} : { loginAccount: productAccount(login) }),
    productDestinationId: id.split('/').at(-1)!,
  }
}

export function refusalOf(conversion: ExportConversion): RefusalCode | null {
  const isKnown = clickOf(conversion) !== undefined || toUserIdentifiers(conversion.person).length > 0
  return isKnown ? null : 'no_match_key'
}

/** The platform accepts one kind of click id; the first is the most precise. */
function clickOf(conversion: ExportConversion): Json | undefined {
  for (const kind of ['gclid', 'gbraid', 'wbraid']) {
    const click = newestClick(conversion, kind)
    if (click !== null) return { [kind]: click.id }
  }
  return undefined
}

const consentValues = {
  granted: 'CONSENT_GRANTED',
  denied: 'CONSENT_DENIED',
  unspecified: undefined,
} as const

/** Unspecified consent is omitted; where the law requires consent the platform treats it as denied. */
function toConsent({ adUserData, adPersonalization }: ExportConsent, limited = false): Json | undefined {
  const consent = omitEmpty({
    adUserData: consentValues[adUserData],
    adPersonalization: limited ? consentValues.denied : consentValues[adPersonalization],
  })
  return Object.keys(consent).length === 0 ? undefined : consent
}

const omitEmpty = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** A full refund restates the value to 0, because this API has no retraction. */
function moneyOf({ adjustment, value }: ExportConversion): Json {
  if (adjustment === 'retract') return omitEmpty({ conversionValue: 0, currency: value?.currency })
  return value === null ? {} : { conversionValue: Number(minorToDecimal(value)), currency: value.currency }
}

function eventSourceOf({ messaging, source }: ExportConversion): string {
  if (messaging !== undefined) return 'MESSAGE'
  return source === 'website' ? 'WEB' : 'OTHER'
}

export function toIngestEvent(conversion: ExportConversion): Json {
  const userIdentifiers = toUserIdentifiers(conversion.person)
  return omitEmpty({
    // A second event with the same id changes the value of the first.
    transactionId: conversion.dedupId,
    eventTimestamp: new Date(conversion.occurredAt).toISOString(),
    eventSource: eventSourceOf(conversion),
    adIdentifiers: clickOf(conversion),
    userData: userIdentifiers.length === 0 ? undefined : { userIdentifiers },
    consent: toConsent(conversion.consent, conversion.limitedDataUse),
    ...moneyOf(conversion),
  })
}

export const toAudienceMember = (member: CustomerListMember): Json | null => {
  const userIdentifiers = toUserIdentifiers(member)
  return userIdentifiers.length === 0 ? null : { userData: { userIdentifiers } }
}

export const toUpload = (destination: Json, members: Json[], batch: CustomerListBatch): Json =>
  omitEmpty({
    destinations: [destination],
    audienceMembers: members,
    consent: toConsent(batch.consent),
    encoding: 'HEX',
    // Only a person can accept terms; without an acceptance the account's settings apply.
    termsOfService: batch.termsAccepted ? { customerMatchTermsOfServiceStatus: 'ACCEPTED' } : undefined,
  })
