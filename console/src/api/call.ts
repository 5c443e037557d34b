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

/** What went wrong, in the service's words, less those that speak to developers. */
export function messageOf(error: unknown): string {
  if (error instanceof ClientError) {
    const said = withoutRoutes(withoutField(error.body.error?.message ?? ''))
    return said || (byStatus[error.status] ?? `The service answered ${error.status}.`)
  }
  return 'The service could not be reached. Check that it is running, then try again.'
}

const byStatus: Record<number, string> = {
  400: 'The service could not read this. Check the address or the fields.',
  403: 'Your role does not allow this. Ask an admin of the workspace.',
  404: 'This does not exist any more, or it belongs to another profile.',
}

/** Advice that names a route or a parameter ("take the id from a GET /campaigns row") does not help a person on a page. */
export function withoutRoutes(message: string): string {
  const isForDevelopers = /\b(GET|POST|PUT|PATCH|DELETE) \/|\?profile_id|\bBearer\b|x-[a-z-]+ header/
  const sentences = message.match(/[^.;:]+(?:[.;:](?=\S)[^.;:]*)*[.;:]?\s*/g) ?? []
  const kept = sentences
    .filter((sentence) => !isForDevelopers.test(sentence))
    .join('')
    .trim()
    .replace(/[;:,]$/, '.')
  return kept
}

/** API messages start with the field's name on the wire; next to a form they are shown as a sentence. */
export function withoutField(message: string): string {
  const [, field, rest] = /^([a-z][a-z0-9_.]*): (.+)$/s.exec(message) ?? []
  if (field === undefined || rest === undefined) return message
  if (/^[A-Z]/.test(rest) && !rest.startsWith('Invalid')) return rest
  if (/^must be a UUID/.test(rest)) return 'This is not a whole id. Copy it again.'
  // What to do is a sentence of its own; what the value must be is about the field.
  if (/^(choose|give|name|send|take|use|write) /.test(rest))
    return rest.charAt(0).toUpperCase() + rest.slice(1)
  const name = field === 'url' ? 'address' : field.replaceAll(/[_.]/g, ' ')
  const text = `${name} ${rest.replace(/^Invalid .+?\.?$/, 'is not valid.')}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
