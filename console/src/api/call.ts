/** Everything goes through the public API, with the session cookie that the sign-in set. */
import {
  type CallInput,
  ClientError,
  createClient,
  type Schema,
  urlOf,
} from '@whence/server/platform/contract/client.ts'
import type { Access, Endpoint } from '@whence/server/platform/contract/endpoint.ts'
import type { ErrorBody } from '@whence/server/platform/contract/errors.ts'
import { basePath } from '../base-path.ts'

const headers = { 'x-whence-console': '1' }
export const call = createClient({ baseUrl: basePath, headers })

/** For the entries whose answer is a file. */
export async function callFile<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  input: InputOf<P, Q, B>,
): Promise<Blob> {
  const url = urlOf(entry as unknown as Endpoint, basePath, input.params as Record<string, unknown>, {})
  const reply = await fetch(url, {
    method: entry.method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(input.body),
  })
  if (!reply.ok) throw new ClientError(reply.status, (await reply.json()) as ErrorBody)
  return reply.blob()
}

export type Entry<P extends Schema, Q extends Schema, B extends Schema, R extends Schema> = Endpoint<
  Access,
  P,
  Q,
  B,
  R
>
export type InputOf<P extends Schema, Q extends Schema, B extends Schema> = CallInput<P, Q, B>

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ClientError && error.status === 401
}

/** A refusal stays a refusal; only what may pass by itself is worth another try. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof ClientError) || error.status >= 502
}

/** What went wrong, in a sentence for the person on the page. Advice for callers of the API (`hint`) is left out. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ClientError))
    return 'The service could not be reached. Check that it is running, then try again.'
  const { message, field, problem, rule } = error.body.error ?? {}
  if (field === undefined || problem === undefined)
    return message || (byStatus[error.status] ?? `The service answered ${error.status}.`)
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

/** `rows.4.ad_id` is read as "Row 5, ad id". */
function labelOf(field: string): string {
  const words = field
    .split('.')
    .map((part, at, parts) => {
      if (part === 'url') return 'address'
      if (/^\d+$/.test(part)) return String(Number(part) + 1)
      const isList = /^\d+$/.test(parts[at + 1] ?? '')
      return (isList ? part.replace(/s$/, '') : part).replaceAll('_', ' ')
    })
    .reduce((text, part) => (/^\d+$/.test(part) ? `${text} ${part}` : `${text}, ${part}`))
  return words.charAt(0).toUpperCase() + words.slice(1)
}
