/** The one error that becomes an answer, and the envelope it becomes. */
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts'

/** What an answer may contain in addition to code and message. */
export type ErrorExtras = {
  reason?: string
  /** The field or parameter that is to blame, and what is wrong with it; the message says both. */
  field?: string
  problem?: string
  /** Which rule of the contract the field breaks (`required`, `uuid`, `too_big`), where it is one of those. */
  rule?: string
  /** What a caller of the API does about it; the message itself is for everyone. */
  hint?: string
  required_scopes?: string[]
  /** One of these is enough. */
  alternative_scopes?: string[]
  reconnect_required?: boolean
  reconnect_url?: string
  upgrade_required?: boolean
  upgrade?: { plan: string }
  conflicting_destination_id?: string
  retry_after_seconds?: number
  provider_code?: string
  provider_message?: string
  consent?: Record<string, unknown>
}

export type ErrorBody = {
  error: {
    code: ErrorCode
    message: string
    status: number
    request_id: string
    docs_url: string
  } & ErrorExtras
}

/** The one error that becomes an answer. The message is public, the cause is only logged. With `field` it says what is wrong with that field. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extras: ErrorExtras
  /** Seconds for the Retry-After header. */
  readonly retryAfter: number | null
  readonly status: number
  constructor(
    code: ErrorCode,
    message: string,
    /** `status`: the second one of a code that has two (`secondStatus` of the route). */
    options: { cause?: unknown; retryAfter?: number; status?: 422 } & ErrorExtras = {},
  ) {
    const { cause, retryAfter, status, ...extras } = options
    super(withField(message, extras.field), { cause })
    if (extras.field !== undefined) extras.problem = message
    this.name = 'ApiError'
    this.code = code
    this.extras = extras
    this.retryAfter = retryAfter ?? null
    this.status = status ?? errorCatalogue[code].status
  }
}

export function withField(problem: string, field: string | undefined): string {
  return field === undefined ? problem : `${field}: ${problem}`
}

/** Also for a profile of another tenant: its id is answered like an unknown one. */
export const noProfile = () => new ApiError('not_found', 'No such profile.')
