/**
 * Conversions to a shortvideo pixel (TikTok's Events API). It is a destination only: a pixel code and
 * an access token that the advertiser pastes, no consent and no sync.
 */
import { z } from 'zod'
import { minorToDecimal } from '../amounts.ts'
import { type ExportConversion, type ExportResult, ProviderError, type Session } from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

const batchSize = 1000

/** Where to send and as whom; `app.apiBaseUrl` and `token.accessToken` are all it takes. */
export type ShortvideoSession = {
  http: Session['http']
  app: { apiBaseUrl: string }
  token: { accessToken: string }
}

const Reply = z.looseObject({ code: z.number(), message: text, request_id: text })

const invalidTokenCodes = new Set([40001, 40104, 40105])
const rateCodes = new Set([40100, 40133])

/** The platform answers 200 to everything and says in `code` what it means. */
function refusalOf(reply: z.infer<typeof Reply>): ProviderError | null {
  if (reply.code === 0) return null
  const message = reply.message ?? 'The platform refused'
  const details = { providerCode: String(reply.code) }
  if (invalidTokenCodes.has(reply.code)) return new ProviderError('invalid_grant', message, details)
  if (rateCodes.has(reply.code)) return new ProviderError('rate_limited', message, details)
  if (reply.code >= 50000) return new ProviderError('unavailable', message, details)
  return new ProviderError('rejected', message, details)
}

/** One event; null where it names nobody, which the platform cannot match to anything. */
export function toTrackEvent(conversion: ExportConversion): Record<string, unknown> | null {
  const user = {
    email: conversion.emailSha256,
    phone: conversion.phoneSha256,
    external_id: conversion.externalIdSha256,
    ttclid: conversion.clickIds.ttclid,
    ttp: conversion.clickIds.ttp,
  }
  const known = Object.fromEntries(Object.entries(user).filter(([, value]) => Boolean(value)))
  if (Object.keys(known).length === 0) return null
  return {
    event: conversion.eventName,
    event_time: Math.floor(Date.parse(conversion.occurredAt) / 1000),
    event_id: conversion.eventId,
    user: known,
    properties: {
      ...(conversion.value
        ? { value: Number(minorToDecimal(conversion.value)), currency: conversion.value.currency }
        : {}),
      ...(conversion.orderId ? { order_id: conversion.orderId } : {}),
    },
  }
}

function refused(conversion: ExportConversion): ExportResult | null {
  const result = (code: string, message: string): ExportResult => ({
    eventId: conversion.eventId,
    ok: false,
    code,
    message,
    retryable: false,
  })
  if (conversion.adjustment !== 'none') {
    return result('adjustment_not_supported', 'The platform cannot change a conversion that it has received')
  }
  return toTrackEvent(conversion) === null ? result('no_match_key', 'Nothing in it names a person') : null
}

export async function exportConversions(
  session: ShortvideoSession,
  destination: { id: string },
  conversions: ExportConversion[],
): Promise<ExportResult[]> {
  const results = conversions.map(refused).filter((result) => result !== null)
  const sendable = conversions.filter((conversion) => refused(conversion) === null)
  for (let start = 0; start < sendable.length; start += batchSize) {
    results.push(...(await sendBatch(session, destination.id, sendable.slice(start, start + batchSize))))
  }
  return results
}

/** One bad event refuses its whole batch, so a refused batch is halved until the bad one stands alone. */
async function sendBatch(
  session: ShortvideoSession,
  pixelCode: string,
  batch: ExportConversion[],
): Promise<ExportResult[]> {
  try {
    const reply = await callJson(session.http, {
      url: `${session.app.apiBaseUrl}/open_api/${apiVersions.shortvideo.version}/event/track/`,
      headers: { 'access-token': session.token.accessToken },
      json: { event_source: 'web', event_source_id: pixelCode, data: batch.map(toTrackEvent) },
      schema: Reply,
    })
    const problem = refusalOf(reply)
    if (problem !== null) throw problem
    return batch.map(({ eventId }) => ({ eventId, ok: true, code: null, message: null, retryable: false }))
  } catch (error) {
    // A token that no longer holds fails the destination, not the event.
    if (!(error instanceof ProviderError) || error.reason === 'invalid_grant') throw error
    if (error.reason === 'rejected' && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2)
      return [
        ...(await sendBatch(session, pixelCode, batch.slice(0, middle))),
        ...(await sendBatch(session, pixelCode, batch.slice(middle))),
      ]
    }
    const retryable = ['rate_limited', 'unavailable', 'malformed'].includes(error.reason)
    const code = error.providerCode ?? error.reason
    return batch.map(({ eventId }) => ({ eventId, ok: false, code, message: error.message, retryable }))
  }
}
