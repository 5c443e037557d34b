/** Sends conversions to a UET tag through Microsoft's Conversions API. The platform skips bad events and reports their index. */
import { z } from 'zod'
import { batchExports } from '../batch-exports.ts'
import { type ExportConversion, type ExportResult, ProviderError, type Session } from '../connector.ts'
import { acceptedResult, failedResult, isAboutDestination, type SendOutcome } from '../export-results.ts'
import { exportRules } from '../export-rules.ts'
import { callJson } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { withAccount } from './accounts.ts'
import { callAds } from './calls.ts'
import { refusalOf, toCapiEvent } from './capi-event.ts'

const Detail = z.looseObject({
  index: z.number().nullish(),
  errorCode: text,
  errorMessage: text,
  isWarning: z.boolean().nullish(),
})
type Detail = z.infer<typeof Detail>
const CapiError = z.looseObject({ code: text, message: text, details: z.array(Detail).nullish() })
const CapiReply = z.looseObject({ eventsReceived: z.number().nullish(), error: CapiError.nullish() })
type CapiReply = z.infer<typeof CapiReply>

const CAPI_BASE_URL = 'https://capi.uet.microsoft.com'

/** An invalid event is skipped instead of failing the whole request. */
const toBody = (events: Record<string, unknown>[]) => ({
  data: events,
  continueOnValidationError: true,
  dataProvider: 'whence',
})

export const { preview: previewExport, send: exportConversions } = batchExports({
  maxBatch: exportRules.microsoft.maxBatch,
  refusalOf,
  toBodies: (_account, _target, conversions) => [toBody(conversions.map(toCapiEvent))],
  async send(session, target, conversions) {
    const key = await readTagKey(session, target.id)
    return sendAll(conversions, (batch) => send(session, target.id, key, batch))
  },
})

/** The key is text in the reference and the official client, an object in the guide. */
const TagKey = z.looseObject({
  UetTagAuthKey: text,
  TagAuthKey: z.looseObject({ AuthKey: text }).nullish(),
})

/** The platform creates the key at the first call of the tag's owner. */
async function readTagKey(session: Session, tagId: string): Promise<string> {
  const { account } = withAccount(session)
  const reply = await callAds(session, account, {
    service: 'CampaignManagement',
    path: 'UetTagAuthKey/Query',
    json: { UetTagId: tagId },
    schema: TagKey,
  }).catch((error: unknown) => {
    throw error instanceof ProviderError && error.reason === 'rejected' ? noSuchTag(error) : error
  })
  const key = reply.UetTagAuthKey ?? reply.TagAuthKey?.AuthKey ?? null
  if (key === null) throw noSuchTag()
  return key
}

const noSuchTag = (cause?: ProviderError) =>
  new ProviderError('not_found', 'The account has no such UET tag', {
    providerCode: cause?.providerCode ?? 'uet_tag_key_missing',
    providerMessage: cause?.providerMessage ?? null,
    cause,
  })

type BatchResult = { received: number; bad: Map<number, Detail> }

/** An error that lists events is a result too: no event of the request was valid. */
async function send(
  session: Session,
  tagId: string,
  key: string,
  batch: ExportConversion[],
): Promise<BatchResult> {
  let refusedReply: CapiReply | null = null
  try {
    const reply = await callJson(session.http, {
      url: `${session.app.extra.capiBaseUrl ?? CAPI_BASE_URL}/v1/${encodeURIComponent(tagId)}/events`,
      bearer: key,
      json: toBody(batch.map(toCapiEvent)),
      schema: CapiReply,
      refusal: ({ status, body }) => {
        refusedReply = CapiReply.safeParse(body).data ?? null
        return capiRefusal(status, refusedReply)
      },
    })
    return { received: reply.eventsReceived ?? batch.length, bad: badOf(reply) }
  } catch (error) {
    const bad = refusedReply === null ? new Map<number, Detail>() : badOf(refusedReply)
    if (error instanceof ProviderError && error.reason === 'rejected' && bad.size > 0)
      return { received: 0, bad }
    throw error
  }
}

/** 401 concerns the tag's key, which a new consent does not fix. */
function capiRefusal(status: number, reply: CapiReply | null): ProviderError | null {
  const reasons: Record<number, ProviderError['reason']> = {
    400: 'rejected',
    401: 'permission_missing',
    404: 'not_found',
  }
  const reason = reasons[status]
  if (reason === undefined) return null
  return new ProviderError(reason, refusalMessages[reason], {
    providerCode: reply?.error?.code ?? String(status),
    providerMessage: providerMessageIn(reply?.error?.message ?? null),
  })
}

/** The first error of each event. Warnings are ignored: they only drop a field. */
function badOf({ error }: CapiReply): Map<number, Detail> {
  const bad = new Map<number, Detail>()
  for (const detail of error?.details ?? [])
    if (detail.isWarning !== true && detail.index != null && !bad.has(detail.index))
      bad.set(detail.index, detail)
  return bad
}

/**
 * Only the first ten errors are reported. If fewer events are listed than were skipped, the others are sent again in
 * halves; the platform deduplicates by event id.
 */
async function sendAll(
  batch: ExportConversion[],
  sendOnce: (batch: ExportConversion[]) => Promise<BatchResult>,
): Promise<SendOutcome> {
  try {
    const { received, bad } = await sendOnce(batch)
    const results = batch.flatMap((conversion, index) => toFailure(conversion, bad.get(index)))
    const unnamed = batch.filter((_, index) => !bad.has(index))
    if (received >= unnamed.length) return sentOf([...results, ...unnamed.map(acceptedResult)])
    if (unnamed.length === 1) return sentOf([...results, failedResult(unnamed[0]!, unexplained())])
    const middle = Math.ceil(unnamed.length / 2)
    const first = await sendAll(unnamed.slice(0, middle), sendOnce)
    const second = await sendAll(unnamed.slice(middle), sendOnce)
    return {
      requestId: null,
      retryAfterSeconds: second.retryAfterSeconds ?? first.retryAfterSeconds,
      results: [...results, ...first.results, ...second.results],
    }
  } catch (error) {
    if (!(error instanceof ProviderError) || isAboutDestination(error)) throw error
    return {
      ...sentOf(batch.map((conversion) => failedResult(conversion, error))),
      retryAfterSeconds: error.retryAfterSeconds,
    }
  }
}

const sentOf = (results: ExportResult[]): SendOutcome => ({
  requestId: null,
  retryAfterSeconds: null,
  results,
})

const unexplained = () =>
  new ProviderError('rejected', 'The platform skipped the event without a reason', {
    providerCode: 'skipped',
  })

const toFailure = (conversion: ExportConversion, detail: Detail | undefined): ExportResult[] =>
  detail === undefined
    ? []
    : [
        failedResult(
          conversion,
          new ProviderError('rejected', 'The platform rejected the event as invalid', {
            providerCode: detail.errorCode,
            providerMessage: providerMessageIn(detail.errorMessage),
          }),
        ),
      ]
