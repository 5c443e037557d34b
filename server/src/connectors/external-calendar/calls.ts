/** Calls to Microsoft Graph and mapping of its errors. */
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import { callJson, type JsonCall, refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { versionedBase } from '../versions.ts'

export type CallContext = Pick<Session, 'http' | 'app' | 'token'>

const GraphError = z.looseObject({ error: z.looseObject({ code: text, message: text }) })

/** Errors are `{ error: { code, message } }`; a 403 from throttling has its own code. */
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
  { http, app, token }: CallContext,
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

/** Query of a link to another page. Only the query is used, so that the token is never sent to another host. */
export const queryOf = (link: string): string => new URL(link).search
