/** Results of conversion exports: refused before sending, accepted, failed, and bisection of batches with a bad event. */

import { hash } from 'node:crypto'
import { DAY_MS } from '../platform/contract/dates.ts'
import { type ExportConversion, type ExportReply, type ExportResult, ProviderError } from './connector.ts'

export const sha256Hex = (value: string): string => hash('sha256', value, 'hex')

/** Distinct hashes of the normalised, non-empty values. */
export const hashAll = (values: string[], normalise: (value: string) => string): string[] => [
  ...new Set(
    values
      .map(normalise)
      .filter((value) => value !== '')
      .map(sha256Hex),
  ),
]

/** Removes fields that are null, undefined or an empty list. */
export const omitEmpty = (fields: Record<string, unknown>): Record<string, unknown> => {
  const filled: Record<string, unknown> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
      filled[name] = value
  }
  return filled
}

export const acceptedResult = ({ eventId }: ExportConversion): ExportResult => ({
  eventId,
  ok: true,
  code: null,
  message: null,
  retryable: false,
})

export const refusedResult = ({ eventId }: ExportConversion, code: RefusalCode): ExportResult => ({
  eventId,
  ok: false,
  code,
  message: refusals[code],
  retryable: false,
})

/** Reasons for not sending a conversion that the platform could not use. */
const refusals = {
  adjustment_not_supported: 'The platform cannot change a conversion that it has received',
  limited_data_use: 'Limited data use applies, which the platform does not support',
  no_match_key: 'The conversion contains no person or click that the platform can match',
  too_old: 'The conversion is older than the platform accepts',
} as const
export type RefusalCode = keyof typeof refusals

/** A failed send, as the result of one event. */
export function failedResult({ eventId }: ExportConversion, error: ProviderError): ExportResult {
  return {
    eventId,
    ok: false,
    code: error.providerCode ?? error.reason,
    message: withoutNumbers(error.providerMessage ?? error.message),
    retryable: isWorthRetrying(error),
  }
}

/** Email addresses and tokens are already removed; the message may still contain an IP address or a phone number. */
const withoutNumbers = (message: string): string =>
  message.replace(/\+?\d[\d\s().:-]{5,}\d|(?<![\da-f])[\da-f]*:[\da-f:]{4,}/gi, '…')

export const isWorthRetrying = ({ reason }: ProviderError): boolean =>
  reason === 'rate_limited' || reason === 'unavailable' || reason === 'malformed'

/** A lost token, permission or target fails the destination, not the conversion. */
export const isAboutDestination = ({ reason }: ProviderError): boolean =>
  ['invalid_grant', 'permission_missing', 'not_found', 'terms_not_accepted'].includes(reason)

export function splitRefused<T>(
  conversions: ExportConversion[],
  refusalOf: (conversion: ExportConversion) => RefusalCode | null,
  toBody: (conversion: ExportConversion) => T,
): { sendable: ExportConversion[]; events: T[]; refused: ExportResult[] } {
  const results = conversions.map((conversion) => {
    const code = refusalOf(conversion)
    return code === null ? null : refusedResult(conversion, code)
  })
  const sendable = conversions.filter((_, index) => results[index] === null)
  return {
    sendable,
    // Lazy: only a preview reads them here; the sender builds the body of each batch when it sends it.
    get events() {
      return sendable.map(toBody)
    },
    refused: results.filter((result) => result !== null),
  }
}

export const isOlderThan = (occurredAt: string, days: number, now: Date): boolean =>
  Date.parse(occurredAt) < now.getTime() - days * DAY_MS

/** The most recent click of a kind. */
export function newestClick(conversion: ExportConversion, kind: string) {
  return conversion.clicks
    .filter((click) => click.kind === kind)
    .reduce<ExportConversion['clicks'][number] | null>(
      (newest, click) => (newest === null || click.seenAt > newest.seenAt ? click : newest),
      null,
    )
}

export type SendOutcome = Pick<ExportReply, 'requestId' | 'retryAfterSeconds'> & { results: ExportResult[] }

/**
 * Platforms reject a whole batch for one bad event without naming it: a rejected batch is bisected until the bad
 * event is alone.
 */
export async function sendHalving(
  batch: ExportConversion[],
  sendOnce: (batch: ExportConversion[]) => Promise<string | null>,
): Promise<SendOutcome> {
  try {
    const requestId = await sendOnce(batch)
    return { requestId, retryAfterSeconds: null, results: batch.map(acceptedResult) }
  } catch (error) {
    if (!(error instanceof ProviderError) || isAboutDestination(error)) throw error
    if (isWorthRetrying(error) || batch.length === 1) {
      const { retryAfterSeconds } = error
      return {
        requestId: null,
        retryAfterSeconds,
        results: batch.map((conversion) => failedResult(conversion, error)),
      }
    }
    const middle = Math.ceil(batch.length / 2)
    const first = await sendHalving(batch.slice(0, middle), sendOnce)
    const second = await sendHalving(batch.slice(middle), sendOnce)
    return {
      requestId: second.requestId ?? first.requestId,
      retryAfterSeconds: second.retryAfterSeconds ?? first.retryAfterSeconds,
      results: [...first.results, ...second.results],
    }
  }
}

/** Merges refused and sent results, in the order of the conversions. */
export function toExportReply(
  conversions: ExportConversion[],
  refusedResults: ExportResult[],
  sent: SendOutcome,
  whenAccepted: 'processing' | 'success',
): ExportReply {
  const byId = new Map([...refusedResults, ...sent.results].map((result) => [result.eventId, result]))
  return {
    requestId: sent.requestId,
    providerStatus: sent.results.some(({ ok }) => ok) ? whenAccepted : null,
    retryAfterSeconds: sent.retryAfterSeconds,
    results: conversions.map(({ eventId }) => byId.get(eventId)!),
  }
}

export const nothingSent: SendOutcome = { requestId: null, retryAfterSeconds: null, results: [] }

export function assertBatch(conversions: ExportConversion[], max: number): void {
  if (conversions.length > max) throw new RangeError(`At most ${max} conversions per call`)
}
