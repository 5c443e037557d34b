/**
 * Exports conversions to a shortvideo pixel (TikTok's Events API). It is only a destination: a pixel code and
 * an access token that the advertiser enters, without consent and sync.
 */
import { z } from 'zod'
import {
  type ExportConversion,
  type ExportPreview,
  type ExportReply,
  type ExportTarget,
  ProviderError,
  type Session,
} from '../connector.ts'
import { assertBatch, nothingSent, sendHalving, splitRefused, toExportReply } from '../export-results.ts'
import { exportRules } from '../export-rules.ts'
import { callJson } from '../provider-http.ts'
import { providerMessageIn } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { versionedBase } from '../versions.ts'
import { refusalOf, toTrackEvent } from './track-event.ts'

/** HTTP client, base URL and the destination's token. */
export type ShortvideoSession = {
  http: Session['http']
  app: { apiBaseUrl: string }
  token: { accessToken: string }
}

const Reply = z.looseObject({ code: z.number(), message: text, request_id: text })

/** 20001: accepted, but some fields were invalid. */
const successCodes = new Set([0, 20001])
const invalidTokenCodes = new Set([40001, 40104, 40105])
const rateCodes = new Set([40100, 40133])

/** The platform always returns 200; `code` contains the result. */
function refusalOfReply(reply: z.infer<typeof Reply>): ProviderError | null {
  if (successCodes.has(reply.code)) return null
  const refuse = (reason: ProviderError['reason']) =>
    new ProviderError(reason, 'The platform refused the events', {
      providerCode: String(reply.code),
      providerMessage: reply.message === null ? null : providerMessageIn(reply.message),
    })
  if (invalidTokenCodes.has(reply.code)) return refuse('invalid_grant')
  if (rateCodes.has(reply.code)) return refuse('rate_limited')
  return refuse(reply.code >= 50000 ? 'unavailable' : 'rejected')
}

const toBody = (target: ExportTarget, events: Record<string, unknown>[]): Record<string, unknown> => ({
  event_source: 'web',
  event_source_id: target.id,
  ...(target.testEventCode === null ? {} : { test_event_code: target.testEventCode }),
  data: events,
})

export function previewExport(target: ExportTarget, conversions: ExportConversion[]): ExportPreview {
  const { events, refused } = splitRefused(conversions, refusalOf, toTrackEvent)
  return { bodies: events.length === 0 ? [] : [toBody(target, events)], refused }
}

export async function exportConversions(
  session: ShortvideoSession,
  target: ExportTarget,
  conversions: ExportConversion[],
): Promise<ExportReply> {
  assertBatch(conversions, exportRules.shortvideo.maxBatch)
  const { sendable, refused } = splitRefused(conversions, refusalOf, toTrackEvent)
  const sent =
    sendable.length === 0 ? nothingSent : await sendHalving(sendable, (batch) => send(session, target, batch))
  return toExportReply(conversions, refused, sent, 'success')
}

async function send(
  session: ShortvideoSession,
  target: ExportTarget,
  batch: ExportConversion[],
): Promise<string | null> {
  const reply = await callJson(session.http, {
    url: `${versionedBase(`${session.app.apiBaseUrl}/open_api`, 'shortvideo')}/event/track/`,
    headers: { 'access-token': session.token.accessToken },
    json: toBody(target, batch.map(toTrackEvent)),
    schema: Reply,
  })
  const problem = refusalOfReply(reply)
  if (problem !== null) throw problem
  return reply.request_id
}
