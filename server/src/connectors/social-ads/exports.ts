/** Conversions to the platform's dataset (Conversions API). */
import { z } from 'zod'
import { batchExports } from '../batch-exports.ts'
import { type ExportConversion, type ExportTarget, ProviderError, type Session } from '../connector.ts'
import { nothingSent, type SendOutcome, sendHalving } from '../export-results.ts'
import { exportRules } from '../export-rules.ts'
import { text } from '../reply-fields.ts'
import { callGraph } from './calls.ts'
import { conversationKeys, refusalOf, toServerEvent } from './server-event.ts'

const EventsResponse = z.looseObject({ events_received: z.number(), fbtrace_id: text })

const toBody = (target: ExportTarget, events: Record<string, unknown>[]): Record<string, unknown> => ({
  data: events,
  ...(target.testEventCode === null ? {} : { test_event_code: target.testEventCode }),
})

/** Conversions of a conversation are sent to the dataset of its messaging account. */
function byDataset(target: ExportTarget, conversions: ExportConversion[]): Map<string, ExportConversion[]> {
  return Map.groupBy(conversions, (conversion) =>
    conversion.messaging === undefined || conversationKeys(conversion) === null
      ? target.id
      : conversion.messaging.datasetId,
  )
}

export const { preview: previewExport, send: exportConversions } = batchExports({
  maxBatch: exportRules.social.maxBatch,
  refusalOf,
  toBodies: (_account, target, conversions) =>
    [...byDataset(target, conversions).values()].map((part) => toBody(target, part.map(toServerEvent))),
  async send(session, target, conversions) {
    let sent: SendOutcome = nothingSent
    for (const [id, part] of byDataset(target, conversions)) {
      const partSent = await sendHalving(part, (batch) => send(session, { ...target, id }, batch))
      sent = {
        requestId: partSent.requestId ?? sent.requestId,
        retryAfterSeconds: partSent.retryAfterSeconds ?? sent.retryAfterSeconds,
        results: [...sent.results, ...partSent.results],
      }
    }
    return sent
  },
})

async function send(
  session: Session,
  target: ExportTarget,
  batch: ExportConversion[],
): Promise<string | null> {
  const reply = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: `/${encodeURIComponent(target.id)}/events`,
    json: toBody(target, batch.map(toServerEvent)),
    schema: EventsResponse,
  })
  if (reply.events_received !== batch.length)
    throw new ProviderError('malformed', 'The platform received a different number of events than were sent')
  return reply.fbtrace_id
}
