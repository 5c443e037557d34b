/** The console uses only the public API, through its SDK and with the session cookie. */
import { createClient, type Operation, WhenceError } from '@whence/sdk'
import { basePath } from '../base-path.ts'

/** No request of the console takes longer: even a file with a year of sales is sent in batches. */
const TIMEOUT_MS = 300_000

export const { call } = createClient({
  baseUrl: basePath,
  headers: { 'x-whence-console': '1' },
  // The query cache decides about retries.
  maxRetries: 0,
  timeoutMs: TIMEOUT_MS,
})

/** Untyped `call`, for functions whose own signature has checked the input. */
export const send = call as <Output>(operation: Operation<unknown, Output>, input: unknown) => Promise<Output>

export function isUnauthorized(error: unknown): boolean {
  return error instanceof WhenceError && error.status === 401
}

/** Whether a retry may succeed: network errors and gateway errors, but not the API's own errors. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof WhenceError) || error.status >= 502
}

/** An error response of the API itself. A response of a proxy has no request id; then the server may have done the work. */
export function isApiError(error: unknown): error is WhenceError {
  return error instanceof WhenceError && error.requestId !== undefined
}

/** True if the next attempt may use a new idempotency key. After a lost response, a server error or while an attempt is in flight, the key must be reused. */
export function changedNothing(error: unknown): boolean {
  return isApiError(error) && error.status < 500 && error.code !== 'idempotency_key_in_flight'
}

/** The error as a sentence for the user. The `hint` is for API callers and is not shown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof WhenceError))
    return 'The service could not be reached. Check that it is running, then try again.'
  const { message, field, problem, rule } = error
  if (field === undefined || problem === undefined)
    return isApiError(error) && message !== ''
      ? message
      : (byStatus[error.status] ?? `The service responded with status ${error.status}.`)
  const ruleText = rule === undefined ? undefined : byRule[rule]
  if (ruleText !== undefined) return ruleText(labelOf(field))
  const isPredicate = rule !== undefined || problem.startsWith('must ')
  return isPredicate ? `${labelOf(field)} ${problem}` : `${labelOf(field)}: ${problem}`
}

const byStatus: Record<number, string> = {
  400: 'The service could not read this. Check the address or the fields.',
  403: 'Your role does not allow this. Ask an admin of the workspace.',
  404: 'This no longer exists, or it belongs to another profile.',
}

/** Texts for rules whose API message is written for developers. */
const byRule: Record<string, (label: string) => string> = {
  required: (label) => `${label} is missing.`,
  uuid: () => 'This id is incomplete. Copy it again.',
  unrecognized_keys: (label) => `${label} cannot be set here.`,
}

/** Field names that the pages call differently. */
const partLabels: Record<string, string> = { url: 'address', date_from: 'first day', date_to: 'last day' }

/** `rows.4.ad_id` is read as "Row 5, ad id". */
function labelOf(field: string): string {
  const label = field
    .split('.')
    .map((part, at, parts) => {
      if (part in partLabels) return partLabels[part]!
      if (/^\d+$/.test(part)) return String(Number(part) + 1)
      const isList = /^\d+$/.test(parts[at + 1] ?? '')
      return (isList ? part.replace(/s$/, '') : part).replaceAll('_', ' ')
    })
    .reduce((text, part) => (/^\d+$/.test(part) ? `${text} ${part}` : `${text}, ${part}`))
  return label.charAt(0).toUpperCase() + label.slice(1)
}
