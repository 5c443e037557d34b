/** `ApiError`, the only error type sent to callers, and its envelope. */
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts'

/** Optional fields of an error in addition to code and message. */
export type ErrorExtras = {
  reason?: string
  /** The invalid field or parameter and the problem with it; the message contains both. */
  field?: string
  problem?: string
  /** The contract rule that the field violates (`required`, `uuid`, `too_big`), if any. */
  rule?: string
  /** How an API caller fixes it; the message itself is also shown in the console. */
  hint?: string
  required_scopes?: string[]
  /** Any one of these is enough. */
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

/**
 * Becomes an error response. The message is public, the cause is only logged. With `field`, the message describes
 * that field.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extras: ErrorExtras
  /** Seconds for the Retry-After header. */
  readonly retryAfter: number | null
  readonly status: number
  constructor(
    code: ErrorCode,
    message: string,
    /** `status`: the alternative status of a code that has two (`secondStatus` of the route). */
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

/** Also returned for another tenant's profile, so that its existence is not revealed. */
export const noProfile = () => new ApiError('not_found', 'No such profile.')
