/** Conversions by click, and later corrections of them. */
import { z } from 'zod'
import { minorToDecimal } from '../amounts.ts'
import type { ExportConversion, ExportReply, ExportResult, ExportTarget, Session } from '../connector.ts'
import { newestClick } from '../export-results.ts'
import { text } from '../reply-fields.ts'
import { callAds } from './calls.ts'
import { toUserIdentifiers } from './user-identifiers.ts'

const UploadReply = z.looseObject({
  partialFailureError: z
    .looseObject({
      message: text,
      details: z
        .array(
          z.looseObject({
            errors: z
              .array(
                z.looseObject({
                  errorCode: z.record(z.string(), z.string()).nullish(),
                  message: text,
                  location: z
                    .looseObject({
                      fieldPathElements: z
                        .array(z.looseObject({ fieldName: text, index: z.coerce.number().nullish() }))
                        .nullish(),
                    })
                    .nullish(),
                }),
              )
              .nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
})
type UploadReply = z.infer<typeof UploadReply>

const batchSize = 2000

/** The platform has what we wanted to give it. */
const alreadyThere = new Set([
  'CLICK_CONVERSION_ALREADY_EXISTS',
  'ORDER_ID_ALREADY_IN_USE',
  'DUPLICATE_ORDER_ID',
  'CONVERSION_ALREADY_RETRACTED',
])
/** Time alone heals these: the click or the conversion is not processed yet. */
const healing = new Set([
  'TOO_RECENT_CONVERSION_ACTION',
  'TOO_RECENT_CONVERSION',
  'CONVERSION_NOT_FOUND',
  'INTERNAL_ERROR',
  'TRANSIENT_ERROR',
])

export async function exportConversions(
  session: Session,
  destination: ExportTarget,
  conversions: ExportConversion[],
): Promise<ExportReply> {
  const action = destination.id.startsWith('customers/')
    ? destination.id
    : `customers/${session.accountId}/conversionActions/${destination.id}`
  const clicks = conversions.filter(({ adjustment }) => adjustment === 'none')
  const adjustments = conversions.filter(({ adjustment }) => adjustment !== 'none')
  const results = [
    ...(await upload(session, 'uploadClickConversions', 'conversions', clicks, (one) =>
      toClickConversion(one, action),
    )),
    ...(await upload(session, 'uploadConversionAdjustments', 'conversionAdjustments', adjustments, (one) =>
      toAdjustment(one, action),
    )),
  ]
  const arrived = results.some(({ ok }) => ok)
  return { requestId: null, providerStatus: arrived ? 'success' : null, retryAfterSeconds: null, results }
}

async function upload(
  session: Session,
  verb: string,
  list: string,
  conversions: ExportConversion[],
  toOperation: (conversion: ExportConversion) => Record<string, unknown>,
): Promise<ExportResult[]> {
  const results: ExportResult[] = []
  for (let start = 0; start < conversions.length; start += batchSize) {
    const batch = conversions.slice(start, start + batchSize)
    const reply = await callAds(session, `/customers/${session.accountId}:${verb}`, UploadReply, {
      [list]: batch.map(toOperation),
      partialFailure: true,
    })
    results.push(...toResults(batch, list, reply))
  }
  return results
}

/** Errors name the operation they belong to by its place in the list; one that names none concerns all. */
function toResults(batch: ExportConversion[], list: string, reply: UploadReply): ExportResult[] {
  const errors = (reply.partialFailureError?.details ?? []).flatMap((detail) => detail.errors ?? [])
  const placed = errors.map((error) => ({
    code: Object.values(error.errorCode ?? {})[0] ?? 'UNKNOWN',
    message: error.message ?? reply.partialFailureError?.message ?? null,
    index: error.location?.fieldPathElements?.find(({ fieldName }) => fieldName === list)?.index ?? null,
  }))
  const failedWithoutDetail = reply.partialFailureError && placed.length === 0
  return batch.map(({ eventId }, index) => {
    const error = placed.find((candidate) => candidate.index === index || candidate.index === null)
    if (failedWithoutDetail) {
      const message = reply.partialFailureError?.message ?? null
      return { eventId, ok: false, code: 'UNKNOWN', message, retryable: true }
    }
    if (!error || alreadyThere.has(error.code)) {
      return { eventId, ok: true, code: error?.code ?? null, message: null, retryable: false }
    }
    return {
      eventId,
      ok: false,
      code: error.code,
      message: error.message,
      retryable: healing.has(error.code),
    }
  })
}

/** `yyyy-mm-dd hh:mm:ss+00:00`, the platform's own form. */
const platformTime = (instant: string) =>
  `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')}+00:00`

function toClickConversion(conversion: ExportConversion, action: string): Record<string, unknown> {
  const [gclid, gbraid, wbraid] = ['gclid', 'gbraid', 'wbraid'].map(
    (kind) => newestClick(conversion, kind)?.id,
  )
  const identifiers = toUserIdentifiers(conversion.person).map((one) =>
    'emailAddress' in one ? { hashedEmail: one.emailAddress } : { hashedPhoneNumber: one.phoneNumber },
  )
  return {
    conversionAction: action,
    conversionDateTime: platformTime(conversion.occurredAt),
    orderId: conversion.orderId ?? conversion.eventId,
    // The platform takes one kind of click id; the first is the most exact.
    ...(gclid ? { gclid } : gbraid ? { gbraid } : wbraid ? { wbraid } : {}),
    ...(identifiers.length > 0 ? { userIdentifiers: identifiers } : {}),
    ...(conversion.value
      ? { conversionValue: Number(minorToDecimal(conversion.value)), currencyCode: conversion.value.currency }
      : {}),
  }
}

function toAdjustment(conversion: ExportConversion, action: string): Record<string, unknown> {
  const isRestated = conversion.adjustment === 'restate' && conversion.value !== null
  return {
    conversionAction: action,
    adjustmentType: isRestated ? 'RESTATEMENT' : 'RETRACTION',
    adjustmentDateTime: platformTime(conversion.occurredAt),
    orderId: conversion.orderId ?? conversion.eventId,
    ...(isRestated
      ? {
          restatementValue: {
            adjustedValue: Number(minorToDecimal(conversion.value!)),
            currencyCode: conversion.value!.currency,
          },
        }
      : {}),
  }
}
