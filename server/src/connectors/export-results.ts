/** What becomes of conversions on their way to a platform: refused by us, accepted, failed, or narrowed down to the bad one. */

import { hash } from 'node:crypto'
import { DAY_MS } from '../platform/contract/dates.ts'
import { type ExportConversion, type ExportReply, type ExportResult, ProviderError } from './connector.ts'

export const sha256Hex = (value: string): string => hash('sha256', value, 'hex')

/** Distinct hashes of what is left after normalising. */
export const hashAll = (values: string[], normalise: (value: string) => string): string[] => [
  ...new Set(
    values
      .map(normalise)
      .filter((value) => value !== '')
      .map(sha256Hex),
  ),
]

/** Without fields that are missing or empty. */
export const present = (fields: Record<string, unknown>): Record<string, unknown> => {
  const kept: Record<string, unknown> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
      kept[name] = value
  }
  return kept
}

export const accepted = ({ eventId }: ExportConversion): ExportResult => ({
  eventId,
  ok: true,
  code: null,
  message: null,
  retryable: false,
})

export const refused = ({ eventId }: ExportConversion, code: RefusalCode): ExportResult => ({
  eventId,
  ok: false,
  code,
  message: refusals[code],
  retryable: false,
})

/** What is not sent at all, because the platform could do nothing with it. */
const refusals = {
  adjustment_not_supported: 'The platform cannot change a conversion that it has received',
  limited_data_use: 'Its use is limited, and the platform takes no such limit',
  no_match_key: 'Nothing in it names a person or a click that the platform knows',
  too_old: 'It is older than the platform accepts',
} as const
export type RefusalCode = keyof typeof refusals

/** Only these say something about the event; every other refusal concerns the destination or the moment. */
export function failed({ eventId }: ExportConversion, error: ProviderError): ExportResult {
  return {
    eventId,
    ok: false,
    code: error.providerCode ?? error.reason,
    message: withoutNumbers(error.providerMessage ?? error.message),
    retryable: isWorthRetrying(error),
  }
}

/** Addresses and tokens are gone already; an IP address or a phone number may still be repeated. */
const withoutNumbers = (message: string): string =>
  message.replace(/\+?\d[\d\s().:-]{5,}\d|(?<![\da-f])[\da-f]*:[\da-f:]{4,}/gi, '…')

export const isWorthRetrying = ({ reason }: ProviderError): boolean =>
  reason === 'rate_limited' || reason === 'unavailable' || reason === 'malformed'

/** A token, a permission or a target that is gone fails the destination, not the conversion. */
export const isAboutDestination = ({ reason }: ProviderError): boolean =>
  ['invalid_grant', 'permission_missing', 'not_found', 'terms_not_accepted'].includes(reason)

export function splitRefused<T>(
  conversions: ExportConversion[],
  refusalOf: (conversion: ExportConversion) => RefusalCode | null,
  toBody: (conversion: ExportConversion) => T,
): { sendable: ExportConversion[]; events: T[]; refused: ExportResult[] } {
  const results = conversions.map((conversion) => {
    const code = refusalOf(conversion)
    return code === null ? null : refused(conversion, code)
  })
  const sendable = conversions.filter((_, index) => results[index] === null)
  return {
    sendable,
    // Only a preview asks for them here; a sender builds each batch when it leaves.
    get events() {
      return sendable.map(toBody)
    },
    refused: results.filter((result) => result !== null),
  }
}

export const isOlderThan = (occurredAt: string, days: number, now: Date): boolean =>
  Date.parse(occurredAt) < now.getTime() - days * DAY_MS

/** The click seen last among the kinds, the first kind first. */
export function newestClick(conversion: ExportConversion, kind: string) {
  return conversion.clicks
    .filter((click) => click.kind === kind)
    .reduce<ExportConversion['clicks'][number] | null>(
      (newest, click) => (newest === null || click.seenAt > newest.seenAt ? click : newest),
      null,
    )
}

export type Sent = Pick<ExportReply, 'requestId' | 'retryAfterSeconds'> & { results: ExportResult[] }

/**
 * One bad event refuses its whole batch and the platform does not say which: a refused batch is halved
 * until the bad one is alone.
 */
export async function sendHalving(
  batch: ExportConversion[],
  sendOnce: (batch: ExportConversion[]) => Promise<string | null>,
): Promise<Sent> {
  try {
    const requestId = await sendOnce(batch)
    return { requestId, retryAfterSeconds: null, results: batch.map(accepted) }
  } catch (error) {
    if (!(error instanceof ProviderError) || isAboutDestination(error)) throw error
    if (isWorthRetrying(error) || batch.length === 1) {
      const { retryAfterSeconds } = error
      return {
        requestId: null,
        retryAfterSeconds,
        results: batch.map((conversion) => failed(conversion, error)),
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

/** In the order of the conversions; what arrived is known to the platform for good. */
export function replyOf(
  conversions: ExportConversion[],
  refusedResults: ExportResult[],
  sent: Sent,
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

export const nothingSent: Sent = { requestId: null, retryAfterSeconds: null, results: [] }

export function assertBatch(conversions: ExportConversion[], max: number): void {
  if (conversions.length > max) throw new RangeError(`At most ${max} conversions a call`)
}
