/** Conversions to the platform's dataset (Conversions API). */
import { z } from 'zod'
import { minorToDecimal } from '../amounts.ts'
import { type ExportConversion, type ExportResult, ProviderError, type Session } from '../connector.ts'
import { callGraph } from './calls.ts'

const Received = z.looseObject({ events_received: z.number() })
const batchSize = 1000

export async function exportConversions(
  session: Session,
  destination: { id: string },
  conversions: ExportConversion[],
): Promise<ExportResult[]> {
  const results: ExportResult[] = []
  const sendable = conversions.filter(({ adjustment }) => adjustment === 'none')
  for (const { eventId, adjustment } of conversions) {
    if (adjustment === 'none') continue
    results.push({
      eventId,
      ok: false,
      code: 'adjustment_not_supported',
      message: 'The platform cannot change a conversion that it has received',
      retryable: false,
    })
  }
  for (let start = 0; start < sendable.length; start += batchSize) {
    results.push(...(await sendBatch(session, destination.id, sendable.slice(start, start + batchSize))))
  }
  return results
}

/** The platform refuses a whole batch for one bad event, so a refused batch is halved until the bad one stands alone. */
async function sendBatch(
  session: Session,
  pixelId: string,
  batch: ExportConversion[],
): Promise<ExportResult[]> {
  try {
    await callGraph(session.http, session.app, session.token.accessToken, {
      method: 'POST',
      path: `/${pixelId}/events`,
      json: { data: batch.map(toServerEvent) },
      schema: Received,
    })
    return batch.map(({ eventId }) => ({ eventId, ok: true, code: null, message: null, retryable: false }))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.reason !== 'rejected' || batch.length === 1) {
      const retryable = ['rate_limited', 'unavailable', 'malformed'].includes(error.reason)
      if (error.reason === 'invalid_grant') throw error
      const code = error.providerCode ?? error.reason
      return batch.map(({ eventId }) => ({
        eventId,
        ok: false,
        code,
        message: error.providerMessage ?? error.message,
        retryable,
      }))
    }
    const middle = Math.ceil(batch.length / 2)
    return [
      ...(await sendBatch(session, pixelId, batch.slice(0, middle))),
      ...(await sendBatch(session, pixelId, batch.slice(middle))),
    ]
  }
}

export function toServerEvent(conversion: ExportConversion): Record<string, unknown> {
  const occurredMs = Date.parse(conversion.occurredAt)
  const { fbc, fbp, fbclid, lead_id: leadId } = conversion.clickIds
  const userData = {
    em: conversion.emailSha256 ? [conversion.emailSha256] : undefined,
    ph: conversion.phoneSha256 ? [conversion.phoneSha256] : undefined,
    external_id: conversion.externalIdSha256 ? [conversion.externalIdSha256] : undefined,
    fbc: fbc ?? (fbclid === undefined ? undefined : `fb.1.${occurredMs}.${fbclid}`),
    fbp,
    lead_id: leadId,
  }
  return {
    event_name: conversion.eventName,
    event_time: Math.floor(occurredMs / 1000),
    event_id: conversion.eventId,
    action_source: 'system_generated',
    user_data: userData,
    custom_data: {
      ...(conversion.value
        ? { value: Number(minorToDecimal(conversion.value)), currency: conversion.value.currency }
        : {}),
      ...(conversion.orderId ? { order_id: conversion.orderId } : {}),
    },
  }
}
