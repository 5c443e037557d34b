/** An error response of the service. Branch on the class or on `code`. */
export class WhenceError extends Error {
  readonly status: number
  /** Stable error code; see /docs/errors. */
  readonly code: string
  readonly requestId: string | undefined
  readonly reason: string | undefined
  /** The invalid parameter or member, such as `properties.value`. */
  readonly field: string | undefined
  /** The problem with `field`, without its name. */
  readonly problem: string | undefined
  /** The violated rule, such as `required` or `too_big`, if it is a standard rule. */
  readonly rule: string | undefined
  constructor(status: number, error: ErrorFields) {
    super(error.message ?? `The service responded with status ${status}`)
    this.name = new.target.name
    this.status = status
    this.code = error.code ?? 'unknown'
    this.requestId = error.request_id
    this.reason = error.reason
    this.field = error.field
    this.problem = error.problem
    this.rule = error.rule
  }
}

export type ErrorFields = {
  code?: string
  message?: string
  request_id?: string
  reason?: string
  field?: string
  problem?: string
  rule?: string
}

/** 400 and 422: the request is wrong. */
export class InvalidRequestError extends WhenceError {}
/** 401: the credential is missing, expired or revoked. */
export class AuthenticationError extends WhenceError {}
/** 403: the credential lacks a scope, or the user a role. */
export class PermissionError extends WhenceError {}
/** 404: does not exist, or belongs to someone else. */
export class NotFoundError extends WhenceError {}
/** 409: not allowed in the current state. */
export class ConflictError extends WhenceError {}
/** 429, after all retries. */
export class RateLimitError extends WhenceError {}
/** 5xx, after all retries. */
export class ServerError extends WhenceError {}

/** No response after all retries; `cause` is the underlying error. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super('The service did not respond', { cause })
    this.name = 'ConnectionError'
  }
}

export function toError(status: number, fields: ErrorFields): WhenceError {
  if (status === 400 || status === 422) return new InvalidRequestError(status, fields)
  if (status === 401) return new AuthenticationError(status, fields)
  if (status === 403) return new PermissionError(status, fields)
  if (status === 404) return new NotFoundError(status, fields)
  if (status === 409) return new ConflictError(status, fields)
  if (status === 429) return new RateLimitError(status, fields)
  return status >= 500 ? new ServerError(status, fields) : new WhenceError(status, fields)
}
