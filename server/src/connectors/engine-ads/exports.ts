/** Exports conversions through the Data Manager API: accepted immediately, processed later, restated by sending them again. */
import { z } from 'zod'
import { batchExports } from '../batch-exports.ts'
import {
  type ExportAccount,
  type ExportConversion,
  type ExportResult,
  type ExportStatus,
  type ExportTarget,
  ProviderError,
  type Session,
} from '../connector.ts'
import { acceptedResult, failedResult, isAboutDestination, type SendOutcome } from '../export-results.ts'
import { exportRules } from '../export-rules.ts'
import { lookUp } from '../look-up.ts'
import { text } from '../reply-fields.ts'
import { callDataManager, FieldWarnings, indexOf, type Violation } from './data-manager.ts'
import { refusalOf, toDestination, toIngestEvent } from './ingest-event.ts'

const Ingested = z.looseObject({ requestId: text, fieldWarnings: FieldWarnings })
type Ingested = z.infer<typeof Ingested>

/** Each round drops the reported bad records; a batch that needs more rounds is retried in the next run. */
const maxRounds = 20

/** Conversions to a target with a test code are only validated by the platform. */
const toBody = (account: ExportAccount, target: ExportTarget, events: Record<string, unknown>[]) => ({
  destinations: [toDestination(account, target.id)],
  events,
  encoding: 'HEX',
  ...(target.testEventCode === null ? {} : { validateOnly: true }),
})

export const { preview: previewExport, send: exportConversions } = batchExports({
  maxBatch: exportRules.engine.maxBatch,
  refusalOf,
  toBodies: (account, target, conversions) => [toBody(account, target, conversions.map(toIngestEvent))],
  send: sendWithoutBadRecords,
  whenAccepted: ({ testEventCode }) => (testEventCode === null ? 'processing' : 'success'),
})

/** One bad record fails the whole request and is identified by its index: it is dropped and the others are sent again. */
async function sendWithoutBadRecords(
  session: Session,
  target: ExportTarget,
  conversions: ExportConversion[],
): Promise<SendOutcome> {
  const dropped: ExportResult[] = []
  let batch = conversions
  for (let round = 0; batch.length > 0; round++) {
    const answer = await callDataManager(session, {
      path: '/events:ingest',
      json: toBody(session, target, batch.map(toIngestEvent)),
      schema: Ingested,
    })
    if ('reply' in answer) {
      const results = [...dropped, ...withWarnings(batch, answer.reply)]
      return { requestId: answer.reply.requestId, retryAfterSeconds: null, results }
    }
    const { error, violations } = answer
    const bad = violationsByIndex(violations)
    if (isAboutDestination(error) || (error.reason === 'rejected' && bad.size === 0)) throw aboutTarget(error)
    if (error.reason !== 'rejected' || round >= maxRounds) {
      const retryable = error.reason === 'rejected' ? tooManyBad() : error
      const results = [...dropped, ...batch.map((conversion) => failedResult(conversion, retryable))]
      return { requestId: null, retryAfterSeconds: error.retryAfterSeconds, results }
    }
    dropped.push(...batch.flatMap((conversion, index) => toFailure(conversion, bad.get(index))))
    batch = batch.filter((_, index) => !bad.has(index))
  }
  return { requestId: null, retryAfterSeconds: null, results: dropped }
}

/** An error without a record concerns the conversion action or the account. */
const aboutTarget = (error: ProviderError): ProviderError =>
  error.reason === 'rejected'
    ? new ProviderError('not_found', 'The platform does not accept conversions for this conversion action', {
        providerCode: error.providerCode,
        providerMessage: error.providerMessage,
        cause: error,
      })
    : error

const tooManyBad = () =>
  new ProviderError(
    'unavailable',
    'Too many records of this batch were refused; the others are sent again later',
    {
      providerCode: 'too_many_refused',
    },
  )

function violationsByIndex(violations: Violation[]): Map<number, Violation> {
  const byIndex = new Map<number, Violation>()
  for (const violation of violations) {
    const index = indexOf(violation, 'events')
    if (index !== null && !byIndex.has(index)) byIndex.set(index, violation)
  }
  return byIndex
}

function toFailure(conversion: ExportConversion, violation: Violation | undefined): ExportResult[] {
  if (violation === undefined) return []
  const { reason, description } = violation
  const error = new ProviderError('rejected', 'The platform refused this conversion', {
    providerCode: reason ?? 'INVALID_ARGUMENT',
    providerMessage: description,
  })
  return [failedResult(conversion, error)]
}

/** Reports fields that the platform ignored, although the conversion was accepted. */
function withWarnings(batch: ExportConversion[], reply: Ingested): ExportResult[] {
  const warnings = violationsByIndex(reply.fieldWarnings ?? [])
  return batch.map((conversion, index) => {
    const warning = warnings.get(index)
    if (warning === undefined) return acceptedResult(conversion)
    return {
      ...acceptedResult(conversion),
      code: warning.reason,
      message: toFailure(conversion, warning)[0]!.message,
    }
  })
}

const Counts = z.array(z.looseObject({ reason: text, recordCount: z.coerce.number() })).nullish()
const Status = z.looseObject({
  requestStatusPerDestination: z
    .array(
      z.looseObject({
        requestStatus: text,
        errorInfo: z.looseObject({ errorCounts: Counts }).nullish(),
        warningInfo: z.looseObject({ warningCounts: Counts }).nullish(),
      }),
    )
    .min(1),
})

const statuses: Record<string, ExportStatus['status']> = {
  SUCCESS: 'success',
  PARTIAL_SUCCESS: 'partial_success',
  FAILED: 'failed',
}

/** `PROCESSING_ERROR_REASON_EVENT_TOO_OLD` → `event_too_old`. */
const shortReason = (reason: string | null): string =>
  (reason ?? 'unknown').replace(/^PROCESSING_(ERROR|WARNING)(_REASON)?_/, '').toLowerCase()

export async function readExportStatus(
  session: Session,
  _: ExportTarget,
  requestId: string,
): Promise<ExportStatus> {
  const answer = await callDataManager(session, {
    path: '/requestStatus:retrieve',
    query: { requestId },
    schema: Status,
  })
  if ('error' in answer) throw answer.error
  const { requestStatus, errorInfo, warningInfo } = answer.reply.requestStatusPerDestination[0]!
  return {
    status: lookUp(statuses, requestStatus) ?? 'processing',
    counts: [
      ...(errorInfo?.errorCounts ?? []).map(({ reason, recordCount }) => ({
        reason: shortReason(reason),
        count: recordCount,
      })),
      ...(warningInfo?.warningCounts ?? []).map(({ reason, recordCount }) => ({
        reason: `warning: ${shortReason(reason)}`,
        count: recordCount,
      })),
    ],
  }
}
