/**
 * Conversions to a conversion rule of the ad account (Conversions API). Body and limits: learn.microsoft.com/en-us/linkedin/
 * marketing/integrations/ads-reporting/conversions-api and its schema (view li-lms-2026-03), read 2026-11-17; LinkedIn's
 * Postman collection for the response.
 */
import { z } from 'zod'
import { minorToDecimal } from '../amounts.ts'
import {
  type ExportConversion,
  type ExportPreview,
  type ExportReply,
  type ExportTarget,
  ProviderError,
  type Session,
} from '../connector.ts'
import {
  acceptedResult,
  assertBatch,
  failedResult,
  hashAll,
  isAboutDestination,
  isOlderThan,
  newestClick,
  nothingSent,
  type RefusalCode,
  type SendOutcome,
  splitRefused,
  toExportReply,
} from '../export-results.ts'
import { exportRules } from '../export-rules.ts'
import { refusalByStatus } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { callRest } from './calls.ts'
import { missingAbilities } from './products.ts'

const rules = exportRules.linkedin

/** People paste the number from Campaign Manager, or the URN. */
const conversionUrn = ({ id }: ExportTarget): string =>
  /^\d+$/.test(id) ? `urn:lla:llaPartnerConversion:${id}` : id

/** Names are not sent, because LinkedIn expects them as plain text. */
function userIds(conversion: ExportConversion): { idType: string; idValue: string }[] {
  const emails = hashAll(conversion.person.emails, (email) => email.trim().toLowerCase())
  const click = newestClick(conversion, 'li_fat_id')
  return [
    ...emails.map((idValue) => ({ idType: 'SHA256_EMAIL', idValue })),
    ...(click === null ? [] : [{ idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: click.id }]),
  ]
}

function refusalOf(conversion: ExportConversion, now: Date): RefusalCode | null {
  if (conversion.adjustment !== 'none') return 'adjustment_not_supported'
  // LinkedIn's schema has no field for limited data use.
  if (conversion.limitedDataUse) return 'limited_data_use'
  if (isOlderThan(conversion.occurredAt, rules.maxAgeDays, now)) return 'too_old'
  return userIds(conversion).length === 0 ? 'no_match_key' : null
}

const toEvent = (target: ExportTarget) => (conversion: ExportConversion) => ({
  conversion: conversionUrn(target),
  conversionHappenedAt: Date.parse(conversion.occurredAt),
  ...(conversion.value === null
    ? {}
    : {
        conversionValue: {
          currencyCode: conversion.value.currency,
          amount: minorToDecimal(conversion.value),
        },
      }),
  user: { userIds: userIds(conversion) },
  eventId: conversion.dedupId,
})

export function previewExport(
  _: unknown,
  target: ExportTarget,
  conversions: ExportConversion[],
  now: Date,
): ExportPreview {
  const { events, refused } = splitRefused(
    conversions,
    (conversion) => refusalOf(conversion, now),
    toEvent(target),
  )
  return { bodies: events.length === 0 ? [] : [{ elements: events }], refused }
}

const EventsResponse = z.looseObject({
  elements: z.array(z.looseObject({ status: z.number(), error: z.looseObject({ message: text }).nullish() })),
})

export async function exportConversions(
  session: Session,
  target: ExportTarget,
  conversions: ExportConversion[],
  now: Date,
): Promise<ExportReply> {
  assertBatch(conversions, rules.maxBatch)
  const { sendable, refused } = splitRefused(
    conversions,
    (conversion) => refusalOf(conversion, now),
    toEvent(target),
  )
  const sent = sendable.length === 0 ? nothingSent : await send(session, target, sendable)
  return toExportReply(conversions, refused, sent, 'success')
}

/** The response has a status per event. */
async function send(session: Session, target: ExportTarget, batch: ExportConversion[]): Promise<SendOutcome> {
  const missing = missingAbilities(session).find(({ externalId }) => externalId === 'conversions')
  if (missing !== undefined)
    throw new ProviderError('permission_missing', missing.reason, { providerCode: 'scope_missing' })
  try {
    const { elements } = await callRest(session, '/conversionEvents', {
      restliMethod: 'BATCH_CREATE',
      json: { elements: batch.map(toEvent(target)) },
      schema: EventsResponse,
    })
    if (elements.length !== batch.length)
      throw new ProviderError('malformed', 'LinkedIn’s response does not match the sent events')
    const results = batch.map((conversion, index) => {
      const { status, error } = elements[index]!
      return status < 300
        ? acceptedResult(conversion)
        : failedResult(conversion, refusalByStatus(status, error, null))
    })
    return { requestId: null, retryAfterSeconds: null, results }
  } catch (error) {
    if (!(error instanceof ProviderError) || isAboutDestination(error)) throw error
    const { retryAfterSeconds } = error
    return {
      requestId: null,
      retryAfterSeconds,
      results: batch.map((conversion) => failedResult(conversion, error)),
    }
  }
}
