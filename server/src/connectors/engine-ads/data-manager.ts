/** Calls to the Data Manager API: a scope of its own, and refusals that name the record they concern. */
import { z } from 'zod'
import { type ProviderApp, ProviderError, type Session } from '../connector.ts'
import { callJson, refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { versionedBase } from '../versions.ts'

export const dataManagerScope = 'https://www.googleapis.com/auth/datamanager'

/** It has a host of its own; configuration names it where it differs from the ads API's. */
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

/** Connections made before conversions were sent this way lack the scope; a person has to give it. */
export function refuseWithoutScope(session: Session): void {
  if (session.token.scopes.includes(dataManagerScope)) return
  throw new ProviderError(
    'permission_missing',
    'This connection may not send conversions yet: reconnect the ads account and allow the Data Manager permission',
    { providerCode: 'scope_missing' },
  )
}

export type Answer<T> = { reply: T } | { error: ProviderError; violations: Violation[] }

/** A refusal comes back with the records it names; the caller decides which records it concerns. */
export async function callDataManager<T>(
  session: Session,
  call: {
    path: string
    schema: z.ZodType<T>
    json?: unknown
    query?: Record<string, string>
    headers?: Record<string, string>
  },
): Promise<Answer<T>> {
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
      refusal(refused) {
        const read = readRefusal(refused)
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

/** The place of the record in the list that a field path speaks of; null where it speaks of something else. */
export function indexOf(violation: Violation, list: 'events' | 'audience_members'): number | null {
  const path = violation.field ?? ''
  const match = new RegExp(`\\b${list}\\[(\\d+)\\]`).exec(
    path.replaceAll('audienceMembers', 'audience_members'),
  )
  return match === null ? null : Number(match[1])
}
