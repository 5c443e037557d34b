/** Everything goes through the public API by its SDK, with the session cookie that the sign-in set. */
import { createClient, type Operation, WhenceError } from '@whence/sdk'
import { basePath } from '../base-path.ts'

/** Nothing in the console takes longer; a file of a year of sales is sent in batches. */
const TIMEOUT_MS = 300_000

export const { call } = createClient({
  baseUrl: basePath,
  headers: { 'x-whence-console': '1' },
  // The cache of answers decides what is repeated.
  maxRetries: 0,
  timeoutMs: TIMEOUT_MS,
})

/** For functions whose own signature has checked the input. */
export const send = call as <Output>(operation: Operation<unknown, Output>, input: unknown) => Promise<Output>

export function isUnauthorized(error: unknown): boolean {
  return error instanceof WhenceError && error.status === 401
}

/** A refusal stays a refusal; only what may pass by itself is worth another try. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof WhenceError) || error.status >= 502
}

/** False for an answer of something in between, such as a proxy: the service may have done the work. */
export function isRefusal(error: unknown): error is WhenceError {
  return error instanceof WhenceError && error.requestId !== undefined
}

/** The next try may be a call of its own. A lost answer, a failure of the service or a try that still runs keeps its key. */
export function changedNothing(error: unknown): boolean {
  return isRefusal(error) && error.status < 500 && error.code !== 'idempotency_key_in_flight'
}

/** What went wrong, in a sentence for the person on the page. Advice for callers of the API (`hint`) is left out. */
export function messageOf(error: unknown): string {
  if (!(error instanceof WhenceError))
    return 'The service could not be reached. Check that it is running, then try again.'
  const { message, field, problem, rule } = error
  if (field === undefined || problem === undefined)
    return isRefusal(error) && message !== ''
      ? message
      : (byStatus[error.status] ?? `The service answered ${error.status}.`)
  const own = rule === undefined ? undefined : byRule[rule]
  if (own !== undefined) return own(labelOf(field))
  const isPredicate = rule !== undefined || problem.startsWith('must ')
  return isPredicate ? `${labelOf(field)} ${problem}` : `${labelOf(field)}: ${problem}`
}

const byStatus: Record<number, string> = {
  400: 'The service could not read this. Check the address or the fields.',
  403: 'Your role does not allow this. Ask an admin of the workspace.',
  404: 'This does not exist any more, or it belongs to another profile.',
}

/** Where the rule's own words are for developers. */
const byRule: Record<string, (label: string) => string> = {
  required: (label) => `${label} is missing.`,
  uuid: () => 'This is not a whole id. Copy it again.',
  unrecognized_keys: (label) => `${label} cannot be set here.`,
}

/** Where the words of the name are not those of the pages. */
const partLabels: Record<string, string> = { url: 'address', date_from: 'first day', date_to: 'last day' }

/** `rows.4.ad_id` is read as "Row 5, ad id". */
function labelOf(field: string): string {
  const words = field
    .split('.')
    .map((part, at, parts) => {
      if (part in partLabels) return partLabels[part]!
      if (/^\d+$/.test(part)) return String(Number(part) + 1)
      const isList = /^\d+$/.test(parts[at + 1] ?? '')
      return (isList ? part.replace(/s$/, '') : part).replaceAll('_', ' ')
    })
    .reduce((text, part) => (/^\d+$/.test(part) ? `${text} ${part}` : `${text}, ${part}`))
  return words.charAt(0).toUpperCase() + words.slice(1)
}
