/** One call to Microsoft Graph, and how it refuses. */
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import { callJson, type JsonCall, refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { versionedBase } from '../versions.ts'

export type Reached = Pick<Session, 'http' | 'app' | 'token'>

const GraphError = z.looseObject({ error: z.looseObject({ code: text, message: text }) })

/** `{ error: { code, message } }` with the status; a 403 of the throttle has its own code. */
function graphRefusal(reply: {
  status: number
  body: unknown
  headers: Record<string, string>
}): ProviderError | null {
  const parsed = GraphError.safeParse(reply.body)
  if (!parsed.success) return null
  const code = parsed.data.error.code ?? String(reply.status)
  const isThrottled = code === 'ApplicationThrottled' || code === 'ErrorExceededMessageLimit'
  const { reason } = refusalByStatus(isThrottled ? 429 : reply.status, null, null)
  return new ProviderError(reason, refusalMessages[reason] ?? `The provider refused with ${code}`, {
    providerCode: code,
    retryAfterSeconds: retryAfterSeconds(reply.headers, Date.now()),
  })
}

export function call<T>(
  { http, app, token }: Reached,
  path: string,
  request: Pick<JsonCall<T>, 'schema'> & Partial<JsonCall<T>>,
): Promise<T> {
  return callJson(http, {
    url: `${versionedBase(app.apiBaseUrl, 'external_calendar')}${path}`,
    bearer: token.accessToken,
    refusal: graphRefusal,
    ...request,
  })
}

/** What a link to another page asks; its address is ours, so that the token goes nowhere else. */
export const queryOf = (link: string): string => new URL(link).search
