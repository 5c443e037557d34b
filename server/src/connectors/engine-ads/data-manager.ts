/** Calls to the Data Manager API, which has its own scope and whose errors identify the bad record. */
import { z } from 'zod'
import { type ProviderApp, ProviderError, type Session } from '../connector.ts'
import { callJson, refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { versionedBase } from '../versions.ts'

export const dataManagerScope = 'https://www.googleapis.com/auth/datamanager'

/** The API has a separate host; `dataManagerBaseUrl` configures it. */
const baseOf = (app: ProviderApp) =>
  versionedBase(app.extra.dataManagerBaseUrl ?? app.apiBaseUrl, 'engine_data_manager')

const Violation = z.looseObject({ field: text, description: text, reason: text })
export type Violation = z.infer<typeof Violation>

const Refusal = z.looseObject({
  error: z.looseObject({
    message: text,
    status: text,
    details: z
      .array(
        z.looseObject({
          reason: text,
          retryDelay: text,
          fieldViolations: z.array(Violation).nullish(),
        }),
      )
      .nullish(),
  }),
})

export const FieldWarnings = z.array(Violation).nullish()

const termsReasons = new Set([
  'TERMS_AND_CONDITIONS_NOT_SIGNED',
  'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED',
])

export function readRefusal(reply: { status: number; body: unknown; headers: Record<string, string> }): {
  error: ProviderError
  violations: Violation[]
} | null {
  const parsed = Refusal.safeParse(reply.body)
  if (!parsed.success) return null
  const { message, status, details } = parsed.data.error
  const violations = (details ?? []).flatMap(({ fieldViolations }) => fieldViolations ?? [])
  const specific = details?.find(({ reason }) => reason !== null)?.reason ?? null
  const first = violations[0]
  const providerCode = first?.reason ?? specific ?? status ?? String(reply.status)
  const delay = details?.find(({ retryDelay }) => retryDelay !== null)?.retryDelay ?? ''
  const seconds = /^(\d+)(?:\.\d+)?s$/.exec(delay)?.[1]
  const refuse = (reason: ProviderError['reason']) =>
    new ProviderError(reason, refusalMessages[reason], {
      providerCode,
      providerMessage: providerMessageIn(first?.description ?? message),
      retryAfterSeconds:
        seconds === undefined ? retryAfterSeconds(reply.headers, Date.now()) : Number(seconds),
    })
  const reasonOf = (): ProviderError['reason'] => {
    if (termsReasons.has(providerCode)) return 'terms_not_accepted'
    if (status === 'RESOURCE_EXHAUSTED') return 'rate_limited'
    return refusalByStatus(reply.status, null, null).reason
  }
  return { error: refuse(reasonOf()), violations }
}

/** Connections from before this API was used lack the scope; a person has to grant it. */
export function refuseWithoutScope(session: Session): void {
  if (session.token.scopes.includes(dataManagerScope)) return
  throw new ProviderError(
    'permission_missing',
    'This connection may not send conversions yet: reconnect the ads account and allow the Data Manager permission',
    { providerCode: 'scope_missing' },
  )
}

export type DataManagerResult<T> = { reply: T } | { error: ProviderError; violations: Violation[] }

/** Returns an error together with its violations; the caller maps them to records. */
export async function callDataManager<T>(
  session: Session,
  call: {
    path: string
    schema: z.ZodType<T>
    json?: unknown
    query?: Record<string, string>
    headers?: Record<string, string>
  },
): Promise<DataManagerResult<T>> {
  refuseWithoutScope(session)
  let violations: Violation[] = []
  try {
    const reply = await callJson(session.http, {
      url: `${baseOf(session.app)}${call.path}`,
      bearer: session.token.accessToken,
      ...(call.json === undefined ? {} : { json: call.json }),
      ...(call.query === undefined ? {} : { query: call.query }),
      ...(call.headers === undefined ? {} : { headers: call.headers }),
      schema: call.schema,
      refusal(response) {
        const read = readRefusal(response)
        violations = read?.violations ?? []
        return read?.error ?? null
      },
    })
    return { reply }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { error, violations }
  }
}

/** The index of the record in a field path; null if the path does not refer to a record of the list. */
export function indexOf(violation: Violation, list: 'events' | 'audience_members'): number | null {
  const path = violation.field ?? ''
  const match = new RegExp(`\\b${list}\\[(\\d+)\\]`).exec(
    path.replaceAll('audienceMembers', 'audience_members'),
  )
  return match === null ? null : Number(match[1])
}
